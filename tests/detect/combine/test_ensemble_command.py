"""`innominate train ensemble` and `train hybrid` over models trained for real: a CRF, two networks and the rules."""

import json
import shutil
import tomllib
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import UsageError
from innominate.detect.combine.ensemble.detector import EnsembleDetector
from innominate.detect.combine.hybrid import HybridDetector
from innominate.detect.models.named import detector
from innominate.formats import read_spans, write
from innominate.run.settings import Settings

pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("pycrfsuite", reason="training needs the extra [train]")

from neural_cases import letters, small_network

DEV = letters(16, seed=7)


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with a CRF, two networks, and dev notes."""
    folder = tmp_path_factory.mktemp("models")
    write(letters(12), folder / "train.jsonl", "jsonl")
    write(DEV, folder / "dev.jsonl", "jsonl")
    quick = ("--set", "max_iterations=6", "--set", "feature.minfreq=0", "--features", "-list,-rule")
    run("train", "crf", "--train", folder / "train.jsonl", "-o", folder / "crf", "--lang", "en", *quick)
    shutil.copytree(small_network(), folder / "network")
    shutil.copytree(small_network(epochs=4, notes=24), folder / "other")  # it is sure of nothing yet
    return folder


def hidden(spans):
    return {place for span in spans for place in range(span.start, span.end)}


def ensemble(models, name, how, *members):
    run("train", "ensemble", *members, "-o", models / name, "--how", how, "--dev", models / "dev.jsonl", "--lang", "en")
    return EnsembleDetector("en", str(models / name))


def united(models):
    """The union of the CRF, a network and the rules; each test makes its own, because another worker may run the next one."""
    names = [str(models / "crf"), str(models / "network"), "rules"]
    return ensemble(models, "union", "union", *names), names


def test_a_union_hides_all_that_its_members_hide_and_is_served_by_detect(models):
    union, names = united(models)
    members = [detector(name, "en") for name in names]
    for note in DEV:
        found = hidden(union.detect(note))
        assert all(hidden(one.detect(note)) <= found for one in members)
    done = run("detect", models / "dev.jsonl", "-o", models / "spans.jsonl", "--detector", models / "union", "--lang", "en")
    assert done.exit_code == 0
    written = read_spans(models / "spans.jsonl")
    assert [hidden(written[note.id]) for note in DEV] == [hidden(union.detect(note)) for note in DEV]


def test_rules_may_be_joined_to_a_model_of_any_kind(models):
    united(models)
    for name in ("network", "union"):
        joined = detector(f"rules+{models / name}", "en")
        members = [detector("rules", "en"), detector(str(models / name), "en")]
        for note in DEV[:4]:
            assert all(hidden(one.detect(note)) <= hidden(joined.detect(note)) for one in members)
        assert joined.labels == members[0].labels | members[1].labels


@pytest.mark.parametrize("how", ["majority", "weighted", "average"])
def test_other_ways_are_written_measured_and_served(models, how):
    members = ("crf", "network", "other")
    made = ensemble(models, how, how, *(models / name for name in members))
    card = tomllib.loads((models / how / "model.toml").read_text(encoding="utf-8"))
    assert card["dev"][how]["f1"] > 0.5
    assert ("weights" in card) is (how == "weighted")
    together, alone = made.detect_many(DEV), [made.detect(note) for note in DEV]
    assert [list(spans) for spans in together] == [list(spans) for spans in alone]
    assert all(0 < span.score <= 1 for spans in together for span in spans)


def test_the_dial_turns_an_average(models):
    made = ensemble(models, "tuned", "average", models / "other", models / "crf", models / "other")
    with pytest.raises(UsageError, match="innominate tune"):
        _ = EnsembleDetector("en", made.model, "F10").labels
    before = sum(len(hidden(spans)) for spans in made.detect_many(DEV))
    assert run("tune", models / "tuned", "--dev", models / "dev.jsonl").exit_code == 0
    amount = {
        point: sum(len(hidden(spans)) for spans in EnsembleDetector("en", made.model, point).detect_many(DEV))
        for point in ("F1", "F40")
    }
    assert amount["F40"] >= amount["F1"]
    assert amount["F40"] > before
    ensemble(models, "tuned", "average", models / "network", models / "other")
    assert not (models / "tuned" / "dial.toml").exists()  # other members, other points
    united(models)
    with pytest.raises(UsageError, match="tune its members"):
        run("tune", models / "union", "--dev", models / "dev.jsonl")


def test_an_ensemble_of_ensembles_copied_elsewhere_gives_the_same(models, tmp_path):
    ensemble(models, "inner", "average", models / "network", models / "other")
    run("train", "ensemble", models / "inner", models / "crf", "-o", tmp_path / "outer", "--copy")
    expected = EnsembleDetector("en", str(tmp_path / "outer")).detect_many(DEV)
    (tmp_path / "outer").rename(tmp_path / "moved")
    moved = EnsembleDetector("en", str(tmp_path / "moved"))
    assert all(one.folder.is_relative_to(tmp_path) for one in moved.members)
    assert [list(spans) for spans in moved.detect_many(DEV)] == [list(spans) for spans in expected]


def test_another_member_is_another_choice_of_a_run(models, tmp_path):
    shutil.copytree(models / "network", tmp_path / "network")
    run("train", "ensemble", tmp_path / "network", models / "crf", "-o", tmp_path / "both")
    before = Settings(lang="en", detector=str(tmp_path / "both")).fingerprint()
    (tmp_path / "network" / "chain.safetensors").write_bytes(b"")
    assert Settings(lang="en", detector=str(tmp_path / "both")).fingerprint() != before


def test_what_does_not_fit_together_is_said(models, tmp_path):
    network, out = models / "network", ("-o", tmp_path / "m")
    for arguments, said in [
        (("ensemble", network, *out), "two models or more"),
        (("ensemble", network, models / "crf", *out, "--how", "vote"), "--how is one of"),
        (("ensemble", network, models / "crf", *out, "--how", "weighted"), "--dev"),
        (("ensemble", network, tmp_path / "none", *out), "no model is here"),
        (("ensemble", network, models / "other", *out), "--lang"),
        (("ensemble", network, models / "crf", *out, "--lang", "fr"), "one language"),
        (("ensemble", network, "rules", *out, "--lang", "fr"), "different taxonomies"),
        (("ensemble", network, "rules", *out, "--lang", "en", "--how", "average"), "cannot be averaged"),
        (("ensemble", network, models / "crf", "-o", models / "crf"), "one of the models"),
        (("ensemble", network, models / "crf", "-o", models / "other"), "another kind"),
        (("hybrid", network, "-o", network, "--lang", "en", "--labels", "DATE"), "one of the models"),
        (("hybrid", network, *out, "--lang", "en"), "--rules-score"),
        (("hybrid", network, *out, "--lang", "en", "--labels", "MOON"), "do not give: MOON"),
        (("hybrid", network, *out, "--lang", "en", "--rules-score", models / "dev.jsonl"), "no scores by label"),
    ]:
        with pytest.raises(UsageError, match=said):
            run("train", *arguments)


def _with_title(span):
    return replace(span, start=span.start - 3) if span.label == "DOCTOR" else span


def test_the_hybrid_takes_each_label_from_where_the_file_says(models):
    rules = detector("rules", "en")
    titles = [note.with_spans(_with_title(span) for span in note.spans) for note in DEV]  # a corpus that marks titles too
    write(titles, models / "titles.jsonl", "jsonl")
    write([note.with_spans(rules.detect(note)) for note in DEV], models / "rules.jsonl", "jsonl")
    run("evaluate", models / "titles.jsonl", models / "rules.jsonl", "--json", models / "rules.json")
    scores = json.loads((models / "rules.json").read_text(encoding="utf-8"))["systems"]["rules"]["per_type"]
    good = {label for label, found in scores.items() if found["strict"]["f1"] > 0.9}
    assert good == {"DATE", "PATIENT"}, "the notes of this test no longer show a difference"
    run("train", "hybrid", models / "network", "--rules-score", models / "rules.json", "-o", models / "hybrid", "--lang", "en")
    hybrid, network = HybridDetector("en", str(models / "hybrid")), detector(str(models / "network"), "en")
    assert hybrid.card.rules_keep == ("DATE", "PATIENT")
    for note in DEV:
        found = hybrid.detect(note)
        assert {span for span in found if span.label in good} == {s for s in rules.detect(note) if s.label in good}
        assert hidden(span for span in network.detect(note) if span.label == "DOCTOR") <= hidden(found)
    with pytest.raises(UsageError, match="--lang en"):
        HybridDetector("fr", str(models / "hybrid")).detect(DEV[0])


def test_a_label_the_model_does_not_know_stays_with_the_rules(models):
    run("train", "hybrid", models / "network", "--labels", "DATE", "-o", models / "listed", "--lang", "en", "--copy")
    note = letters(1)[0]
    text = note.text + " Call 617-555-0143."
    found = HybridDetector("en", str(models / "listed")).detect(type(note)("n", text))
    assert "PHONE" in {span.label for span in found}
