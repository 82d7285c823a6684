"""Every rule of every pack finds its own examples and nothing in its counterexamples."""

import pytest

from innominate.core import annotated
from innominate.detect.rules.engine import RulesDetector
from innominate.detect.rules.pack import load_pack
from innominate.labels import for_language
from innominate.languages import language_codes

RULES = [(lang, rule.header) for lang in language_codes() for rule in load_pack(lang).rules]


@pytest.mark.parametrize(("lang", "header"), RULES, ids=lambda case: getattr(case, "name", case))
def test_examples(lang, header):
    for sentence in header.match:
        wanted = annotated(sentence)
        assert wanted.spans, f"{sentence!r} marks nothing"
        spans = set(RulesDetector(lang).detect(wanted))
        assert set(wanted.spans) <= spans, sentence
    for sentence in header.no_match:
        spans = RulesDetector(lang).detect(annotated(sentence))
        assert not [span for span in spans if span.label == header.label], sentence


@pytest.mark.parametrize("lang", language_codes())
def test_labels_are_those_of_the_taxonomy(lang):
    assert RulesDetector(lang).labels <= for_language(lang).labels.keys()


@pytest.mark.parametrize("lang", language_codes())
def test_every_pattern_has_an_example(lang):
    missing = [h.name for lg, h in RULES if lg == lang and not h.match and h.label and not h.label.startswith(".")]
    assert not missing
