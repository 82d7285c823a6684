"""The Spanish model that ships, on MEDDOCAN dev: the numbers that the documentation gives."""

import os
from pathlib import Path

import pytest

from innominate.detect.combine.union import UnionDetector
from innominate.detect.crf.detector import CrfDetector, find_shipped_model
from innominate.detect.crf.training import as_seen
from innominate.detect.dial.threshold import Point
from innominate.detect.dial.tuning import TokenEvidence
from innominate.evaluate import meddocan
from innominate.evaluate.release import Leak
from innominate.formats import read_documents

DEV = Path(__file__).parents[4] / "shared" / "corpora" / "meddocan" / "dev"

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not DEV.is_dir(), reason="the MEDDOCAN corpus is not in ../shared/corpora"),
    pytest.mark.skipif(find_shipped_model("es") is None, reason="no Spanish model is shipped"),
    pytest.mark.skipif(not os.environ.get("INNOMINATE_SLOW"), reason="INNOMINATE_SLOW=1 runs it"),
]


@pytest.fixture(scope="module")
def notes():
    return [as_seen(note) for note in read_documents(DEV)]


def masked(notes, found):
    leaks = [Leak.of(note, note.with_spans(spans)) for note, spans in zip(notes, found, strict=True)]
    return sum(leak.masked for leak in leaks) / sum(leak.identifiers for leak in leaks)


def test_f1_point_by_the_official_rules(notes):
    found = CrfDetector("es").detect_many(notes)
    scores = meddocan.score([(note, note.with_spans(spans)) for note, spans in zip(notes, found, strict=True)])
    assert scores["ner"]["micro"]["f1"] >= 0.958
    assert scores["span_strict"]["micro"]["f1"] >= 0.964


def test_precision_at_high_recall_and_the_order_of_the_points(notes):
    detector = CrfDetector("es")
    evidence = TokenEvidence.of(zip(notes, detector.marginals(notes), strict=True))
    scores = [evidence.at(Point(1 - threshold, 0.0)) for threshold in detector.loaded.dial.curve.thresholds]
    assert next(score.precision for score in scores if score.recall >= 0.995) >= 0.80
    points = [evidence.at(point) for point in detector.loaded.dial.points.values()]
    assert [point.recall for point in points] == sorted(point.recall for point in points)
    assert [point.precision for point in points] == sorted((point.precision for point in points), reverse=True)


def test_the_union_masks_more_than_either(notes):
    from innominate.detect.rules.engine import RulesDetector

    together = masked(notes, UnionDetector("es").detect_many(notes))
    assert together > masked(notes, CrfDetector("es").detect_many(notes))
    assert together > masked(notes, [RulesDetector("es").detect(note) for note in notes])
