"""Golden cases of the rules: sentences with their spans, one file per label."""

from pathlib import Path

import pytest

from innominate.core import annotated
from innominate.detect.rules.engine import RulesDetector
from innominate.labels import for_language

GOLDEN = Path(__file__).parent / "golden"


def cases():
    for path in sorted(GOLDEN.glob("*/*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield pytest.param(path.parent.name, path.stem, line, id=f"{path.parent.name}-{path.stem}-{number}")


def found(lang, label, document):
    return [(span.of(document.text)) for span in RulesDetector(lang).detect(document) if span.label == label]


@pytest.mark.parametrize(("lang", "label", "line"), list(cases()))
def test_golden(lang, label, line):
    known, _, sentence = line.partition("|") if line.startswith("!") else ("", "", line)
    document = annotated(sentence.strip())
    assert label in for_language(lang)
    wanted = [(span.of(document.text)) for span in document.spans if span.label == label]
    if known:
        assert found(lang, label, document) != wanted, "this known failure passes now: take the ! away"
    else:
        assert found(lang, label, document) == wanted
