"""Surrogates for streets and house numbers: the type of street stays, its name and the numbers change."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from innominate.conceal.guard import Guard
from innominate.conceal.people.names import NameSurrogates
from innominate.conceal.places.house_numbers import draw_house_number, last_of_range
from innominate.conceal.places.places import PlaceSurrogates
from innominate.conceal.places.street_names import PART, StreetNameSurrogates, titles_before
from innominate.conceal.scope import Scope
from innominate.languages import load_language
from innominate.text.accents import fold_word

_BREAK = re.compile(r"[,;\n(]")
_BEFORE = re.compile(r"([^\W\d_]+)[.ºª]*\s*\Z")
_TRIES = 12
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ere"})
_RANGE = frozenset({"-", "–", " - ", "/"})
_ZIP = 5  # digits of a Spanish postal code; no house has as many


@dataclass(slots=True)
class StreetSurrogates:
    """Gives streets and house numbers their surrogates."""

    scope: Scope
    lang: str
    guard: Guard
    names: NameSurrogates
    places: PlaceSurrogates
    _called: StreetNameSurrogates = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._called = StreetNameSurrogates(self.lang, self.names, self.places)

    def surrogate_of(self, text: str) -> str:
        """The surrogate of a street with everything that was marked with it: number, floor, flat."""
        parts: list[str] = []
        position = 0
        previous = drawn = ""
        for start, end, name in self._stretches(text):
            between, original = text[position:start], text[start:end]
            if name:
                before = _BEFORE.search(text, 0, start)
                drawn = self._called.other(original, fold_word(before[1]) if before else "")
            else:
                follows = last_of_range(previous, original, drawn) if between in _RANGE else ""
                drawn = follows if follows and self.guard.allows(follows) else self._numbered(original)
            parts += (between, drawn)
            position, previous = end, original
        return "".join([*parts, text[position:]])

    def _numbered(self, text: str) -> str:
        if load_language(self.lang).streets.zip_among_numbers and len(text) == _ZIP and text.isdecimal():
            return self.places.zip(text)
        return self.number(text)

    def number(self, text: str) -> str:
        """The surrogate of a house number, as long as it is and with a letter where it has one."""
        rng = self.scope.rng("places", "number", fold_word(text), self.scope.turn(f"number {text}"))
        for _ in range(_TRIES):
            drawn = draw_house_number(text, rng)
            if drawn != text and self.guard.allows(drawn):
                break
        return drawn

    def _stretches(self, text: str) -> list[tuple[int, int, bool]]:
        """Where names and numbers stand; words of a name stand together, with the particles among them."""
        stay, titles = load_language(self.lang).streets.kept, titles_before(self.lang)
        found: list[tuple[int, int, bool]] = []
        titled = False  # the name of somebody begins
        for part in PART.finditer(text):
            word, (start, end) = part[0], part.span()
            if word[0].isdigit():
                found.append((start, end, False))
                continue
            adjoins = bool(found) and found[-1][1] == start
            if adjoins and self._is_ordinal(word):
                continue
            if self._stays(part, stay) or (len(word) == 1 and found and not found[-1][2]):
                titled = fold_word(word) in titles
                if len(word) == 1 and adjoins:
                    found[-1] = (found[-1][0], end, False)  # 12B
            elif found and found[-1][2] and not titled and not _BREAK.search(text, found[-1][1], start):
                found[-1] = (found[-1][0], end, True)
            else:
                found.append((start, end, True))
                titled = False
        return found

    def _stays(self, part: re.Match[str], stay: frozenset[str]) -> bool:
        form = fold_word(part[0].rstrip("ºª°"))
        return form in stay and not (part.start() and form in load_language(self.lang).streets.kept_first)

    def _is_ordinal(self, word: str) -> bool:
        """`5th`, `1er`, and in Spanish `5o`, `5a` and `5oD`, which are floors and doors, beside flat `5B`."""
        floor = load_language(self.lang).streets.floor
        return fold_word(word) in _ORDINALS or (bool(floor) and re.fullmatch(floor, word) is not None)
