"""The untidiness of real notes, put into training notes on the fly; marks stay where they belong."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from random import Random

from innominate.core import Document, Edit, Span, apply_edits

_LOOKALIKES = {"o": "0", "O": "0", "l": "1", "I": "l", "i": "l", "0": "O", "1": "l", "5": "S", "S": "5", "m": "rn", "e": "c"}
_BLANKS = re.compile(r"(?<=\S) (?=\S)")
_LINES = re.compile(r"(?<=[^\n])\n(?=[^\n])")
_STOPS = re.compile(r"[.,;:](?=\s|$)")

Noise = Callable[[Document, Random], Document]


def add_noise(document: Document, rng: Random) -> Document:
    """Most notes stay as they are; some are written as badly as real ones."""
    for share, noise in KINDS:
        if rng.random() < share:
            document = noise(document, rng)
    return document


def in_capitals(document: Document, rng: Random) -> Document:
    """The whole note in capitals."""
    return _each_letter(document, str.upper)


def in_small_letters(document: Document, rng: Random) -> Document:
    """The whole note in small letters."""
    return _each_letter(document, str.lower)


def without_accents(document: Document, rng: Random) -> Document:
    """Letters lose their accents."""
    return _each_letter(document, _strip_accent)


def with_capital_lines(document: Document, rng: Random) -> Document:
    """Some lines in capitals, as headers of forms."""
    lines = document.text.split("\n")
    changed = "\n".join(line.upper() if rng.random() < 0.3 and len(line.upper()) == len(line) else line for line in lines)
    return Document(document.id, changed, document.spans, document.meta)


def with_lookalikes(document: Document, rng: Random) -> Document:
    """Letters and digits that a scanner mistook."""
    rate = rng.uniform(0.01, 0.06)
    edits = [
        Edit(at, at + 1, _LOOKALIKES[sign])
        for at, sign in enumerate(document.text)
        if sign in _LOOKALIKES and rng.random() < rate
    ]
    return edit_document(document, edits)


def with_lost_blanks(document: Document, rng: Random) -> Document:
    """Words that stick together."""
    rate = rng.uniform(0.01, 0.06)
    return edit_document(
        document, [Edit(at.start(), at.end(), "") for at in _BLANKS.finditer(document.text) if rng.random() < rate]
    )


def with_other_lines(document: Document, rng: Random) -> Document:
    """Lines joined, or broken at a width, or parted twice."""
    way = rng.randrange(3)
    if way == 0:
        return edit_document(document, [Edit(at.start(), at.end(), " ") for at in _LINES.finditer(document.text)])
    if way == 1:
        return edit_document(document, [Edit(at.start(), at.end(), "\n\n") for at in _LINES.finditer(document.text)])
    width = rng.randrange(30, 90)
    edits, begin = [], 0
    for blank in _BLANKS.finditer(document.text):
        begin = max(begin, document.text.rfind("\n", begin, blank.start()) + 1)
        if blank.start() - begin > width:
            edits.append(Edit(blank.start(), blank.end(), "\n"))
            begin = blank.end()
    return edit_document(document, edits)


def with_more_blanks(document: Document, rng: Random) -> Document:
    """Blanks doubled, or tabs in their place."""
    new = rng.choice(("  ", "\t", "   "))
    return edit_document(
        document, [Edit(at.start(), at.end(), new) for at in _BLANKS.finditer(document.text) if rng.random() < 0.08]
    )


def without_stops(document: Document, rng: Random) -> Document:
    """Dictation without commas and full stops."""
    return edit_document(
        document, [Edit(at.start(), at.end(), "") for at in _STOPS.finditer(document.text) if rng.random() < 0.8]
    )


def with_typing_slips(document: Document, rng: Random) -> Document:
    """Letters left out, doubled, or changed with their neighbour."""
    rate = rng.uniform(0.003, 0.02)
    edits = []
    for at, sign in enumerate(document.text[:-1]):
        if sign.isalpha() and rng.random() < rate:
            edits.append(Edit(at, at + 1, rng.choice(("", sign * 2, sign + rng.choice("aeinrst")))))
    return edit_document(document, edits)


def as_html(document: Document, rng: Random) -> Document:
    """Lines with tags, signs as entities."""
    edits = [Edit(at.start(), at.end(), rng.choice(("<br>\n", "<br/>", "</p>\n<p>"))) for at in _LINES.finditer(document.text)]
    edits += [Edit(at, at + 1, html.escape(sign)) for at, sign in enumerate(document.text) if sign in "&<>"]
    return edit_document(document, sorted(edits, key=lambda edit: edit.start))


def edit_document(document: Document, edits: list[Edit]) -> Document:
    """Apply edits, and take the marks along; a mark that an edit emptied is gone."""
    text, offsets = apply_edits(document.text, edits)
    spans = []
    for span in document.spans:
        start, end = offsets.to_target(span.start, span.end)
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            spans.append(Span(start, end, span.label))
    return Document(document.id, text, tuple(spans), document.meta)


def _each_letter(document: Document, change: Callable[[str], str]) -> Document:
    text = "".join(changed if len(changed := change(sign)) == 1 else sign for sign in document.text)
    return Document(document.id, text, document.spans, document.meta)


def _strip_accent(sign: str) -> str:
    return unicodedata.normalize("NFD", sign)[0] if sign.isalpha() else sign


KINDS: tuple[tuple[float, Noise], ...] = (
    (0.05, in_capitals),
    (0.07, in_small_letters),
    (0.05, without_accents),
    (0.05, with_capital_lines),
    (0.03, with_lookalikes),
    (0.05, with_lost_blanks),
    (0.10, with_other_lines),
    (0.05, with_more_blanks),
    (0.05, without_stops),
    (0.06, with_typing_slips),
    (0.02, as_html),
)
