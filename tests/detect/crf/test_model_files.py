"""Model folders: the same bytes every time, no pickle, and clear words where one cannot be used."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from crf_cases import PARAMETERS, notes, small_model
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.core import UsageError
from innominate.detect.combine.union import UnionDetector
from innominate.detect.crf.detector import CrfDetector, find_shipped_model
from innominate.detect.crf.features import Features
from innominate.detect.crf.model import CrfModel, read_card
from innominate.detect.crf.tagger import CrfWeights
from innominate.detect.crf.training import card_of, corpus_facts, prepare, save, train
from innominate.detect.models.named import detector, is_known
from innominate.languages import language_codes


def test_the_same_training_gives_the_same_bytes(tmp_path):
    features = Features("sv").without(["rule", "neighbours"])
    some = notes(n=40)[:8]
    for name in ("a", "b"):
        weights = train(list(prepare(some, features)), features, {**PARAMETERS, "max_iterations": 8})
        facts = corpus_facts(some, "synthetic")
        save(
            tmp_path / name,
            card_of(weights, features, taxonomy="swedish", corpus=facts, parameters=PARAMETERS, seed=0),
            weights,
        )
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == ["attributes.txt", "model.toml", "weights.safetensors"]
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_card_says_what_the_model_is():
    card = read_card(small_model())
    assert (card.lang, card.taxonomy, card.corpus["notes"]) == ("sv", "swedish", 40)
    assert card.features == Features("sv").also(["section", "context"])
    assert {"First_Name", "Full_Date"} <= card.labels


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("format = 1", "format = 2", "format 2 .* this version reads 1"),
        ('kind = "crf"', 'kind = "lstm"', "kind 'lstm'"),
        ("seed = 0", "", "lacks 'seed'"),
        ("[corpus]", "[corpus", "not a model card"),
    ],
)
def test_a_model_that_cannot_be_read_says_why(tmp_path, old, new, said):
    folder = tmp_path / "model"
    shutil.copytree(small_model(), folder)
    card = folder / "model.toml"
    assert old in card.read_text(encoding="utf-8")
    card.write_text(card.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        CrfModel.load(folder)


def test_files_that_do_not_belong_together_are_refused(tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(small_model(), folder)
    (folder / "attributes.txt").write_text("w=eva", encoding="utf-8")
    with pytest.raises(UsageError, match="do not belong together"):
        CrfModel.load(folder)
    (folder / "weights.safetensors").unlink()
    with pytest.raises(UsageError, match="cannot be read"):
        CrfModel.load(folder)
    with pytest.raises(UsageError, match="no model is here"):
        CrfModel.load(tmp_path / "nothing")


@settings(max_examples=30)
@given(st.dictionaries(st.tuples(st.text(min_size=1), st.sampled_from(["O", "B-A"])), st.floats(-5, 5, width=16), max_size=8))
def test_weights_come_back_whatever_the_attributes_are_called(tmp_path_factory, states):
    weights = CrfWeights.of(
        ["O", "B-A"], range(-1, 2), {(f"w={a}", tag): w for (a, tag), w in states.items()}, {("O", "B-A"): 0.5}
    )
    folder = tmp_path_factory.mktemp("weights")
    weights.save(folder, half=True)
    back = CrfWeights.load(folder, weights.tags)
    assert back.attributes == weights.attributes
    assert np.array_equal(back.values, weights.values)
    assert np.array_equal(back.transitions, weights.transitions)


def test_pruning_takes_away_what_is_small_and_nothing_else():
    states = {("w=a", "O"): 0.5, ("w=a", "B-A"): 0.001, ("w=b", "O"): 0.001, ("-1:w=c", "B-A"): -0.7}
    pruned = CrfWeights.of(["O", "B-A"], range(-1, 2), states, {}).without_small(0.01)
    assert pruned.attributes == ("w=a", "w=c")
    assert pruned.values.tolist() == pytest.approx([0.5, -0.7])


def test_a_folder_is_a_detector_and_rules_can_join_it():
    folder = str(small_model())
    note = next(iter(notes("dev", 12)))
    assert is_known(folder)
    assert is_known(f"rules+{folder}")
    alone = detector(folder, "sv").detect(note)
    rules = detector("rules", "sv").detect(note)
    both = detector(f"rules+{folder}", "sv").detect(note)
    assert alone
    assert {span.source.partition(":")[0] for span in both} <= {"crf", "rules"}
    covered = {i for span in both for i in range(span.start, span.end)}
    assert covered == {i for spans in (alone, rules) for span in spans for i in range(span.start, span.end)}


def test_what_a_detector_does_not_understand_is_refused():
    folder = str(small_model())
    with pytest.raises(UsageError, match="rules"):
        detector("rules", "sv", recall="F10")
    with pytest.raises(UsageError, match="innominate tune"):
        _ = detector(folder, "sv", recall="F10").labels
    with pytest.raises(UsageError, match="reads 'sv'"):
        detector(folder, "fr").detect(notes("dev", 12)[0])


def test_the_union_of_a_language_without_a_model_is_its_rules(monkeypatch):
    monkeypatch.setattr("innominate.detect.combine.union.find_shipped_model", lambda lang: None)
    note = next(iter(notes("dev", 12)))
    assert UnionDetector("sv").detect(note) == detector("rules", "sv").detect(note)


@pytest.mark.parametrize("lang", language_codes())
def test_shipped_models_load_and_are_small(lang):
    folder = find_shipped_model(lang)
    if folder is None:
        pytest.skip(f"no model of {lang} is shipped")
    assert sum(path.stat().st_size for path in Path(folder).iterdir()) < 5_000_000
    assert {"F1", "F4", "F10", "F20", "F40"} <= CrfDetector(lang).loaded.dial.points.keys()
