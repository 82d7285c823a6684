"""Find again what was marked once: a name, a number or an address that also stands unmarked elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from innominate.conceal.people.kin import kind_here
from innominate.conceal.people.name_words import title_gender, tokenise, word_before
from innominate.conceal.scope import language_of
from innominate.conceal.vocabulary import vocabulary
from innominate.core import Document, Finder, Span
from innominate.detect.known.vocabulary import common
from innominate.detect.rules.sources import COMMON, list_entries
from innominate.labels import kinds
from innominate.languages import load_language
from innominate.text.accents import fold_in_place

_SHORT_NAME, _SHORT_NUMBER, _SHORT_PLACE = 3, 5, 4
_WORD = re.compile(r"[^\W\d_]+")
_IN_SENTENCE = re.compile(r"[^\W\d_A-Z],?[ \t\u00a0]\Z")


class Needle(NamedTuple):
    """What to look for, folded, and the label to give it. A careful one counts only with a capital, as names have."""

    form: str
    label: str
    careful: bool = False
    ordinary: bool = False  # also a word: only after a title or in the middle of a sentence
    eponym: bool = False  # only after a title


def gather_needles(document: Document, lang: str = "") -> list[Needle]:
    """What a document marks that is worth looking for elsewhere."""
    return list(dict.fromkeys(_needles(document, language_of(document, lang))))


def find_again(document: Document, wanted: Sequence[Needle], lang: str) -> tuple[Span, ...]:
    """The unmarked places of a note where a needle stands, the longest first.

    >>> from innominate.core import annotated
    >>> note = annotated("[Eva Holm](PATIENT) came. Holm slept, MRN [1234567](IDNUM), 1234567.")
    >>> [(span.of(note.text), span.label) for span in find_again(note, gather_needles(note, "en"), "en")]
    [('Holm', 'PATIENT'), ('1234567', 'IDNUM')]
    """
    text = document.text
    low = _low(text)
    taken = bytearray(len(text))
    for span in document.spans:
        taken[span.start : span.end] = b"\1" * len(span)
    found: list[Span] = []
    for needle in sorted(wanted, key=lambda needle: (-len(needle.form), needle.form, needle.label)):
        size = len(needle.form)
        start = low.find(needle.form)
        while start >= 0:
            end = start + size
            if taken.find(1, start, end) < 0 and _stands_alone(text, start, end) and _counts(needle, text, start, lang):
                taken[start:end] = b"\1" * size
                found.append(Span(start, end, needle.label, source=Finder.AGAIN.source()))
            start = low.find(needle.form, end)
    return tuple(sorted(found))


def _low(text: str) -> str:
    """A text folded, as long as it was."""
    try:
        return text.encode("latin-1").translate(_latin()).decode("latin-1")  # one pass, ten times faster
    except UnicodeEncodeError:
        low = fold_in_place(text)
    if len(low) != len(text):  # a letter that becomes two in lower case
        low = "".join(letter if len(letter) == 1 else "\0" for letter in map(fold_in_place, text))
    return low


@cache
def _latin() -> bytes:
    return "".join(fold_in_place(chr(code)) for code in range(256)).encode("latin-1")


def _needles(document: Document, lang: str) -> Iterator[Needle]:
    text = document.text
    for span in document.spans:
        again = kinds()[kind_here(span.label, text[span.start : span.end], lang)].again
        if again == "name":
            yield from _name_needles(text[span.start : span.end], span.label, lang)
            continue
        if not again:
            continue
        form = fold_in_place(text[span.start : span.end].strip())
        if again == "number":
            if sum(map(str.isdigit, form)) >= _SHORT_NUMBER:
                yield Needle(form, span.label)
        elif len(form) >= _SHORT_PLACE and (again != "place" or _tells(form, lang)):
            yield Needle(form, span.label, again == "place")


@lru_cache(maxsize=4096)  # names stand several times in a note
def _name_needles(original: str, label: str, lang: str) -> tuple[Needle, ...]:
    names = [fold_in_place(word.text) for word in tokenise(original, lang) if word.sort == "name"]
    whole = [Needle(fold_in_place(original.strip()), label)] if len(names) > 1 else []
    if genitive := load_language(lang).names.genitive:  # a name is found in the genitive as well
        names += [f"{form}{genitive}" for form in names if not form.endswith(genitive)]
    parts = [Needle(form, label, True, form in common(lang), form in _eponyms()) for form in names if len(form) >= _SHORT_NAME]
    return (*whole, *parts)


@lru_cache(maxsize=4096)  # the places of a region are few
def _tells(form: str, lang: str) -> bool:
    """Say whether a place or an organisation is more than ordinary words."""
    known, ordinary = vocabulary(lang), common(lang)
    words = _WORD.findall(form)
    return any(word not in known.generic and word not in known.function and word not in ordinary for word in words)


def _counts(needle: Needle, text: str, start: int, lang: str) -> bool:
    if needle.careful and not text[start].isupper():
        return False
    if not (needle.ordinary or needle.eponym):
        return True
    before = word_before(text, start)
    if before and title_gender(before, lang):
        return True
    return not needle.eponym and _IN_SENTENCE.search(text, max(0, start - 4), start) is not None


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not ((before.isalnum() and text[start].isalnum()) or (after.isalnum() and text[end - 1].isalnum()))


@cache
def _eponyms() -> frozenset[str]:
    entry = COMMON / "lists" / "eponym_names.txt"
    return frozenset(fold_in_place(line) for line in list_entries(entry.read_text(encoding="utf-8")))
