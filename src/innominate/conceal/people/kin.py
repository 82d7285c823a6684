"""Words about a person: professions, nationalities, civil status, relations. Another one of the same kind and gender.

Relatives: which words tell a relation, and which texts marked as a relation name the relative. MEDDOCAN has one label for
both: `madre`, `hijo de 27 años` and `madre Teresa Rodríguez`. A relation stays; a name gets the surrogate of a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import write_like
from innominate.conceal.people import known_names
from innominate.conceal.people.ages import OLDEST
from innominate.conceal.scope import Scope
from innominate.conceal.vocabulary import vocabulary
from innominate.detect.known.vocabulary import common
from innominate.labels import kind_of
from innominate.languages import language_folder, load_language
from innominate.surrogates.dates import words
from innominate.text.accents import fold_word

_WORD = re.compile(r"[^\W\d_]+")
_TRIES = 20
DESCRIBED = frozenset({"profession", "nationality", "civil", "kin"})
_NUMBER = re.compile(r"\d+")
_BEFORE = re.compile(r"([^\W\d_]{2,14})[ \t\u00a0]?[,(:]?[ \t\u00a0]?\Z")
_REACH = 18  # characters of a word of kin with what stands after it
_LONGEST = 6  # words of the name of a relative


@dataclass(slots=True)
class DescriptionSurrogates:
    """Gives words about people their surrogates, from the lists that the synthetic notes are made with."""

    scope: Scope
    lang: str
    guard: Guard

    def surrogate_of(self, text: str, kind: str) -> str | None:
        """Another entry of the list, of the same gender and with as many words if there is one; None without a list."""
        form = " ".join(fold_word(text).split())
        gender = next((g for g in ("f", "m") if form in _entries(self.lang, kind, g)), "")
        entries = _choices(self.lang, kind, gender, 0)
        if not entries:
            return None
        alike = _choices(self.lang, kind, gender, len(text.split())) or entries
        rng = self.scope.rng("descriptions", kind, form, self.scope.turn(f"{kind} {form}"))
        for choices in (alike, entries):
            for _ in range(_TRIES):
                drawn = choices[int(rng.random() * len(choices))]
                if fold_word(drawn) != form and self.guard.allows(drawn):
                    return write_like(text, drawn[:1].upper() + drawn[1:] if text[:1].isupper() else drawn)
        return None


def is_description(text: str, kind: str, lang: str) -> bool:
    """Say whether all words of a text belong to the list of a kind or are function words: then it holds no name."""
    known = description_words(lang, kind) | vocabulary(lang).function
    return all(fold_word(word) in known for word in _WORD.findall(text)) and not any(map(str.isdigit, text))


@cache
def _entries(lang: str, kind: str, gender: str) -> dict[str, str]:
    """The entries of a list, by folded form; those with a town or a number in them are left out."""
    path = language_folder(lang) / "lexicon" / f"{kind}_{gender}.txt"
    if not path.exists():
        return {}
    lines = [line.split("\t")[0].strip() for line in path.read_text("utf-8").splitlines()]
    return {fold_word(line): line for line in lines if line and not line.startswith("#") and "{" not in line}


@cache
def _choices(lang: str, kind: str, gender: str, words: int) -> tuple[str, ...]:
    """The entries of a gender, or of both, with so many words; 0 for any number."""
    lists = [_entries(lang, kind, one) for one in (gender or "fm")]
    return tuple(entry for one in lists for entry in one.values() if not words or len(entry.split()) == words)


@cache
def description_words(lang: str, kind: str, gender: str = "") -> frozenset[str]:
    """The words that the list of a kind is made of, folded: all of them, or those of a gender."""
    entries = [form for one in (gender or "fm") for form in _entries(lang, kind, one)]
    listed = frozenset(word for form in entries for word in _WORD.findall(form))
    # words in the plural and those of parents and children together, which the lists by gender do not have
    return listed | load_language(lang).kin.words if kind == "kin" and not gender else listed


@lru_cache(maxsize=4096)  # relations are few
def tells_relation(text: str, lang: str) -> bool:
    """Say whether a text tells a relation and names nobody.

    >>> tells_relation("hijo de 27 años", "es"), tells_relation("madre Teresa", "es"), tells_relation("madre, 94", "es")
    (True, False, False)
    >>> tells_relation("Segundo Mayor", "es"), tells_relation("Hermano mayor", "es")
    (False, True)
    """
    found = _WORD.findall(text)
    forms = {fold_word(word) for word in found}
    if any(int(number) > OLDEST for number in _NUMBER.findall(text)) or not forms <= kin_words(lang) | _around(lang):
        return False
    capitals = any(word[0].isupper() for word in found[1:]) and not text.isupper()
    return not capitals and not forms <= _beside(lang)


@lru_cache(maxsize=4096)
def names_person(text: str, lang: str) -> bool:
    """Say whether a text that was marked as a relation names the relative.

    >>> names_person("madre Teresa Rodríguez", "es"), names_person("Nerea", "es"), names_person("familiares cercanos", "es")
    (True, True, False)
    """
    if tells_relation(text, lang) or _NUMBER.search(text):
        return False
    known = kin_words(lang) | _around(lang)
    found = list(enumerate(_WORD.findall(text)))
    rest = [word for i, word in found if fold_word(word) not in known or not _is_plain(word, i, text, lang)]
    return 0 < len(rest) <= _LONGEST and all(_may_name(word, text, lang) for word in rest)


def is_relation(word: str, place: int, text: str, lang: str) -> bool:
    """Say whether a word of a text that names a relative tells the relation: not `Nieto`, which is a name, in `Ana Nieto`.

    >>> is_relation("madre", 0, "madre Ana Nieto", "es"), is_relation("Nieto", 2, "madre Ana Nieto", "es")
    (True, False)
    """
    return fold_word(word) in kin_words(lang) and _is_plain(word, place, text, lang)


def _is_plain(word: str, place: int, text: str, lang: str) -> bool:
    """Whether a word that may be one of kin is no name by its looks; where they say nothing, no list may know it as one."""
    told_by_case = not text.islower() and not text.isupper()
    if word.islower() and (told_by_case or not place):
        return True
    return (not place or not told_by_case) and not any(known_names.weights(fold_word(word), lang))


def _may_name(word: str, text: str, lang: str) -> bool:
    form = fold_word(word)
    if word[0].isupper() and not text.isupper():
        return True
    return form not in common(lang) or any(known_names.weights(form, lang))


def kind_here(label: str, original: str, lang: str) -> str:
    """The kind of a span: that of its label, or a person where the label of relatives stands on a name.

    >>> kind_here("LIEN_DE_PARENTÉ", "mère", "fr"), kind_here("LIEN_DE_PARENTÉ", "Jeanne", "fr")
    ('kin', 'person')
    """
    kind = kind_of(label)
    return "person" if kind == "kin" and names_person(original, lang) else kind


def kin_before(text: str, start: int, lang: str) -> str:
    """The word of kin right before a place in a text, up to that place: `su hija Nerea`, `the wife (Joan`; empty without one.

    >>> kin_before("su hija Nerea", 8, "es"), kin_before("su hija, Nerea", 9, "es"), kin_before("vino Nerea", 5, "es")
    ('hija ', 'hija, ', '')
    """
    found = _BEFORE.search(text, max(0, start - _REACH), start)
    return found[0] if found and fold_word(found[1]) in kin_words(lang) else ""


@lru_cache(maxsize=1024)
def gender_of_kin(text: str, lang: str) -> str:
    """The gender of the relative that a word of kin stands for: f, m, or empty where it does not say.

    >>> gender_of_kin("hija, ", "es"), gender_of_kin("brother ", "en"), gender_of_kin("cousin ", "en")
    ('f', 'm', '')
    """
    found = {fold_word(word) for word in _WORD.findall(text)}
    genders = [gender for gender in ("f", "m") if found & description_words(lang, "kin", gender)]
    return genders[0] if len(genders) == 1 else ""


@cache
def kin_words(lang: str) -> frozenset[str]:
    """The words of kin of a language, folded.

    >>> "hija" in kin_words("es"), "dotter" in kin_words("sv"), "de" in kin_words("es")
    (True, True, False)
    """
    return description_words(lang, "kin") - _beside(lang)


@cache
def _around(lang: str) -> frozenset[str]:
    """Words beside those of kin that name nobody: function words, numbers, ages, sexes."""
    return _beside(lang).union(load_language(lang).sex_words)


@cache
def _beside(lang: str) -> frozenset[str]:
    numbers = frozenset(part for word in words(lang)[:100] for part in _WORD.findall(fold_word(word)))
    return numbers.union(load_language(lang).kin.beside)
