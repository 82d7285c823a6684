"""Addresses of institutions: one becomes the address of a hospital in the town that takes the place of its town."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import write_like
from innominate.conceal.scope import Scope
from innominate.languages import load_language, load_languages
from innominate.surrogates.places import Town
from innominate.surrogates.weighted import Weighted
from innominate.text.accents import fold_word

_TRIES = 8
_FLAT = 2  # flattens the head of a list
_TYPE = re.compile(r"([^\W\d_]+)[./]* *")
# The name of a street and a house number; where there is a floor or a door too, no hospital stands.
_NAMED = re.compile(
    r"(?P<name>(?!(?i:apartado))[^\d,;]*?[^\d,;. ])"
    r"(?P<between> *[,.]? *(?:(?i:n[º°o.]|núm\.?|número) *)?)"
    r"(?P<number>(?i:s/n|km\.? *\d+(?:[.,]\d+)?)|\d+(?:-\d+)?)?"
)
_PARTICLE = re.compile(r"(?:de las|de los|de la|del|de) ")


@dataclass(frozen=True, slots=True)
class Hospital:
    """Where a hospital stands."""

    type: str
    name: str
    number: str
    zip: str


@dataclass(slots=True)
class HospitalAddresses:
    """Gives the addresses of institutions their surrogates."""

    scope: Scope
    lang: str
    guard: Guard

    def instead_of(self, street: str, town: Town) -> Hospital | None:
        """The hospital of a town whose address takes the place of one in a street, or of one that has a postal code only."""
        among = hospitals_by_town(self.lang).get((town.country, town.name))
        if among is None or not (street.isdecimal() or _NAMED.fullmatch(street, len(_type(street)))):
            return None
        rng = self.scope.rng("places", "hospital", fold_word(street), town.name)
        for _ in range(_TRIES):
            drawn = among.draw(rng)
            new = fold_word(drawn.name) not in fold_word(street)
            if new and self.guard.allows(f"{drawn.name} {drawn.number}") and self.guard.allows(drawn.zip):
                return drawn
        return None

    def written(self, hospital: Hospital, street: str) -> str:
        """The street of a hospital, written like another: its type shortened or left out, its number after a comma or not."""
        kind = _type(street)
        found = _NAMED.fullmatch(street, len(kind))
        if found is None:
            return ""
        made = write_like(found["name"], hospital.name)
        if not kind:
            made = _PARTICLE.sub("", made, count=1) if _PARTICLE.match(made) else made
        elif _meant(kind) != fold_word(hospital.type):
            short = _meant(kind) != fold_word(kind.strip(" ./"))
            kind = write_like(street, _shortened(hospital.type) if short else hospital.type) + " " if hospital.type else ""
        if found["number"]:
            plain = hospital.number[0].isdigit() or found["between"].strip() in ("", ",", ".")
            made += (found["between"] if plain else ", ") + hospital.number
        return kind + made


def _type(street: str) -> str:
    """The type of street that an address begins with, and what follows it: `C/ `; empty without one."""
    first = _TYPE.match(street)
    return first[0] if first and fold_word(first[1]) in _types() else ""


def _meant(kind: str) -> str:
    return _types().get(fold_word(kind.strip(" ./")), "")


@cache
def _types() -> Mapping[str, str]:
    """Every way to write a type of street with the type in full, folded."""
    listed = [language.hospitals.types for language in load_languages()]
    return {form: fold_word(kind) for types in listed for kind, forms in types.items() for form in (fold_word(kind), *forms)}


def _shortened(kind: str) -> str:
    return next((one.hospitals.short[kind] for one in load_languages() if kind in one.hospitals.short), kind)


@cache
def hospitals_by_town(lang: str) -> Mapping[tuple[str, str], Weighted[Hospital]]:
    """The hospitals of a language by country and town, the largest drawn most often.

    >>> hospitals_by_town("es")["ES", "Huelva"].values
    (Hospital(type='Ronda', name='Norte', number='s/n', zip='21005'),)
    """
    found = {}
    for town, lines in load_language(lang).hospitals.towns.items():
        standing = [Hospital(*line.split("|")) for line in lines]
        found[load_language(lang).country, town] = Weighted.of({one: 1 / (rank + _FLAT) for rank, one in enumerate(standing)})
    return found
