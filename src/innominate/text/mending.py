"""What scanners, mail systems, terminals and hurried hands do to words and numbers, undone for detection.

Each step is careful: it changes what no ordinary text has, and leaves the rest. All of it is for the view alone, so a step
that was wrong costs at most a span; the words of the note stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.entities import html5

from innominate.core import Edit

_UNDEFINED = {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # bytes that Windows-1252 has no character for
_READ_AS = {(bytes([b]).decode("cp1252") if b not in _UNDEFINED else chr(b)): b for b in range(0x80, 0x100)}
_READ_AS |= {chr(b): b for b in range(0x80, 0xA0)}
_FOLLOWING = "".join(re.escape(character) for character, byte in _READ_AS.items() if byte < 0xC0)

# UTF-8 that was read as Windows-1252 or Latin-1. After `Ä` and `Å` a dash or a quotation mark is one: `BLÅ–VITT`.
_MISREAD = re.compile(f"[ÂÃÄÅ][{_FOLLOWING}]|â[{_FOLLOWING}]{{2}}")
_NOT_BYTES = frozenset("–—‘’“”»«›‹…")

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BACKWARDS = re.compile("\u202e([^\n\u202a-\u202e\u2066-\u2069]*)\u202c")
_FORWARDS = re.compile(r"\b[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]")  # a stray mark, and the letters as they are read
_QUOTED_BYTES = re.compile(r"=[C-F][0-9A-F](?:=[89AB][0-9A-F]){1,3}|=[C-F][0-9A-F](?!=?[0-9A-F])")
_QUOTED_BREAK = re.compile(r"(?<=\w)=\r?\n(?=\w)")


def mend_bytes(text: str) -> list[Edit]:
    """Characters for the bytes of UTF-8 that stand for them.

    >>> mend_bytes("Mme CÃ©line")
    [Edit(start=5, end=7, text='é')]
    """
    if text.isascii():
        return []
    pairs = ((found, _decode(bytes(_READ_AS[c] for c in found[0]))) for found in _MISREAD.finditer(text) if _is_misread(found))
    return [Edit(*found.span(), character) for found, character in pairs if character]


def _is_misread(found: re.Match[str]) -> bool:
    return all(c in _READ_AS for c in found[0]) and (found[0][0] not in "ÄÅ" or found[0][1] not in _NOT_BYTES)


def _decode(data: bytes) -> str:
    """The letter or mark that some bytes of UTF-8 are, if they are one of Latin text."""
    try:
        character = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    latin = "\u00a0" <= character <= "\u017f" or "\u2010" <= character <= "\u2044" or character == "€"
    return character if len(character) == 1 and latin else ""


def mend_mail(text: str) -> list[Edit]:
    """Letters for what is left of quoted-printable mail, and lines that it cut put together.

    >>> mend_mail("Mme C=C3=A9li=\\nne")
    [Edit(start=5, end=11, text='é'), Edit(start=13, end=15, text='')]
    """
    if "=" not in text:
        return []
    edits = [Edit(*found.span(), "") for found in _QUOTED_BREAK.finditer(text)]
    for found in _QUOTED_BYTES.finditer(text):
        data = bytes.fromhex(found[0].replace("=", ""))
        character = _decode(data) if len(data) > 1 else data.decode("latin-1")
        if character:
            edits.append(Edit(*found.span(), character))
    return sorted(edits)


def mend_references(text: str) -> list[Edit]:
    """Characters for character references, which were escaped once more if they are still there.

    >>> mend_references("C&eacute;line, R&D;")
    [Edit(start=1, end=9, text='é')]
    """
    if "&" not in text:
        return []
    found = (one for one in _REFERENCE.finditer(text) if one[0][1] == "#" or one[0][1:] in html5)
    return [Edit(*one.span(), new) for one in found if (new := unescape(one[0])) != one[0]]


def mend_direction(text: str) -> list[Edit]:
    """What an override of direction shows, letter after letter as a reader sees it.

    >>> mend_direction("Dr \\u202enotsaG\\u202c")
    [Edit(start=3, end=11, text='Gaston')]
    """
    if "\u202e" not in text:
        return []
    return [Edit(*found.span(), found[1][::-1]) for found in _BACKWARDS.finditer(text) if not _FORWARDS.search(found[1])]


_LOWER, _UPPER = "a-zß-öø-ÿœ", "A-ZÀ-ÖØ-ÞŒ"
_LETTER = rf"[{_LOWER}{_UPPER}]"
_SPACED_WORD = re.compile(r"(?<![\w.,'’/-])[^\W\d_](?: [^\W\d_](?!\w)|[-'][^\W\d_](?!\w)){2,}")
_SPACED_NUMBER = re.compile(r"(?<![\w.,/-])\d(?: \d(?!\d)|[./:-]\d(?!\d)){3,}")
_NUMBER = re.compile(
    r"\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([./-])\d{2}\2\d{2}"
    r"|\d{1,2}:\d{2}(?::\d{2})?|(?:\d[./-]?){8,}"
)
_HYPHENATED = re.compile(
    rf"(?<={_LETTER}{_LETTER})-[ \t]*\r?\n[ \t]*(?=[{_LOWER}]{{2}})|(?<=[{_UPPER}]{{2}})-\r?\n(?=[{_UPPER}]{{2}})"
)
_PAIR, _YEAR = r"\d\n?\d?", r"\d\n?\d\n?\d\n?\d"
_BETWEEN_DIGITS = re.compile(r"\d\n\d")  # quicker to look for than a date
_BROKEN_DATE = re.compile(
    rf"(?<![\d./-])(?:{_PAIR}[./-]{_PAIR}[./-](?:{_YEAR}|\d\n?\d)|{_YEAR}[./-]{_PAIR}[./-]\d\n?\d)(?![\d./-])"
)


def join_spaced(text: str) -> list[Edit]:
    """Words and numbers whose characters were spaced out, put together; a capital after a small letter begins a word.

    >>> join_spaced("Mme R o c h a t, 1 8/0 3/1 9 5 0, T 3 4 5")[:2]
    [Edit(start=5, end=6, text=''), Edit(start=7, end=8, text='')]
    """
    words = (found for found in _SPACED_WORD.finditer(text) if _is_word(found[0].replace(" ", "")))
    numbers = (found for found in _SPACED_NUMBER.finditer(text) if _NUMBER.fullmatch(found[0].replace(" ", "")))
    blanks = sorted(i for run in (*words, *numbers) for i in range(*run.span()) if text[i] == " ")
    return [Edit(i, i + 1, "") for i in blanks if not _begins_word(text[i - 1], text[i + 1])]


def _is_word(word: str) -> bool:
    """Tell a word that was spaced out from a list of letters, or from abbreviations such as `t o m`."""
    return len(word) >= 5 or (len(word) >= 3 and word[0].isupper() and word[1:].islower())


def _begins_word(before: str, after: str) -> bool:
    return before.islower() and after.isupper()


def join_lines(text: str) -> list[Edit]:
    """Words and numbers that a line break parts, put together: after a hyphen, and in what has the form of one number.

    >>> join_lines("Mme Ro-\\nchat, 18.03.19\\n50")
    [Edit(start=6, end=8, text=''), Edit(start=22, end=23, text='')]
    """
    if "\n" not in text:
        return []
    edits = {Edit(*found.span(), "") for found in _HYPHENATED.finditer(text)}
    for date in _BROKEN_DATE.finditer(text) if _BETWEEN_DIGITS.search(text) else ():
        edits |= {Edit(i, i + 1, "") for i in range(*date.span()) if text[i] == "\n"}
    return sorted(edits)


_SCANNED = rf"[{_LOWER}{_UPPER}0158]*"
_DIGIT_IN_WORD = re.compile(rf"(?<![\w@/.=-])(?:0(?={_LETTER}{{3}}){_SCANNED}|{_LETTER}{_SCANNED}[0158]{_SCANNED})(?![\w@/=])")
_CASES = re.compile(rf"[{_UPPER}][{_LOWER}]+|[{_UPPER}]+|[{_LOWER}]+")
_SMALL, _CAPITAL = str.maketrans("0158", "olsb"), str.maketrans("0158", "OISB")
_D = r"[\dOolISB]"
_LETTER_IN_NUMBER = re.compile(
    rf"(?<![\w./:-])(?:{_D}{{1,2}}([./-]){_D}{{1,2}}\1(?:{_D}{{4}}|{_D}{{2}})|{_D}{{4}}([./-]){_D}{{2}}\2{_D}{{2}}"
    rf"|\d{_D}?:{_D}\d|\d{_D}?:\d{_D}|[1-9][\dOol]{{2,}}\d)(?![\w/])"
)
_ROMAN = re.compile(r"[./-]I{1,3}[./-]")
_NUMBERS = str.maketrans("OolISB", "001158")


def mend_words(text: str) -> list[Edit]:
    """Letters for digits in words that a scanner confused.

    >>> mend_words("Mme R0chat, HbA1c")
    [Edit(start=4, end=10, text='Rochat')]
    """
    return [Edit(*found.span(), new) for found in _DIGIT_IN_WORD.finditer(text) if (new := _as_word(found[0]))]


def mend_numbers(text: str) -> list[Edit]:
    """Digits for letters in numbers that a scanner confused.

    >>> mend_numbers("18.O3.l950")
    [Edit(start=0, end=10, text='18.03.1950')]
    """
    found = (
        one
        for one in _LETTER_IN_NUMBER.finditer(text)
        if 0 < 2 * sum(map(str.isalpha, one[0])) < len(one[0]) and not _ROMAN.search(one[0])
    )
    return [Edit(*one.span(), one[0].translate(_NUMBERS)) for one in found]


def _as_word(word: str) -> str:
    """The word that a scanner may have read, if it then is written as words are."""
    digits = sum(map(str.isdigit, word))
    if len(word) - digits < 3 or len(word) < 4 or digits * 2 > len(word) - digits or word[-1] in "158":
        return ""
    if word.islower() and len(word) - digits < 5:  # hba1c
        return ""
    capitals = sum(map(str.isupper, word[1:]))
    new = word.translate(_CAPITAL if capitals else _SMALL)
    new = "O" + new[1:] if word[0] == "0" else new
    return new if _CASES.fullmatch(new) else ""


_TITLE = rf"(?:[{_UPPER}][{_LOWER}'’-]++|[{_UPPER}]{{2,}}+|\d{{1,4}}+)"
_UNDERSCORED = re.compile(rf"(?<![\w.@/-]){_TITLE}(?>(?:_(?:{_TITLE}|[{_LOWER}]{{1,12}}+))+)(?!\.?\w|[@/])")
_EMPHASIS = re.compile(r"(?<!\[)(?<![\w*_])(\*{1,3}|_{1,2})(?=[^\W_])([^\n*]{0,80}?[^\W_][.,;:!?)]?)\1(?![\w*])(?!\])")


def mend_emphasis(text: str) -> list[Edit]:
    """Words without the marks of markdown around them; `[**` and `**]` are placeholders of other systems, and stay.

    >>> mend_emphasis("Mme **Eva** Lindén")
    [Edit(start=4, end=6, text=''), Edit(start=9, end=11, text='')]
    """
    if "_" not in text and "*" not in text:
        return []
    found = list(_EMPHASIS.finditer(text))
    return [edit for one in found for edit in (Edit(*one.span(1), ""), Edit(one.end(2), one.end(), ""))]


def mend_blanks(text: str) -> list[Edit]:
    """Blanks for underscores between words that begin with a capital; names of files and addresses stay.

    >>> mend_blanks("Mme Lindén_Rochat, eva_linden@chuv.ch")
    [Edit(start=10, end=11, text=' ')]
    """
    if "_" not in text:
        return []
    found = (i for run in _UNDERSCORED.finditer(text) for i in range(*run.span()) if text[i] == "_")
    return [Edit(i, i + 1, " ") for i in found]


Step = Callable[[str], list[Edit]]
# Bytes may have been misread twice.
DECODING: tuple[Step, ...] = (mend_bytes, mend_bytes, mend_mail, mend_references, mend_direction)
JOINING: tuple[Step, ...] = (join_spaced, join_lines, mend_emphasis, mend_blanks, mend_words, mend_numbers)
