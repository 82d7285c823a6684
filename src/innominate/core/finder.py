"""Who found a span."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache


class Finder(Enum):
    """The kinds of finders. `Span.source`, as files have it, is the word of one, and after a colon what exactly it was.

    >>> Finder.of("rules:fr.card"), Finder.of("crf"), Finder.of("")
    (<Finder.RULES: 'rules'>, <Finder.MODEL: 'model'>, <Finder.MODEL: 'model'>)
    """

    RULES = "rules"
    KNOWN = "known"  # from the patient file
    AGAIN = "propagated"  # because it was marked elsewhere in the notes of the patient
    MODEL = "model"  # whose source is its own name, or nothing

    @classmethod
    def of(cls, source: str) -> Finder:
        """The finder that the source of a span tells."""
        return _finder_of(source)

    def source(self, detail: str = "") -> str:
        """What files have for it.

        >>> Finder.RULES.source("fr.card"), Finder.AGAIN.source()
        ('rules:fr.card', 'propagated')
        """
        return f"{self.value}:{detail}" if detail else self.value


@lru_cache(maxsize=4096)  # rules, of which there are some hundred, and names of models
def _finder_of(source: str) -> Finder:
    word = source.partition(":")[0]
    return next((finder for finder in Finder if finder.value == word), Finder.MODEL)
