"""Surrogates for streets and house numbers: the type of street stays, its name and the numbers change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from innominate.conceal.kinds import read_data
from innominate.conceal.language import LOCALES
from innominate.conceal.pseudo.forms import folded, house_number, like
from innominate.conceal.pseudo.guard import Guard
from innominate.conceal.pseudo.names import Names
from innominate.conceal.pseudo.places import Places
from innominate.conceal.scope import Scope
from innominate.surrogates.streets import street_names

_LETTER = "[^\\W\\d_\u00aa\u00ba]"
_PART = re.compile(f"(?i:s/n)\\b|{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['\u2019-](?={_LETTER}))*|\\d+")
_TRIES = 12
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ere"})
_LEADS = frozenset({"de", "del", "la", "las", "los", "el", "des", "du", "le", "les", "d", "l"})  # before the name of a street


@dataclass(slots=True)
class Streets:
    """Gives streets and house numbers their surrogates."""

    scope: Scope
    lang: str
    guard: Guard
    names: Names
    places: Places

    def replaced(self, text: str) -> str:
        """The surrogate of a street with everything that was marked with it: number, floor, flat."""
        parts: list[str] = []
        position = numbers = 0
        for start, end, name in self._stretches(text):
            surrogate = self._name(text[start:end]) if name else self.number(text[start:end], inside=numbers > 0)
            parts += (text[position:start], surrogate)
            position, numbers = end, numbers + (not name)
        return "".join([*parts, text[position:]])

    def number(self, text: str, *, inside: bool = False) -> str:
        """The surrogate of a house number, as long as it is and with a letter where it has one; `inside` are floors, doors."""
        rng = self.scope.rng("places", "number", folded(text), self.scope.turn(f"number {text}"))
        for _ in range(_TRIES):
            drawn = house_number(text, rng, inside=inside)
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
            elif self._is_ordinal(part[0]) and found and found[-1][1] == part.start():
                continue
            elif folded(part[0].rstrip("ºª°")) in kept or (len(part[0]) == 1 and found and not found[-1][2]):
                if len(part[0]) == 1 and found and found[-1][1] == part.start():
                    found[-1] = (found[-1][0], part.end(), False)  # 12B
            elif found and found[-1][2] and not re.search(r"[,;\n(]", text[found[-1][1] : part.start()]):
                found[-1] = (found[-1][0], part.end(), True)
            else:
                found.append((*part.span(), True))
        return found

    def _is_ordinal(self, word: str) -> bool:
        """`5th`, `1er`, and in Spanish `5o` and `5a`, which are floors and doors, beside flat `5B`."""
        return folded(word) in _ORDINALS or (self.lang == "es" and word in ("o", "a"))

    def _name(self, text: str) -> str:
        """A name with as many words, the same particles before it, and in Swedish the same ending."""
        form = folded(text)
        names = self._fitting(text, form)
        if not names:
            return self._named_after(text)
        rng = self.scope.rng("places", "street", form, self.scope.turn(f"street {form}"))
        for _ in range(_TRIES):
            drawn = names[int(rng.random() * len(names))]
            if folded(drawn) != form and self.guard.allows(drawn):
                break
        return like(text, drawn)

    def _fitting(self, text: str, form: str) -> tuple[str, ...]:
        """Names of the list; none in Spanish for streets that bear the name of a person or a town, as most do."""
        words = len(text.split())
        if self.lang in ("es", "fr"):
            lead = _lead(form)
            if lead and (found := _led(self.lang, words, lead)) and not (lead == "de" and self.lang == "es"):
                return found
            if self.lang == "es":
                return ()
        ending = next((end for end in _endings(self.lang) if form.endswith(folded(end))), "")
        return _names(self.lang, words, ending) or _names(self.lang, words, "") or _names(self.lang, 0, "")

    def _named_after(self, text: str) -> str:
        """Word for word: a town becomes a town, a first name a first name, anything else a surname; particles stay."""
        if self.places.is_near(text):
            return self.places.city(text)
        return _PART.sub(lambda part: self._word(part[0]), text)

    def _word(self, word: str) -> str:
        form, people = folded(word), self.names.people
        if form in _LEADS or form in ("y", "i", "e") or form in _kept(self.lang) or word[0].isdigit():
            return word
        if len(form) == 1:
            return like(word, self.names.letter(form, "first").upper()) if form.isascii() else word
        role = people.role(form) or people.leaning(form)
        if not role and self.places.is_near(word):
            return self.places.city(word)
        role = role or "last"
        return like(word, self.names.alike(form, role, people.gender(form) if role == "first" else ""))


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


def _lead(form: str) -> str:
    """The particles before a name: `de la` of `de la gare`."""
    words = form.replace("'", " ").split()
    lead = []
    while words and words[0] in _LEADS:
        lead.append(words.pop(0))
    return " ".join(lead) if words else ""


@cache
def _led(lang: str, words: int, lead: str) -> tuple[str, ...]:
    """Street names with so many words after the same particles; `los Olivos` is `de los Olivos` without its `de`."""
    names = street_names(LOCALES[lang])
    found = [name for name in names if len(name.split()) == words and _lead(folded(name)) == lead]
    if not found and lead in ("la", "las", "los", "el"):
        found = [name.removeprefix("de ") for name in names if _lead(folded(name)) == f"de {lead}"]
    return tuple(found)
