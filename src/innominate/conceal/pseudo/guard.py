"""The originals of a patient, and the question whether a surrogate holds one of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from innominate.conceal.pseudo.forms import folded

SHORTEST = 3  # characters from which on a string identifies; shorter ones are in everything


@dataclass(frozen=True, slots=True)
class Guard:
    """What no surrogate may hold.

    >>> guard = Guard.of(["Ann", "Lausanne", "12"])
    >>> guard.allows("Favre"), guard.allows("Annette"), guard.allows("112")
    (True, False, True)
    """

    originals: tuple[str, ...]

    @classmethod
    def of(cls, originals: Iterable[str]) -> Guard:
        """Prepare the originals."""
        forms = {folded(original.strip()) for original in originals}
        return cls(tuple(sorted([form for form in forms if len(form) >= SHORTEST], key=len)))

    def allows(self, surrogate: str) -> bool:
        """Say whether a surrogate holds none of the originals, in any case, with or without accents."""
        return self.allows_form(folded(surrogate))

    def allows_form(self, form: str) -> bool:
        """The same, for what is folded already."""
        return True not in map(form.__contains__, self.originals)  # no bytecode for each of the originals
