"""Initials: `M.-L. C.` by themselves, `Mme C.` after a title, and `M.-L.` beside a name that was found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from innominate.detect.known.passage import Hit, Passage
from innominate.detect.known.titles import is_after_title
from innominate.detect.known.vocabulary import common, is_particle
from innominate.text.accents import fold_word

_LETTER = r"[A-Z][hH]?"  # Ch. and Ph. are initials too
_GAP = r"[ \t\u00a0-]?"
_DOTTED = re.compile(rf"[A-Z](?<![\w.][A-Z])h?\.{_GAP}(?:{_LETTER}\.{_GAP}){{0,4}}(?:{_LETTER}\.|[A-Z](?!\w))")
_ALONE = re.compile(rf"[A-Z](?<!\w[A-Z])h?(?:\.?{_GAP}{_LETTER}){{0,3}}(?!\w)\.?(?!\w)")
_NAME_AFTER = re.compile(r"[ \t\u00a0-]?([A-Z][^\W\d_]+)")
_INITIAL = re.compile(_LETTER)
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE = re.compile(rf"(?<!\w)((?:{_LETTER}\.?{_GAP}){{1,4}})\Z")
_AFTER = re.compile(rf"([ \t,]{{1,2}})({_LETTER}(?:\.?{_GAP}{_LETTER}){{0,3}}\.?)(?!\w)")


@dataclass(frozen=True, slots=True)
class Initials:
    """The letters a patient's names begin with."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    orders: frozenset[tuple[str, ...]]
    lang: str

    @classmethod
    def of(cls, names: Iterable[tuple[str, str]], lang: str) -> Initials:
        """Prepare the initials of first and last names.

        >>> "mlc" in Initials.of([("first", "Marie-Laure"), ("last", "Christiansen")], "fr").together()
        True
        """
        letters: dict[str, list[str]] = {"first": [], "last": []}
        for kind, name in names:
            words = [word for word in _WORD.findall(fold_word(name)) if not is_particle(word)]
            letters[kind] += (word[0] for word in words)
        first, last = tuple(letters["first"]), tuple(letters["last"])
        orders = {order for one in _beginnings(first) for other in _beginnings(last) for order in (one + other, other + one)}
        return cls(first, last, frozenset(orders), lang)

    def together(self) -> Iterator[str]:
        """Initials as they stand in user names: `mlc`, `ml`, `c`."""
        choices = chain(self.orders, _beginnings(self.first), _beginnings(self.last))
        return ("".join(order) for order in choices)

    def hits(self, passage: Passage) -> list[Hit]:
        """Find initials with full stops, and those after a title."""
        found = [hit for match in _DOTTED.finditer(passage.bare) if (hit := self._dotted(match))]
        for match in _ALONE.finditer(passage.bare):
            letters = _letters(match[0])
            ours = letters in self.orders or (len(letters) == 1 and letters[0] in (*self.last, *self.first))
            if ours and is_after_title(match.start(), passage):
                found.append(Hit(*match.span(), "last"))
        return [hit for hit in found if not self._are_of_the_name_after(hit.end, passage)]

    def _are_of_the_name_after(self, end: int, passage: Passage) -> bool:
        """In `Dr D. Carraux` the initial belongs to the name; in `Mme C. Elle dort` it is one by itself."""
        following = _NAME_AFTER.match(passage.bare, end)
        return following is not None and following[1].lower() not in common(self.lang)

    def _dotted(self, match: re.Match[str]) -> Hit | None:
        """The longest stretch of a run that is the patient's; a run may begin with the `M.` of Monsieur."""
        parts = list(_INITIAL.finditer(match[0]))
        letters = tuple(part[0][0].lower() for part in parts)
        for first in range(len(letters) - 1):
            if letters[first:] in self.orders and len(letters) - first > 1:
                return Hit(match.start() + parts[first].start(), match.end(), "last")
        return None

    def widened(self, hit: Hit, passage: Passage) -> Hit:
        """Take in initials right before or after a name; those of first names go with a last name, and the other way."""
        others = self.first if hit.kind == "last" else (*self.last, *self.first[1:])
        start, end = hit.start, hit.end
        before = _BEFORE.search(passage.bare, max(0, start - 16), start)
        if before and _fits(before[1], others):
            start = before.start(1)
        after = _AFTER.match(passage.bare, end)
        if after and _fits(after[2], others):
            end = after.end()
        return hit._replace(start=start, end=end)


def _fits(text: str, known: Sequence[str]) -> bool:
    """Say whether letters are the beginning of known ones, in order, the first of them included."""
    letters = _letters(text)
    return bool(letters) and letters in set(_beginnings(tuple(known)))


def _letters(text: str) -> tuple[str, ...]:
    """The initials of a run; `ML` without full stops is two.

    >>> _letters("M.-L."), _letters("ML"), _letters("Ch.")
    (('m', 'l'), ('m', 'l'), ('c',))
    """
    return tuple(part[0].lower() for part in re.findall(r"[A-Z]h?", text))


def _beginnings(letters: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All of the letters, the first only, each one, and the first so many.

    >>> _beginnings(("m", "l"))
    [('m',), ('m', 'l'), ('l',)]
    """
    choices = [letters[:n] for n in range(1, len(letters) + 1)] + [(letter,) for letter in letters]
    return list(dict.fromkeys(choices))
