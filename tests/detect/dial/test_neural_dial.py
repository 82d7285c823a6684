"""The recall dial of a network: the same words, points, bounds and calibrated scores as with a CRF."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import UsageError
from innominate.detect.dial.dial import current_dial
from innominate.detect.dial.threshold import decide, runs, spans_of
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.serving import fold_to_iob2
from innominate.detect.neural.tagset import Tagset
from innominate.formats import write
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings

pytest.importorskip("torch", reason="training needs the extra [train]")

from neural_cases import letters, small_network


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@given(st.integers(0, 10_000), st.sampled_from(["IOB2", "BIOES"]))
def test_folding_to_iob2_keeps_every_probability_and_every_entity(seed, scheme):
    rng = np.random.default_rng(seed)
    text = "Vu par Dr Rochat le 18.03.2022"
    places, tagset = pieces(text), Tagset(("DATE", "DOCTOR"), scheme)
    probabilities = rng.dirichlet(np.ones(len(tagset.tags)), len(places)).astype(np.float32)
    best = rng.integers(len(tagset.tags), size=len(places)).tolist()
    found = fold_to_iob2(text, places, tagset, (probabilities, best))
    assert np.allclose(found.probabilities.sum(1), 1, atol=1e-5)
    assert np.allclose(found.outside, probabilities[:, 0])
    assert runs([found.tags[tag] for tag in found.best]) == tagset.decode(best)


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tuned")
    shutil.copytree(small_network(epochs=4, notes=20), folder / "model")
    write(letters(60, seed=7), folder / "dev.jsonl", "jsonl")
    pages = ("--json", folder / "r.json", "--html", folder / "p.html")
    done = run("tune", folder / "model", "--dev", folder / "dev.jsonl", *pages)
    assert done.exit_code == 0
    return folder


def test_tune_finds_points_that_find_more_and_more(tuned):
    result = json.loads((tuned / "r.json").read_text(encoding="utf-8"))
    assert [point["name"] for point in result["points"]] == ["F1", "F4", "F10", "F20", "F40"]
    recalls = [point["recall"] for point in result["points"]]
    assert recalls == sorted(recalls)
    notes = letters(20, seed=9)
    found = {
        point: sum(len(span) for spans in NeuralDetector(tuned / "model", recall=point).detect_many(notes) for span in spans)
        for point in ("F1", "F10", "F40", "0.9")
    }
    assert found["F1"] <= found["F10"] <= found["F40"]
    assert found["F1"] < found["F40"]
    pipeline = Pipeline(Settings(lang="fr", detector=str(tuned / "model"), recall="F40", cleaners=()))
    assert sum(len(span) for note in notes for span in pipeline.detect(note).spans) == found["F40"]


def test_one_label_is_turned_up_alone(tuned):
    notes = letters(20, seed=9)
    plain, names = (NeuralDetector(tuned / "model", recall=recall) for recall in ("", "PATIENT=F40"))
    for before, after in zip(plain.detect_many(notes), names.detect_many(notes), strict=True):
        assert {span for span in before if span.label == "DATE"} <= set(after)
    points = names._points
    assert points["DATE"] == plain._points["DATE"] != points["PATIENT"]


def test_scores_are_calibrated_by_the_tuning(tuned):
    detector = NeuralDetector(tuned / "model")
    (found,) = detector.marginals(letters(1, seed=9))
    raw = spans_of(found, decide(found, detector._points), "neural")
    (given_,) = detector.detect_many(letters(1, seed=9))
    assert [span.score for span in given_] == [current_dial(detector.folder).calibrated(span.score) for span in raw]
    assert current_dial(detector.folder).raw


def test_a_network_that_was_not_tuned_says_so_before_the_first_note():
    with pytest.raises(UsageError, match="innominate tune"):
        _ = NeuralDetector(small_network(epochs=4, notes=20), recall="F10").labels


def test_a_recall_that_so_few_notes_cannot_show_is_refused(tuned):
    with pytest.raises(UsageError, match="cannot be shown"):
        _ = NeuralDetector(tuned / "model", recall="0.9999").labels
