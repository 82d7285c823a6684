"""English sentences in many styles: odd ones were looked at while rules were written, even ones never."""

from pathlib import Path

import pytest

from innominate.core import Score, annotated
from innominate.detect.rules.engine import RulesDetector

LINES = (Path(__file__).parent / "sentences" / "en.txt").read_text(encoding="utf-8").splitlines()
SENTENCES = [line for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize(("half", "least"), [(0, 0.88), (1, 0.82)], ids=["seen", "unseen"])
def test_strict_scores_do_not_fall(half, least):
    score = Score()
    for sentence in SENTENCES[half::2]:
        wanted = annotated(sentence)
        spans, found = set(wanted.spans), set(RulesDetector("en").detect(wanted))
        score += Score(len(spans & found), len(found - spans), len(spans - found))
    assert score.f() >= least
