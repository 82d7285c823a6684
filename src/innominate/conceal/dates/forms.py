"""The forms of dates, read from `conceal/data/dates.toml`, and which of them a text has."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from innominate.conceal.dates.calendar_names import calendar_names, holiday_names
from innominate.conceal.vocabulary import read_data
from innominate.languages import load_language
from innominate.text.accents import fold_word, strip_accents

MAX_LENGTH = 60  # no date is longer; keeps patterns from wandering over a sentence that was marked by mistake
_MACRO = re.compile(r"\{([A-Za-z]\w*)\}")
_LETTER = re.compile(r"[^\W\d_]")
_SEPARATORS = "/-.#"
_CENTURIES = {"18": "18", "19": "20", "20": "20"}
_RUNS = re.compile(r"(\d+)")
_PLAIN = frozenset("abcdmyM")
_SILENT = frozenset({"s1", "s2", "w", "w2"})
_LENGTHS = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP = 2000  # stands for a year that is not known, so that 29.02 is a day


@dataclass(frozen=True, slots=True)
class DateForm:
    """One way to write a date: a name, and the pattern with and without words before it."""

    name: str
    pattern: re.Pattern[str]
    numeric: re.Pattern[str] | None  # for texts without a letter; None if the form has words
    padded: bool


class DateField(NamedTuple):
    """A part of a form that moves: what it is, of the first (0) or second (1) end of a range, and where it stands."""

    role: str
    end: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)  # there is one for each class of texts, and it is asked for often
class DateLayout:
    """Where a form has its parts: all that two expressions share whose digits differ in value only."""

    form: DateForm
    fields: tuple[DateField, ...]  # from left to right
    roles: frozenset[str]
    full: bool  # day, month and year are all there
    is_range: bool
    kind: str  # what the habits of a note are kept by: `name`, `range`, `full`, `short`, `month`, `pair` or `day`
    separator: str  # the first, as one of / - . # or nothing
    same_separators: bool
    weekday: int | None  # Monday is 0
    weekdays: tuple[tuple[int, int], ...]  # where days of the week stand: before all fields
    digits: bool  # there is no letter in it
    short_year: bool  # a number of two digits may be a year
    plain: bool  # one day, with its month and year, and nothing else


@dataclass(slots=True)  # as all that is made anew for every date it is not frozen, which would take three times as long
class DateMatch:
    """A text read as a form."""

    text: str
    layout: DateLayout
    parts: tuple[tuple[str, str], ...]  # the role of each field of the layout, and what stands there
    orders: tuple[str, ...]  # in which a, b and c make a real date

    def has(self, role: str) -> bool:
        """Say whether some field has the role."""
        return role in self.layout.roles

    def value(self, role: str) -> str:
        """What stands in the first field with a role."""
        return next(value for name, value in self.parts if name == role)


@lru_cache(maxsize=4096)
def match_forms(text: str, lang: str) -> tuple[DateMatch, ...]:
    """All forms that a text may have, the likeliest first.

    >>> [match.layout.form.name for match in match_forms("18#03#2022", "fr")]
    ['full']
    """
    if len(text) > MAX_LENGTH:
        return ()
    return tuple([_match(text, layout) for layout in _layouts(_same_class(text), lang)])


def match_like(text: str, old: DateMatch) -> DateMatch | None:
    """Read a text that differs from another in digits alone, each in its place; None for any other text.

    >>> old = match_forms("18.03.2022", "fr")[0]
    >>> match_like("16.02.2024", old) is None, match_like("16.2.2024", old) is None, match_like("16-02-2024", old) is None
    (False, True, True)
    """
    layout, before = old.layout, old.text
    if not layout.digits or len(text) != len(before) or not before.isascii() or not text.isascii():
        return None
    parts: list[tuple[str, str]] = []
    position = 0
    for role, _, start, stop in layout.fields:
        number = text[start:stop]
        if text[position:start] != before[position:start] or not number.isdecimal():
            return None
        if role == "y" and stop - start == 4 and number[:2] not in _CENTURIES:
            return None
        parts.append((role, number))
        position = stop
    return DateMatch(text, layout, tuple(parts), ()) if text[position:] == before[position:] else None


def match_as(text: str, lang: str, form: DateForm) -> DateMatch | None:
    """Read a text in a form, and an order of its numbers, that are already known."""
    if len(text) > MAX_LENGTH:
        return None
    for layout in _layouts(_same_class(text), lang):
        if layout.form is form:
            return DateMatch(text, layout, _parts(text, layout), ())
    return None


def _match(text: str, layout: DateLayout) -> DateMatch:
    parts = _parts(text, layout)
    if "a" not in layout.roles:
        return DateMatch(text, layout, parts, ())
    numbers = [(role, end, text[start:stop]) for role, end, start, stop in layout.fields]
    return DateMatch(text, layout, parts, possible_orders(numbers, year_first=layout.same_separators))


def _parts(text: str, layout: DateLayout) -> tuple[tuple[str, str], ...]:
    return tuple([(role, text[start:stop]) for role, _, start, stop in layout.fields])


def _same_class(text: str) -> str:
    """A text with other digits that every form treats in the same way.

    >>> _same_class("17 mars 1956")
    '77 mars 2077'
    """
    pieces = _RUNS.split(text)
    pieces[1::2] = map(_class_of, pieces[1::2])
    return "".join(pieces)


@lru_cache(maxsize=4096)
def _class_of(run: str) -> str:
    """Forms look at the number of digits, at 18 to 20 where a year of four may begin, and at a 0 at the end, for decades."""
    pairs = [run[i : i + 2] for i in range(0, len(run), 2)]
    classes = [_CENTURIES.get(pair, "77") if 2 * i + 4 <= len(run) else "77" for i, pair in enumerate(pairs)]
    classes[-1] = classes[-1][: len(pairs[-1]) - 1] + ("0" if run[-1] == "0" else "7")
    return "".join(classes)


@lru_cache(maxsize=8192)
def _layouts(text: str, lang: str) -> tuple[DateLayout, ...]:
    if _LETTER.search(text):
        found = ((form, form.pattern.fullmatch(text)) for form in date_forms(lang))
    else:
        found = ((form, form.numeric.fullmatch(text)) for form in date_forms(lang) if form.numeric)
    return tuple(_layout(lang, form, groups) for form, groups in found if groups)


def _layout(lang: str, form: DateForm, groups: re.Match[str]) -> DateLayout:
    given = groups.groupdict()
    fields: list[DateField] = []
    for group, value in given.items():
        if value is not None and group not in _SILENT:
            role = "y" if group == "Y" else group.rstrip("2")
            fields.append(DateField(role, int(group.endswith("2")), *groups.span(group)))
    fields.sort(key=lambda field: field.start)
    first, second = _separator(given.get("s1")), _separator(given.get("s2"))
    roles = frozenset(field.role for field in fields)
    is_range = any(field.end for field in fields)
    full = bool(roles & {"d", "a"} and roles & {"m", "M", "a"} and roles & {"y", "c"})
    kind = _kind(roles, len(fields), is_range=is_range)
    digits = not _LETTER.search(groups.string)
    may_hold_year = "yt" if "y" in roles else "ytabc"
    short_year = any(role in may_hold_year and stop - start < 4 for role, _, start, stop in fields)
    weekday = which_weekday(given["w"], lang) if given.get("w") else None
    weekdays = tuple(groups.span(group) for group in ("w", "w2") if given.get(group))
    plain = full and not is_range and roles <= _PLAIN and len(fields) == 3
    return DateLayout(
        form, tuple(fields), roles, full, is_range, kind, first, first == second, weekday, weekdays, digits, short_year, plain
    )


def _kind(roles: frozenset[str], count: int, *, is_range: bool) -> str:
    if "M" in roles:
        return "name"
    if roles == {"d"}:
        return "day"
    if is_range:
        return "range"
    if count < 3:
        return "month" if "y" in roles else "pair"
    return "short" if "c" in roles else "full"


def which_weekday(word: str, lang: str) -> int:
    """Which day a word such as `måndagen` or `lun.` is.

    >>> which_weekday("måndagen", "sv"), which_weekday("Dim.", "fr")
    (0, 6)
    """
    known = calendar_names(lang, "days")
    folded = fold_word(word)
    inflected = (i for i, name in enumerate(known.styles[0]) if folded.startswith(strip_accents(name)))
    found = next(inflected, None)
    return known.position(word) if found is None else found


def _separator(text: str | None) -> str:
    """Reduce a separator to the character that counts: all dashes are one, `18.3.-22` has a dash before its year."""
    for character in reversed((text or "").strip()):
        if character in _SEPARATORS:
            return character
        if character in "–—‐‑":
            return "-"
    return ""


@cache
def date_forms(lang: str) -> tuple[DateForm, ...]:
    """All forms of a language, in the order in which they are tried."""
    data = read_data("dates.toml")
    macros = {**data["macros"], **_words(lang)}
    optional = load_language(lang).dates.forms
    return tuple(_form(entry, macros) for entry in data["form"] if not entry.get("optional") or entry["name"] in optional)


def _form(entry: Mapping[str, object], macros: Mapping[str, str]) -> DateForm:
    pattern, after = f"(?:{entry['pattern']})", "{after}"
    before = "" if entry.get("bare") else "{before}"
    numeric = None if entry.get("words") else _compile(pattern + after, macros)
    return DateForm(str(entry["name"]), _compile(before + pattern + after, macros), numeric, bool(entry.get("padded")))


def _compile(pattern: str, macros: Mapping[str, str]) -> re.Pattern[str]:
    while (expanded := _MACRO.sub(lambda found: macros[found[1]], pattern)) != pattern:
        pattern = expanded
    return re.compile(pattern, re.IGNORECASE)


def _words(lang: str) -> dict[str, str]:
    """The names and small words of a language as patterns."""
    habits = load_language(lang).dates
    known = {key: str(getattr(habits, key)) for key in ("ordinal", "day_end", "of", "to", "lead", "at", "week", "decade")}
    for thing in ("months", "seasons", "days"):
        known[thing] = "|".join(calendar_names(lang, thing).words())
    inflected = "|".join(word for day in calendar_names(lang, "days").styles[0] for word in (day, strip_accents(day)))
    known["days"] = f"(?:{inflected})(?:{known['day_end']})?|{known['days']}"
    known["holidays"] = "|".join(holiday_names(lang))
    return known


def possible_orders(numbers: Iterable[tuple[str, int, str]], *, year_first: bool) -> tuple[str, ...]:
    """All orders in which the numbers a, b and c make a real date, or a month with a year that cannot be a day.

    The numbers come with their role and the end of the range to which they belong; `year_first` says whether 22-03-18
    may begin with the year.

    >>> possible_orders([("a", 0, "18"), ("b", 0, "03"), ("c", 0, "22")], year_first=True)
    ('dmy', 'ymd')
    >>> possible_orders([("a", 0, "03"), ("b", 0, "85")], year_first=False)
    ('my',)
    >>> possible_orders([("a", 0, "8"), ("b", 0, "0")], year_first=False)  # no year has one digit
    ()
    """
    first: list[int] = []
    second: list[int] = []
    year = 0
    last = ""
    for role, end, text in numbers:
        last = text
        if role == "y":
            year = int(text)
        else:
            (second if end else first).append(int(text))
    orders = _orders(first, year, year_first=year_first)
    if second:
        a, b = second[:2]
        orders = [order for order in orders if is_day(_LEAP, *((b, a) if order.startswith("dm") else (a, b)))]
    return tuple(orders) if orders != ["my"] or len(last) > 1 else ()


def _orders(numbers: list[int], year: int, *, year_first: bool) -> list[str]:
    a, b, *short_year = numbers
    known = year or (_LEAP + short_year[0] if short_year else _LEAP)
    orders = (["dm"] if is_day(known, b, a) else []) + (["md"] if is_day(known, a, b) else [])
    if year or short_year:
        orders = [order + "y" for order in orders]
    elif not orders:  # 03/85 and 85-03, where one number can be no day
        return ["my"] if 1 <= a <= 12 else ["ym"] if 1 <= b <= 12 and a > 31 else []
    return [*orders, "ymd"] if short_year and year_first and is_day(_LEAP + a, b, short_year[0]) else orders


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has such a day.

    >>> is_day(2020, 2, 29), is_day(2022, 2, 29)
    (True, False)
    """
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month] and (day != 29 or month != 2 or isleap(year))
