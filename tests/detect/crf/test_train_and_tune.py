"""`innominate train crf` and `innominate tune`, from notes to operating points, and the folds and searches behind them."""

import json

import pytest
from crf_cases import notes, small_model
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import Document, UsageError
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features
from innominate.detect.crf.search import SPACE, Search, draw
from innominate.detect.crf.training import group_into_folds, leave_one_out, prepare
from innominate.formats import write
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    write(notes()[:12], folder / "train.jsonl", "jsonl")
    write(notes("dev", 12), folder / "dev.jsonl", "jsonl")
    return folder


def test_train_then_tune_then_the_model_listens_to_recall(corpus, tmp_path):
    model = tmp_path / "model"
    quick = ("--set", "max_iterations=12", "--set", "c1=0.02", "--features", "-list,-neighbours")
    trained = run("train", "crf", "--train", corpus / "train.jsonl", "--dev", corpus / "dev.jsonl", "-o", model, *quick)
    assert trained.exit_code == 0
    assert "12 notes" in trained.stdout
    assert {"attributes.txt", "model.toml", "training.toml", "weights.safetensors"} == {path.name for path in model.iterdir()}
    tuned = run("tune", model, "--dev", corpus / "dev.jsonl", "--json", tmp_path / "r.json", "--html", tmp_path / "p.html")
    assert tuned.exit_code == 0
    result = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    recalls = [point["recall"] for point in result["points"]]
    precisions = [point["precision"] for point in result["points"]]
    assert [point["name"] for point in result["points"]] == ["F1", "F4", "F10", "F20", "F40"]
    assert recalls == sorted(recalls)
    assert precisions == sorted(precisions, reverse=True)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.count('<circle class="point"') == 5
    assert notes("dev", 12)[0].text[:30] not in page
    found = {
        point: sum(len(spans) for spans in CrfDetector("sv", str(model), point).detect_many(notes("dev", 12)))
        for point in ("F1", "F40")
    }
    assert found["F40"] > found["F1"] > 0
    for point in ("F1", "F40"):
        pipeline = Pipeline(Settings(lang="sv", detector=str(model), recall=point))
        assert sum(len(pipeline.detect(note).spans) for note in notes("dev", 12)) == found[point]
    before = Settings(lang="sv", detector=str(model)).fingerprint()
    (model / "dial.toml").write_text((model / "dial.toml").read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert Settings(lang="sv", detector=str(model)).fingerprint() != before  # another dial is another run
    scores = {s.score for spans in CrfDetector("sv", str(model)).detect_many(notes("dev", 12)) for s in spans}
    assert scores
    assert all(0 <= score <= 1 for score in scores)


def test_wrong_use_is_said(corpus, tmp_path):
    write([Document("n", "nothing marked", meta={"lang": "sv"})], tmp_path / "bare.jsonl", "jsonl")
    for arguments, said in [
        (("train", "crf", "--train", tmp_path / "bare.jsonl", "-o", tmp_path / "m"), "nothing to learn"),
        (("train", "crf", "--train", corpus / "train.jsonl", "-o", tmp_path / "m", "--taxonomy", "i2b2"), "does not have"),
        (("train", "crf", "--train", corpus / "train.jsonl", "-o", tmp_path / "m", "--features", "list"), r"\+NAME or -NAME"),
        (("train", "crf", "--train", corpus / "train.jsonl", "-o", tmp_path / "m", "--features", "+moon"), "no feature"),
        (("tune", small_model(), "--dev", corpus / "dev.jsonl", "--betas", "often"), "--betas"),
    ]:
        with pytest.raises(UsageError, match=said):
            run(*arguments)
    with pytest.raises(UsageError, match="the folder of a model"):
        Settings(detector=str(tmp_path))


def test_folds_keep_patients_together_and_test_every_note_once():
    some = notes()
    folds = group_into_folds(some, "patient", 4, seed=3)
    assert sorted(index for _, test in folds for index in test) == list(range(len(some)))
    for train_on, test_on in folds:
        assert not {some[i].meta["patient"] for i in train_on} & {some[i].meta["patient"] for i in test_on}
    assert folds == group_into_folds(some, "patient", 4, seed=3)
    units = leave_one_out(some, "unit")
    assert all({some[i].meta["unit"] for i in test_on} == {unit} for unit, (_, test_on) in units.items())
    with pytest.raises(UsageError, match="no 'ward'"):
        group_into_folds(some, "ward", 2)
    with pytest.raises(UsageError, match="folds cannot be made"):
        group_into_folds(some[:3], "id", 4)


def test_a_search_goes_on_where_it_stopped_and_draws_from_the_table(tmp_path, monkeypatch):
    quick = {name: options[:1] for name, options in SPACE.items()} | {"max_iterations": (2, 3), "c1": (0.1, 0.05)}
    monkeypatch.setattr("innominate.detect.crf.search.draw", lambda trial, seed: draw(trial, seed, quick))
    features = Features("sv").without(["rule", "neighbours", "affix", "list", "window"])
    examples = list(prepare(notes()[:6], features))
    folds = group_into_folds(notes()[:6], "id", 2)
    first = Search(tmp_path / "trials.jsonl", examples, folds, features, seed=7)
    assert [row["trial"] for row in first.run(1, 1)] == [0]
    with first.path.open("a", encoding="utf-8") as file:
        file.write('{"trial": 1, "span_f1": 0.9, "parameters": {}')  # it was stopped while it wrote this row
    again = Search(tmp_path / "trials.jsonl", examples, folds, features, seed=7)
    assert [row["trial"] for row in again.run(3, 1)] == [1, 2]
    assert sorted(Search(again.path, examples, folds, features, seed=7).done) == [0, 1, 2]
    assert [row["span_f1"] for row in again.rank_trials()] == sorted(
        (row["span_f1"] for row in again.rank_trials()), reverse=True
    )
    with pytest.raises(UsageError, match="another search"):
        Search(tmp_path / "trials.jsonl", examples, folds, features, seed=8)
