"""Golden cases of the rules: sentences with their spans, one file per label."""

from pathlib import Path

import pytest

from innominate.core import Span, annotated
from innominate.detect.rules.engine import RulesDetector
from innominate.labels import for_language

GOLDEN = Path(__file__).parent / "golden"


def cases():
    for path in sorted(GOLDEN.glob("*/*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield pytest.param(path.parent.name, path.stem, line, id=f"{path.parent.name}-{path.stem}-{number}")


def places(spans, label, text):
    """Where the spans of a label are; the words beside the places are for whoever reads a failure."""
    return [(span.start, span.end, span.of(text)) for span in sorted(spans) if span.label == label]


def test_the_same_word_in_another_place_is_another_answer():
    text = "Eva called Eva"
    assert places([Span(0, 3, "NAME")], "NAME", text) != places([Span(11, 14, "NAME")], "NAME", text)


@pytest.mark.parametrize(("lang", "label", "line"), list(cases()))
def test_golden(lang, label, line):
    known, _, sentence = line.partition("|") if line.startswith("!") else ("", "", line)
    document = annotated(sentence.strip())
    assert label in for_language(lang)
    wanted = places(document.spans, label, document.text)
    found = places(RulesDetector(lang).detect(document), label, document.text)
    if known:
        assert found != wanted, "this known failure passes now: take the ! away"
    else:
        assert found == wanted
