"""A detector that reads its patterns from `data/patterns.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from innominate.core import Document, Span, UsageError
from innominate.core.resolve import resolve

DATA = files("innominate.detect") / "data"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled expression with its name, the label it gives, and its own examples."""

    name: str
    label: str
    expression: regex.Pattern[str]
    match: str
    no_match: str
    context: str


@cache
def patterns(lang: str) -> tuple[Pattern, ...]:
    """Load the patterns of a language; those whose kind is no identifier there are left out."""
    kinds = tomllib.loads((DATA / "kinds.toml").read_text(encoding="utf-8"))
    if lang not in kinds:
        raise UsageError(f"no patterns for language {lang!r}; there are: {', '.join(kinds)}")
    content = tomllib.loads((DATA / "patterns.toml").read_text(encoding="utf-8"))
    months = content["months"][lang]
    wanted = (entry for entry in content["pattern"] if lang in entry["languages"] and kinds[lang][entry["kind"]] != "none")
    return tuple(_compile(entry, kinds[lang][entry["kind"]], months, lang) for entry in wanted)


def _compile(entry: dict[str, Any], label: str, months: str, lang: str) -> Pattern:
    try:
        expression = regex.compile(entry["expression"].replace("{month}", months), regex.IGNORECASE | regex.VERSION1)
    except regex.error as error:
        raise UsageError(f"pattern {entry['name']!r} is not a regular expression: {error}") from error
    match = entry["match"][lang] if isinstance(entry["match"], dict) else entry["match"]
    context = str(entry.get("context", match))
    return Pattern(entry["name"], label, expression, match, entry["no_match"], context)


@dataclass(frozen=True, slots=True)
class PatternDetector:
    """Finds what has a shape: dates, times, e-mail and web addresses, telephone numbers.

    >>> [span.label for span in PatternDetector("fr").detect(Document("n", "Vu le 18.03.2022 à 9h30"))]
    ['DATE', 'TEMPS']
    """

    lang: str = "en"
    timeout: float = 10.0  # seconds for one pattern on one note; the note is withheld if it takes longer

    name = "patterns"
    needs = ()

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give in its language."""
        return frozenset(pattern.label for pattern in patterns(self.lang))

    def detect(self, document: Document) -> Sequence[Span]:
        """Run every pattern over the text."""
        found = [
            Span(*match.span(), pattern.label, source=f"patterns:{pattern.name}")
            for pattern in patterns(self.lang)
            for match in pattern.expression.finditer(document.text, timeout=self.timeout)
        ]
        return resolve(found)
