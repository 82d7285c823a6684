"""The originals of a patient, and the question whether a surrogate holds one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from innominate.text.accents import fold_word

SHORTEST = 3  # characters from which on a string identifies; shorter ones are in everything
_WORD = 8  # characters that half of all surrogates have at most, and half of all originals


@dataclass(frozen=True, slots=True)
class Guard:
    """What no surrogate may hold.

    >>> guard = Guard.of(["Ann", "Lausanne", "12"])
    >>> guard.allows("Favre"), guard.allows("Annette"), guard.allows("112")
    (True, False, True)
    """

    originals: tuple[str, ...]  # folded
    short: tuple[str, ...]  # those of them that a single word may hold

    @classmethod
    def of(cls, originals: Iterable[str]) -> Guard:
        """Prepare the originals."""
        return cls.of_forms([fold_word(original.strip()) for original in originals])

    @classmethod
    def of_forms(cls, forms: Iterable[str]) -> Guard:
        """The same, for what is folded already."""
        originals = tuple([form for form in set(forms) if len(form) >= SHORTEST])
        return cls(originals, tuple([form for form in originals if len(form) <= _WORD]))

    def draw_other(self, text: str, draw: Callable[[], str], tries: int = 12) -> str:
        """Draw until something other than a text comes that this allows; the last one, where chance does not find any."""
        for _ in range(tries):
            drawn = draw()
            if drawn != text and self.allows(drawn):
                break
        return drawn

    def allows(self, surrogate: str) -> bool:
        """Say whether a surrogate holds none of the originals, in any case, with or without accents."""
        return self.allows_form(fold_word(surrogate))

    def allows_form(self, form: str) -> bool:
        """The same, for what is folded already."""
        # `all` takes twice as long
        for original in self.short if len(form) <= _WORD else self.originals:  # noqa: SIM110
            if original in form:
                return False
        return True
