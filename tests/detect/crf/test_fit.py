"""A CRF learns from Python as it does from the command line: `fit`, `save`, `load`."""

import pickle

import pytest
from crf_cases import notes

from innominate.core import Document, UsageError
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features

QUICK = {"max_iterations": 12, "c1": 0.02}
FEW = Features("sv").without(["list", "neighbours"])


@pytest.fixture(scope="module")
def learned():
    return CrfDetector("sv", features=FEW, parameters=QUICK).fit(notes()[:12], notes("dev", 12), seed=3)


def spans(detector):
    return [[(span.start, span.end, span.label, span.score) for span in detector.detect(note)] for note in notes("dev", 12)]


def test_what_has_learned_finds_something_and_says_how_good_it_is(learned):
    assert sum(map(len, spans(learned))) > 20
    assert learned.labels <= {span.label for note in notes()[:12] for span in note.spans}
    assert 0.2 < learned.loaded.log["scores"]["span_f1"] < 1


def test_the_one_that_was_told_to_learn_is_as_it_was():
    teacher = CrfDetector("sv", features=FEW, parameters=QUICK)
    teacher.fit(notes()[:3])
    assert teacher.learned is None
    assert teacher.labels == CrfDetector("sv").labels


def test_saved_and_loaded_it_finds_the_same(learned, tmp_path):
    learned.save(tmp_path / "model")
    again = CrfDetector.load(tmp_path / "model")
    assert spans(again) == spans(learned)
    assert (again.lang, again.taxonomy) == ("sv", "swedish")
    assert "span_f1" in (tmp_path / "model" / "training.toml").read_text(encoding="utf-8")


def test_it_can_be_sent_to_another_process(learned):
    assert spans(pickle.loads(pickle.dumps(learned))) == spans(learned)


def test_there_has_to_be_something_to_learn():
    with pytest.raises(UsageError, match="nothing to learn from"):
        CrfDetector("sv").fit([Document("n", "nothing marked")])
    with pytest.raises(UsageError, match="does not have"):
        CrfDetector("sv").fit(notes()[:3], taxonomy="i2b2")
