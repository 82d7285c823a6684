"""The examples that rules carry, and which of them fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from innominate.core import annotated
from innominate.detect.rules.engine import RulesDetector


@dataclass(frozen=True, slots=True)
class FailedExample:
    """A sentence in which a rule does not find what it should, or finds what it should not."""

    rule: str
    sentence: str
    found: bool


def failed_examples(detector: RulesDetector) -> Iterator[FailedExample]:
    """Run every example of every rule."""
    for header in (rule.header for rule in detector.engine.pack.rules):
        for sentence in header.match:
            wanted = annotated(sentence)
            if not set(wanted.spans) <= set(detector.detect(wanted)):
                yield FailedExample(header.name, sentence, found=False)
        for sentence in header.no_match:
            if any(span.label == header.label for span in detector.detect(annotated(sentence))):
                yield FailedExample(header.name, sentence, found=True)
