"""Surrogates for numbers and codes: the format stays, check digits are right, and no number is one that was issued."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import other_characters, write_into
from innominate.conceal.numbers.check_digits import draw_checked_number, draw_slipped_number
from innominate.conceal.scope import Scope
from innominate.conceal.vocabulary import read_data
from innominate.surrogates.weighted import Dice
from innominate.text.accents import fold_word

_SSN = re.compile(r"(\d{3})(\D?)(\d{2})(\D?)(\d{4})")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?=[-/.]\d)")
_RUN = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_WORDS = re.compile(r"[^\W\d_]?[^\W\d_A-Z]{3,}")


@dataclass(slots=True)
class IdSurrogates:
    """Gives identifiers their surrogates; `days` is the shift of the patient's dates, for numbers that hold a birth date."""

    scope: Scope
    guard: Guard
    days: int

    def surrogate_of(self, text: str, label: str = "") -> str:
        """The surrogate of an identifier. The separators take no part, so that two layouts of a number stay one number."""
        compact = text if text.isalnum() else "".join([character for character in text if character.isalnum()])
        form = fold_word(compact)
        rng = self.scope.rng("ids", form, self.scope.turn(f"id {form}"))
        return self.guard.draw_other(text, lambda: self._drawn(text, compact, label, rng))

    def _drawn(self, text: str, compact: str, label: str, rng: Dice) -> str:
        if "SSN" in label and (found := _SSN.fullmatch(text)):
            # areas from 900 on were never issued; groups up to 49 keep clear of taxpayer numbers
            area, group = f"9{int(rng.random() * 100):02d}", f"{1 + int(rng.random() * 49):02d}"
            return f"{area}{found[2]}{group}{found[4]}{int(rng.random() * 10000):04d}"
        checked = draw_checked_number(compact, rng, self.days) or draw_slipped_number(text, rng, self.days)
        if checked is not None and len(checked) == len(compact):
            return write_into(text, checked, str.isalnum)
        return self._free(text, rng)

    def _free(self, text: str, rng: Dice) -> str:
        """Character for character; words that say what the number is stay, and a year becomes another year."""
        kept = _kept()
        if text.isdecimal():
            return other_characters(text, rng)
        parts: list[str] = []
        years = {match.start() for match in _YEAR.finditer(text)}
        for match in _RUN.finditer(text):
            run = match[0]
            if 1 < len(run) < len(text) and fold_word(run) in kept:
                parts.append(run)
            elif match.start() in years:
                parts.append(str(2005 + int(rng.random() * 18)))
            else:
                parts.append(other_characters(run, rng))
        return "".join(parts)


def is_number(text: str) -> bool:
    """Say whether a text is a number or code, and not words that were marked as one.

    >>> is_number("NHC-123456"), is_number("Residente de 5° año"), is_number("ABCD")
    (True, False, True)
    """
    if text.isdecimal():
        return True
    words = [word for word in _WORDS.findall(text) if fold_word(word) not in _kept()]
    return not words and (text.isupper() or any(map(str.isdigit, text)))


@cache
def _kept() -> frozenset[str]:
    """Words in front of numbers that are part of their format."""
    return frozenset(read_data("ids.toml")["kept"].split())
