"""A cleaned form of a text together with the way back to the original."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from innominate.core import OffsetMap, Span, apply_edits
from innominate.core.plugins import load
from innominate.core.protocols import Cleaner

# Pre-processing for annotation and training, in the order of the seed, section 2.2.
PREPROCESSING = ("html", "nfkc", "whitespace", "full-stops", "digit-dash")

# What detectors look at: the same words, without disguise.
DETECTION = ("fold",)


@dataclass(frozen=True, slots=True)
class View:
    """A text as cleaners show it. The original is kept beside it, unchanged."""

    original: str = field(repr=False)  # the text of a note must not reach a log through repr()
    text: str = field(repr=False)
    offsets: OffsetMap = field(repr=False)

    def to_original(self, spans: Iterable[Span]) -> list[Span]:
        """Bring spans found on the view back to the original; one over inserted characters alone is gone."""
        return self.offsets.spans_to_source(spans)

    def from_original(self, spans: Iterable[Span]) -> list[Span]:
        """Carry spans of the original to the view; one whose characters the view does not show is gone."""
        return self.offsets.spans_to_target(spans)


def view(text: str, cleaners: Sequence[Cleaner]) -> View:
    """Apply cleaners one after the other and keep one map over all of them.

    >>> seen = view("<b>Eva</b>&nbsp;dort", named(PREPROCESSING))
    >>> seen.text, seen.to_original([Span(0, 3, "NAME")])[0].of(seen.original)
    ('Eva dort', 'Eva')
    """
    shown, offsets = text, OffsetMap.identity(len(text))
    for cleaner in cleaners:
        edits = list(cleaner.edits(shown))  # a cleaner that returns None is broken, not content
        if edits:
            shown, step = apply_edits(shown, edits)
            offsets = offsets.then(step)
    return View(text, shown, offsets)


def named(names: Iterable[str]) -> list[Cleaner]:
    """Load cleaners by the names of their plugins.

    >>> [cleaner.name for cleaner in named(DETECTION)]
    ['fold']
    """
    return [load("cleaners", name) for name in names]
