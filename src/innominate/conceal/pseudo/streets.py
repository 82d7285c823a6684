"""Surrogates for streets and house numbers: the type of street stays, its name and the numbers change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from innominate.conceal.kinds import read_data
from innominate.conceal.language import LOCALES
from innominate.conceal.pseudo.forms import folded, like, other_characters
from innominate.conceal.pseudo.guard import Guard
from innominate.conceal.scope import Scope
from innominate.surrogates.streets import street_names

_PART = re.compile("[^\\W\\d_](?:[^\\W\\d_]|[\u0300-\u036f'\u2019-])*|\\d+")
_TRIES = 12
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ere"})


@dataclass(frozen=True, slots=True)
class Streets:
    """Gives streets and house numbers their surrogates."""

    scope: Scope
    lang: str
    guard: Guard

    def replaced(self, text: str) -> str:
        """The surrogate of a street with everything that was marked with it: number, floor, flat."""
        parts: list[str] = []
        position = 0
        for start, end, name in self._stretches(text):
            surrogate = self._name(text[start:end]) if name else self.number(text[start:end])
            parts += (text[position:start], surrogate)
            position = end
        return "".join([*parts, text[position:]])

    def number(self, text: str) -> str:
        """The surrogate of a house number, as long as it is and with a letter where it has one."""
        rng = self.scope.rng("places", "number", folded(text), self.scope.turn(f"number {text}"))
        for _ in range(_TRIES):
            drawn = other_characters(text, rng)
            if drawn != text and self.guard.allows(drawn):
                break
        return drawn

    def _stretches(self, text: str) -> list[tuple[int, int, bool]]:
        """Where names and numbers stand; words of a name stand together, with the particles among them."""
        kept = _kept(self.lang)
        found: list[tuple[int, int, bool]] = []
        for part in _PART.finditer(text):
            if part[0][0].isdigit():
                found.append((*part.span(), False))
            elif folded(part[0]) in _ORDINALS and found and found[-1][1] == part.start():
                continue
            elif folded(part[0].rstrip("ºª°")) in kept or (len(part[0]) == 1 and found and not found[-1][2]):
                if len(part[0]) == 1 and found and found[-1][1] == part.start():
                    found[-1] = (found[-1][0], part.end(), False)  # 12B
            elif found and found[-1][2] and not re.search(r"[,;\n(]", text[found[-1][1] : part.start()]):
                found[-1] = (found[-1][0], part.end(), True)
            else:
                found.append((*part.span(), True))
        return found

    def _name(self, text: str) -> str:
        """A name with as many words; in Swedish with the same ending where it has one."""
        form = folded(text)
        words = len(text.split())
        ending = next((end for end in _endings(self.lang) if form.endswith(folded(end))), "")
        names = _names(self.lang, words, ending) or _names(self.lang, words, "") or _names(self.lang, 0, "")
        rng = self.scope.rng("places", "street", form, self.scope.turn(f"street {form}"))
        for _ in range(_TRIES):
            drawn = names[int(rng.random() * len(names))]
            if folded(drawn) != form and self.guard.allows(drawn):
                break
        return like(text, drawn)


@cache
def _kept(lang: str) -> frozenset[str]:
    return frozenset(read_data("streets.toml")["kept"][lang].split())


@cache
def _endings(lang: str) -> tuple[str, ...]:
    return tuple(read_data("streets.toml")["endings"][lang].split())


@cache
def _names(lang: str, words: int, ending: str) -> tuple[str, ...]:
    """Street names with so many words (any number for 0) and an ending."""
    names = street_names(LOCALES[lang])
    return tuple(name for name in names if (not words or len(name.split()) == words) and name.lower().endswith(ending))
