"""Sentences of hospital notes: abbreviations, lists, headings, broken lines, missing spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from innominate.languages import read_lines, words_of_all

# What may stand between the end of a sentence and the first letter of the next one.
_OPENERS = "\"'«“‘([{¿¡*-–—•\u00a0 \t"

# A run of marks that may end a sentence with the quotes and brackets that close after it, or the end of a line.
_END = re.compile(r"(?P<stop>[.!?…]+)(?:[\"'»”’)\]}]|[ \u00a0\u202f]»)*|(?P<newline>\n)")

# A line of a list: `- `, `* `, `1. `, `2) `, `a) `.
_ITEM = re.compile(r"[ \t]*(?:[-–—*•·+>]+[ \t]|\d{1,3}[.)][ \t]|[a-zA-Z]\)[ \t])")

_WORD_BEFORE = re.compile(r"[^\s(\[{\"'«“‘’,;:/]*\Z")

# No abbreviation is longer; looking back only so far keeps a text without spaces linear.
_LONGEST = 24


@dataclass(frozen=True, slots=True)
class _Abbreviations:
    """What ends with a full stop that is no end (`never`), and what is one only before a capital letter (`perhaps`)."""

    never: frozenset[str]
    perhaps: frozenset[str]


def sentences(text: str, lang: str) -> list[tuple[int, int]]:
    """Return where the sentences stand, without the white space around them.

    >>> text = "Dr. Lind såg pat. kl. 8. Mår bra, t.ex. ingen feber."
    >>> [text[start:end] for start, end in sentences(text, "sv")]
    ['Dr. Lind såg pat. kl. 8.', 'Mår bra, t.ex. ingen feber.']
    """
    found = []
    start = 0
    for end in (*_ends(text, _abbreviations(lang)), len(text)):
        sentence = text[start:end]
        if stripped := sentence.strip():
            left = start + len(sentence) - len(sentence.lstrip())
            found.append((left, left + len(stripped)))
        start = end
    return found


def _ends(text: str, abbreviations: _Abbreviations) -> Iterator[int]:
    """Yield the positions where a sentence ends."""
    for end in _END.finditer(text):
        if end["newline"]:
            if not _continues(text, end.start(), abbreviations):
                yield end.start()
        elif _stops(text, end, abbreviations):
            yield end.end()


def _continues(text: str, newline: int, abbreviations: _Abbreviations) -> bool:
    """Say whether the sentence goes on in the next line: it starts in lower case, or this one cannot end here."""
    after = text[newline + 1 : newline + 1 + _LONGEST]
    if not after or after[0] in "\r\n" or not after.strip() or _ITEM.match(after):
        return False
    before = text[max(0, newline - _LONGEST) : newline].rstrip()
    if not before or before[-1] in ":;!?…":
        return False
    if before[-1] == ".":
        return _word_before(before, len(before)).lower() in abbreviations.never
    return before[-1] in ",(" or after.lstrip()[0].islower()


def _stops(text: str, end: re.Match[str], abbreviations: _Abbreviations) -> bool:
    """Say whether marks in a line end a sentence."""
    following = _first_letter(text, end.end())
    if end.end() < len(text) and not text[end.end()].isspace():
        return _lacks_space(text, end, abbreviations)
    if following.islower():
        return False
    if end["stop"] != ".":
        return True
    word = _word_before(text, end.start("stop") + 1)
    if _is_kind(text, end.start(), word):
        return True
    if word.lower() in abbreviations.never or _is_item_number(text, end.start(), word):
        return False
    if word.lower() in abbreviations.perhaps:
        return following.isupper() or not following
    return not (following.isupper() and _is_initials(word))


def _lacks_space(text: str, end: re.Match[str], abbreviations: _Abbreviations) -> bool:
    """Say whether a sentence ends although the next one follows without a space: `douleur.Le patient`."""
    after = text[end.end() : end.end() + 2]
    word = _word_before(text, end.start("stop") + 1)
    letters = word.rstrip(".!?…")
    return (
        len(after) == 2
        and after[0].isupper()
        and (after[1].islower() or after[1] in " '’")
        and len(letters) > 2
        and letters.isalpha()
        and (letters[-2:].islower() or letters.isupper())
        and word.lower() not in abbreviations.never
    )


def _is_item_number(text: str, stop: int, word: str) -> bool:
    """Say whether the full stop belongs to the number of a list item, as in `2. Paracetamol`."""
    before = text[max(0, stop - _LONGEST) : stop].rpartition("\n")[2]
    return word[:-1].isdigit() and len(word) <= 4 and before.strip() == word[:-1]


def _is_kind(text: str, stop: int, word: str) -> bool:
    """Say whether a single letter names a kind and not a person: `hepatit B.`"""
    return len(word) == 2 and _word_before(text, stop - 1, skip_space=True).lower() in _lettered()


def _is_initials(word: str) -> bool:
    """Say whether single capital letters are short for names: `J.`, `M.-L.`"""
    parts = [part for part in re.split(r"[.-]", word) if part]
    return bool(parts) and all(len(part) == 1 and part.isupper() for part in parts)


def _word_before(text: str, end: int, *, skip_space: bool = False) -> str:
    """Return the characters up to `end` that stand together without a space."""
    before = text[max(0, end - _LONGEST) : end]
    found = _WORD_BEFORE.search(before.rstrip() if skip_space else before)
    return found[0] if found else ""


def _first_letter(text: str, position: int) -> str:
    """Return the first character after a stop that is no white space, quote, bracket or bullet, in the same line."""
    for character in text[position : position + _LONGEST]:
        if character == "\n":
            return ""
        if character not in _OPENERS and not character.isspace():
            return character
    return ""


@cache
def _abbreviations(lang: str) -> _Abbreviations:
    entries = [line.lower().rpartition(".") for line in read_lines(lang, "abbreviations.txt")]
    perhaps = frozenset(f"{word}." for word, _, end in entries if end.strip() == "end")
    return _Abbreviations(frozenset(f"{word}." for word, _, _ in entries) - perhaps, perhaps)


@cache
def _lettered() -> frozenset[str]:
    return words_of_all(lambda language: language.lettered)
