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
        """Prepare the originals; those that hold a shorter one need no check of their own."""
        found = {folded(original.strip()) for original in originals}
        forms: list[str] = []
        for form in sorted(sorted(found), key=len):
            if len(form) < SHORTEST:
                continue
            for shorter in forms:
                if shorter in form:
                    break
            else:
                forms.append(form)
        return cls(tuple(forms))

    def allows(self, surrogate: str) -> bool:
        """Say whether a surrogate holds none of the originals, in any case, with or without accents."""
        return self.allows_form(folded(surrogate))

    def allows_form(self, form: str) -> bool:
        """The same, for what is folded already."""
        for original in self.originals:  # noqa: SIM110  `all` over a generator takes twice as long
            if original in form:
                return False
        return True
