"""The forms of placeholders and what is written for each, read from `mimic.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from innominate.formats.mimic import PLACEHOLDER, label_of
from innominate.synth.placeholders.moments import is_date

BLANK_WORDS = "___"  # MIMIC-IV writes nothing else
# A longer line is a line to write on.
_EITHER = re.compile(rf"{PLACEHOLDER.pattern}|(?<!\w){BLANK_WORDS}(?!\w)")
NAMES = frozenset(
    {"first", "first_f", "first_m", "last", "full", "initial", "initials", "patient", "patient_first", "patient_last"}
)
_WINDOW = 60  # characters of context on each side


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A place in a note, the words that stand there, what is to be written, and the label of that."""

    start: int
    end: int
    words: str
    fill: str
    label: str


@dataclass(frozen=True, slots=True)
class _Blank:
    fill: str
    label: str
    before: re.Pattern[str]
    after: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Forms:
    phrases: tuple[tuple[str, str], ...]
    otherwise: str
    staff: tuple[re.Pattern[str], re.Pattern[str]]
    blanks: tuple[_Blank, ...]


@cache
def _forms() -> _Forms:
    content = tomllib.loads((files("innominate.synth.placeholders") / "mimic.toml").read_text(encoding="utf-8"))
    phrases = tuple((phrase, entry["fill"]) for entry in content["form"] for phrase in entry["words"])
    staff = content["staff"]
    blanks = tuple(
        _Blank(entry["fill"], entry["label"], re.compile(entry.get("before", "")), re.compile(entry.get("after", "")))
        for entry in content["blank"]
    )
    return _Forms(phrases, content["otherwise"], (re.compile(staff["before"]), re.compile(staff["after"])), blanks)


def fill_of(words: str) -> str:
    """What is written for the words of a placeholder.

    >>> [fill_of(words) for words in ("Known lastname 12", "First Name8 (NamePattern2) ", "Hospital1 18", "2101-5-3", "?")]
    ['patient_last', 'first', 'hospital', 'numeric', 'id_idnum']
    """
    if not any(character.isalpha() for character in words):
        return "numeric" if any(character.isdigit() for character in words) else _forms().otherwise
    if "2 digits" in words:
        return "year_short"
    plain = re.sub(r"[\d\s]+", " ", words.lower()) + " "
    return next((fill for phrase, fill in _forms().phrases if phrase in plain), _forms().otherwise)


def placeholders(text: str) -> list[Placeholder]:
    """All placeholders of a note, in order.

    >>> [(one.words, one.fill, one.label) for one in placeholders("Dr. [**Last Name (un) 5**] saw Mr. ___ today.")]
    [('Last Name (un) 5', 'last', 'DOCTOR'), ('___', 'patient_last', 'PATIENT')]
    """
    matches = _EITHER.finditer(text)
    found = [_blank(text, *match.span()) if match[1] is None else _bracketed(match) for match in matches]
    return _with_staff(text, found)


def _bracketed(match: re.Match[str]) -> Placeholder:
    words = " ".join(match[1].split())
    fill = fill_of(words)
    label = "CITY" if fill == "city" else label_of(words)  # a location may be anything, what is written is a town
    return Placeholder(*match.span(), words, fill, "IDNUM" if fill == "numeric" and not is_date(words) else label)


def _blank(text: str, start: int, end: int) -> Placeholder:
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + _WINDOW]
    for form in _forms().blanks:
        if form.before.search(before) and form.after.search(after):
            return Placeholder(start, end, text[start:end], form.fill, form.label)
    return Placeholder(start, end, text[start:end], "patient_last", "PATIENT")  # nothing says what it was


def groups(text: str, found: list[Placeholder]) -> list[list[Placeholder]]:
    """Placeholders that belong together: the parts of one name, with nothing but a blank between them."""
    together: list[list[Placeholder]] = []
    for one in found:
        last = together[-1][-1] if together else None
        if last and {last.fill, one.fill} <= NAMES and re.fullmatch(r"[ \t]*\n?[ \t]*", text[last.end : one.start]):
            together[-1].append(one)
        else:
            together.append([one])
    return together


def _with_staff(text: str, found: list[Placeholder]) -> list[Placeholder]:
    """Names beside a doctor's title are doctors'; all parts of a name have the label of the group."""
    before, after = _forms().staff
    settled: list[Placeholder] = []
    for group in groups(text, found):
        first, last = group[0], group[-1]
        title = before.search(text[max(0, first.start - _WINDOW) : first.start]) or after.search(
            text[last.end : last.end + _WINDOW]
        )
        staff = first.fill in NAMES and bool(title or any(one.label == "DOCTOR" for one in group))
        for one in group:
            label = "DOCTOR" if staff else one.label
            settled.append(Placeholder(one.start, one.end, one.words, one.fill, label))
    return settled
