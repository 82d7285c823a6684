"""The data of this package, and its word lists of organisations and places, ready to ask."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from innominate.languages import load_language
from innominate.surrogates.weighted import Weighted
from innominate.text.accents import fold_word

_FLAT = 10  # flattens the head of a ranked list


@cache
def read_data(name: str) -> Mapping[str, Any]:
    """Read one of this package's TOML files, once."""
    return tomllib.loads((files("innominate.conceal") / "data" / name).read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class CareWords:
    """Words of one language that say what an organisation or a place is, not which one."""

    function: frozenset[str]
    generic: frozenset[str]
    endings: tuple[str, ...]
    stems: tuple[str, ...]  # that make a compound with an ending of one treatment of another
    stem_forms: frozenset[str]
    specialties: tuple[str, ...]
    specialty_forms: frozenset[str]
    qualifiers: tuple[str, ...]
    units: Mapping[str, tuple[str, ...]]  # each with those that agree with it
    demonyms: Mapping[str, tuple[str, ...]]  # each with those that agree with it
    of_places: frozenset[str]

    def ending_of(self, form: str) -> str:
        """The ending of a folded compound that says what a unit is, and whom or what it treats; empty for any other word.

        >>> vocabulary("sv").ending_of("kirurgmottagningen"), vocabulary("sv").ending_of("hagamottagningen")
        ('mottagningen', '')
        """
        for ending in self.endings:
            if form.endswith(ending) and form[: -len(ending)] in self.stem_forms:
                return ending
        return ""


@cache
def vocabulary(lang: str) -> CareWords:
    """The words of a language.

    >>> "hopital" in vocabulary("fr").generic, vocabulary("fr").demonyms["vaudois"][1]
    (True, 'valaisan')
    """
    data = load_language(lang).organisations
    return CareWords(
        data.function,
        frozenset(map(fold_word, data.care)),
        data.endings,
        data.stems,
        frozenset(map(fold_word, (*data.stems, *data.more_stems))),
        data.specialties,
        frozenset(map(fold_word, data.specialties)),
        data.qualifiers,
        _grouped(data.units),
        _grouped(data.demonyms),
        load_language(lang).places.generic,
    )


def _grouped(groups: Sequence[tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    return {fold_word(word): group for group in groups for word in group}


@cache
def firms(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Names of firms by folded form, each with those of its sort that have as many words.

    >>> firms("fr")["nestle"][1], firms("fr")["novartis"][0], "favre" in firms("fr")
    ('Migros', 'Pfizer', False)
    """
    makers = [tuple(name.strip() for name in group.split("|")) for group in read_data("firms.toml")["makers"]]
    found: dict[str, tuple[str, ...]] = {}
    for names in (*makers, *load_language(lang).organisations.firms):
        for name in names:
            found[fold_word(name)] = tuple(other for other in names if len(other.split()) == len(name.split()))
    return found


@dataclass(frozen=True, slots=True)
class Institutions:
    """What places of care are called after, by number of words, drawn by how well known they are."""

    by_words: Mapping[int, Weighted[str]]
    forms: frozenset[str]
    saints: frozenset[str]  # words that belong to the name after them
    beginnings: frozenset[str]  # the first words of the names


@cache
def institutions(lang: str) -> Institutions:
    """The names of a language.

    >>> institutions("es").by_words[3].values[:2]
    ('12 de Octubre', 'Ramón y Cajal')
    """
    data = load_language(lang).organisations
    names = list(dict.fromkeys(data.names))
    by_words: dict[int, dict[str, float]] = {}
    for rank, name in enumerate(names):
        by_words.setdefault(len(name.split()), {})[name] = 1 / (rank + _FLAT)
    drawn = {count: Weighted.of(weights) for count, weights in by_words.items()}
    forms = frozenset(map(fold_word, names))
    return Institutions(drawn, forms, data.saints, frozenset(form.split()[0] for form in forms))
