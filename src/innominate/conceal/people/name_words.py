"""The words of a name as it stands in a text: which are names, initials, titles and particles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from innominate.conceal.people.known_names import weights
from innominate.languages import load_language, load_languages, words_of_all
from innominate.text.accents import fold_word

_LETTER = "(?:[^\\W\\d_][\u0300-\u036f]*)"
_WORD = re.compile(f"{_LETTER}+")
_TWO_LETTERS = frozenset({"ch", "ph", "th"})
_BACKWARDS = re.compile(r"[ \t\u00a0]{0,2}\.?([^\W\d_]+)")
_REACH = 16  # characters of a title with what stands after it
_SHORT = 2  # letters of what may be an initial
_HYPHENS = "-\u2010\u2011"
_HYPHENS_SET = frozenset(_HYPHENS)
_APOSTROPHES = "'\u2019`\u00b4"


@dataclass(slots=True)
class NameWord:
    """A word of a name. `sort` is name, initial, title, particle or other; `role` is first or last once it is known."""

    start: int
    end: int
    text: str
    form: str  # folded
    sort: str
    joined: bool = False  # to the word before it, by a hyphen
    dotted: bool = False
    role: str = ""
    gender: str = ""


@dataclass(frozen=True, slots=True)
class _Words:
    titles: Mapping[str, str]  # with the gender of who bears them, or "n"
    ambiguous: Mapping[str, Mapping[str, str]]
    joining: frozenset[str]
    suffixes: frozenset[str]
    particles: frozenset[str]
    special: frozenset[str]  # all of these


def tokenise(text: str, lang: str, offset: int = 0) -> list[NameWord]:
    """Take a name to pieces; `offset` is where it stands.

    >>> [(token.text, token.sort) for token in tokenise("Mme M.-L. de la Fuente", "fr")]
    [('Mme', 'title'), ('M', 'initial'), ('L', 'initial'), ('de', 'particle'), ('la', 'particle'), ('Fuente', 'name')]
    """
    return [
        NameWord(word.start + offset, word.end + offset, word.text, word.form, word.sort, word.joined, word.dotted)
        for word in _name_words(text, lang)
    ]


@lru_cache(maxsize=4096)  # a name stands several times in a note, and those of the staff in many
def _name_words(text: str, lang: str) -> tuple[NameWord, ...]:
    places = [match.span() for match in _WORD.finditer(text)]
    found: list[NameWord] = []
    last = 0
    for start, end in places:
        word = text[start:end]
        form = fold_word(word)
        if ending := genitive_ending(form, lang):  # it stays where it is
            end, word, form = end - len(ending), word[: -len(ending)], form[: -len(ending)]
        joined = bool(last) and start - last in (1, 2) and text[start - 1] in _HYPHENS
        piece = NameWord(start, end, word, form, "name", joined, text[end : end + 1] == ".")
        if len(form) <= _SHORT or form in _words().special:
            around = text[max(0, start - 1) : start], text[end : end + 2]
            piece.sort = _sort(piece, end == places[-1][1], around, lang)
        found.append(piece)
        last = end
    sorts = [piece.sort for piece in found]
    if "name" not in sorts and "initial" not in sorts:  # a title or particle by itself that was marked as a name is one
        for piece in found:
            piece.sort = "initial" if len(piece.text) == 1 else "name"
    if sorts.count("name") != 1:
        _tell_initials(found)
    return tuple(found)


@lru_cache(maxsize=4096)
def genitive_ending(form: str, lang: str) -> str:
    """What a folded name in the genitive ends in, as Swedish ones do; empty for any other word.

    >>> genitive_ending("yusufs", "sv"), genitive_ending("lars", "sv"), genitive_ending("yusufs", "fr")
    ('s', '', '')
    """
    ending = load_language(lang).names.genitive
    if not ending or len(form) <= 3 or not form.endswith(ending) or any(weights(form, lang)):
        return ""
    return ending if any(weights(form.removesuffix(ending), lang)) else ""


def _sort(token: NameWord, is_last: bool, around: tuple[str, str], lang: str) -> str:
    words, form = _words(), token.form
    before, after = around
    if before and before in _APOSTROPHES and form == "s":
        return "other"
    if after and after[0] in _APOSTROPHES and len(form) <= 2 and not is_last:
        return "particle"  # D'Angelo, O'Brien
    if form in words.ambiguous.get(lang, {}) and token.start == 0 and not is_last and not token.text.islower():
        return "title" if after[:1] in (".", " ") and after[1:] not in _HYPHENS_SET else "initial"
    if not is_last and (form in words.titles or form in words.joining) and len(form) > 1:
        return "title"
    if form in words.joining and not is_last and token.text.islower():
        return "title"
    if form in words.particles and not is_last:
        return "particle"
    if form in words.suffixes and token.start > 0 and len(form) > 1:
        return "other"
    if len(form) == 1 or (form in _TWO_LETTERS and token.dotted):
        return "initial"
    return "name"


def _tell_initials(pieces: list[NameWord]) -> None:
    """A word that is the only one, short and in capitals is left a name; `M` and `ML` beside a name are initials."""
    names = [piece for piece in pieces if piece.sort == "name"]
    short = [piece for piece in names if len(piece.text) == 2 and piece.text.isupper() and not piece.joined]
    if len(names) > 1 and any(piece.text.istitle() for piece in names):
        for piece in short:
            piece.sort = "initial"


@lru_cache(maxsize=1)
def _words() -> _Words:
    names = {language.code: language.names for language in load_languages()}
    titles = {fold_word(word): gender for one in names.values() for gender, words in one.titles.items() for word in words}
    joining, suffixes = words_of_all(lambda one: one.names.joining), words_of_all(lambda one: one.names.suffixes)
    particles = frozenset(fold_word(word.rstrip(".")) for word in words_of_all(lambda one: one.names.particles))
    ambiguous = {code: one.initials_or_titles for code, one in names.items()}
    special = joining.union(titles, suffixes, particles, *ambiguous.values())
    return _Words(titles, ambiguous, joining, suffixes, particles, special)


def word_before(text: str, start: int) -> str:
    """The word right before a place in a text, with or without a full stop; empty if there is none.

    >>> word_before("vu par Dr. Rochat", 11), word_before("le 3 Rochat", 5)
    ('Dr', '')
    """
    # read backwards, because a pattern that has to end at the place would be tried from every letter before it
    found = _BACKWARDS.match(text[max(0, start - _REACH) : start][::-1])
    return found[1][::-1] if found else ""


@lru_cache(maxsize=4096)
def title_gender(word: str, lang: str) -> str:
    """The gender of who bears a title: f, m, n where it tells nothing, or empty for a word that is none.

    >>> title_gender("Mme", "fr"), title_gender("Dr", "fr"), title_gender("Eva", "fr")
    ('f', 'n', '')
    """
    form = fold_word(word)
    return _words().titles.get(form) or _words().ambiguous.get(lang, {}).get(form, "")


@cache
def given_titles() -> frozenset[str]:
    """Titles that stand before first names, folded: `Don Luis`, `Dª Engracia`."""
    return words_of_all(lambda language: language.names.given_titles)
