"""A patient's numbers, whatever separates their digits: of telephones, of insurances, and birth dates in every form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from itertools import chain, product

from innominate.detect.known.passage import Hit, Passage
from innominate.languages import language_codes, load_language
from innominate.surrogates.dates import calendar
from innominate.text.accents import fold_word

SHORTEST = 4  # letters and digits; a shorter number would be found everywhere
_TOGETHER = 5  # shorter ones are found only without separators
_LOCAL = 7  # digits of a telephone number without its area
_LONGEST_GAP = r"[^0-9a-z]{0,3}"
_NOT_KEPT = re.compile(r"[^0-9a-z]+")
_EXTENSION = re.compile(r"\s*(?:x|ext\.?|poste|ankn\.?)\s*\d{1,5}\s*$", re.IGNORECASE)
_COUNTRY_CODE = re.compile(r"\s*(?:\+|00)")
# What may stand before the part that all forms of a telephone number share, back to where the number begins.
_BEFORE = re.compile(
    r"(?:(?<!\d)\(?(?:\+|00)[\s(]{0,2}\d(?:[\s.'-]?\d){0,2}\)?[\s./'-]{0,3}(?:\(0\)|0)?|(?<!\d)\(?\d?0|(?<![\d+])\(?1?|)[\s./()'-]{0,3}\Z"
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Finds a patient's numbers: kind and folded letters and digits of each.

    >>> Numbers.of([("insurance", "756.1234.5678.97")]).hits(Passage.of("AVS 756 1234 5678 97"))
    [Hit(start=4, end=20, kind='insurance', sure=True)]
    """

    keys: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, values: Iterable[tuple[str, str]]) -> Numbers:
        """Prepare numbers; what is too short or has no digit is left out."""
        keys = {(kind, _NOT_KEPT.sub("", fold_word(value))) for kind, value in values}
        return cls(tuple(sorted(pair for pair in keys if len(pair[1]) >= SHORTEST and any(map(str.isdigit, pair[1])))))

    def hits(self, passage: Passage) -> list[Hit]:
        """Find the numbers in a passage."""
        found: list[Hit] = []
        for kind, key in self.keys:
            core = _without_zeros(key)
            if core in passage.squeezed:
                found += (Hit(*match.span(), kind) for match in _pattern(core).finditer(passage.low))
        return found


@dataclass(frozen=True, slots=True)
class KnownPhones:
    """Finds a patient's telephone numbers by the digits that all their forms share.

    >>> [(hit.start, hit.end) for hit in KnownPhones.of(["021 314 11 11"], "fr").hits(Passage.of("tél +41 (0)21/314.11.11"))]
    [(4, 23)]
    """

    cores: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str], lang: str) -> KnownPhones:
        """Prepare numbers as they stand in the file."""
        cores = (_national(_EXTENSION.sub("", value), lang) for value in values)
        return cls(tuple(sorted({core for core in cores if len(core) >= _LOCAL - 1})))

    def hits(self, passage: Passage) -> list[Hit]:
        """Find the numbers in a passage, country and area codes included."""
        return [hit for core in self.cores for hit in self._hits_of(core, passage)]

    def _hits_of(self, core: str, passage: Passage) -> Iterator[Hit]:
        text, squeezed = passage.low, passage.squeezed
        if core in squeezed:
            for match in re.finditer(_LONGEST_GAP.join(core) + r"(?!\d)", text):
                before = _BEFORE.search(text, max(0, match.start() - 14), match.start())
                if before and not (before[0] == "" and text[match.start() - 1 : match.start()].isdigit()):
                    start = before.end() - len(before[0].lstrip(" \t\n./-)"))
                    yield Hit(start, match.end(), "phone")
        local = core[-_LOCAL:]
        if len(core) > _LOCAL and local in squeezed:
            pattern = rf"(?<![\d])(?<!\d[\s./)-]){_LONGEST_GAP.join(local)}(?!\d|[./-]\d)"
            yield from (Hit(*match.span(), "phone") for match in re.finditer(pattern, text))


def _pattern(core: str) -> re.Pattern[str]:
    """A number with up to three signs between any two of its characters, and nothing of its kind around it."""
    gap = _LONGEST_GAP if len(core) >= _TOGETHER else ""
    before = rf"(?<!\d)(?:0{gap}){{0,4}}" if core[0].isdigit() else r"(?<![a-z])"
    after = r"(?!\d)" if core[-1].isdigit() else r"(?![a-z])"
    return re.compile(before + gap.join(core) + after)


def _without_zeros(key: str) -> str:
    core = key.lstrip("0")
    return core if len(core) >= _TOGETHER else key


def _national(value: str, lang: str) -> str:
    """The digits after country code and trunk zero."""
    if _COUNTRY_CODE.match(value):
        from phonenumbers import NumberParseException, parse

        try:
            return str(parse("+" + re.sub(r"\s*(?:\+|00)", "", value, count=1)).national_number)
        except NumberParseException:
            pass
    digits = re.sub(r"\D", "", value)
    language = load_language(lang)
    if language.phone_lead and digits.startswith(language.phone_lead) and len(digits) == language.phone_digits + 1:
        return digits[1:]
    return digits.lstrip("0")


_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_MORE_MONTHS = {
    "sept": 9,
    "febr": 2,
    "fev": 2,
    "janv": 1,
    "juill": 7,
    "setiembre": 9,
    "sep": 9,
    "dec": 12,
    "okt": 10,
    "mrz": 3,
}

_GIVEN = re.compile(r"(\d{4})[-./]?(\d\d?)[-./]?(\d\d?)|(\d\d?)[-./ ](\d\d?)[-./ ](\d{4})")
_CLOCK = re.compile(r"[T ][0-9:.+Z]+$")

_MARK = r"(?:\s?[./#,:_-]\s?|\s)"
# All but the first stand in a look-ahead, so that a number can begin a second candidate, as in `1 03 05 1950`.
_NUMERIC = re.compile(rf"(\d(?<!\d\d)\d{{0,3}})(?=({_MARK})(\d{{1,2}}|[ivx]{{1,4}})({_MARK})(\d{{4}}|\d{{1,2}})(?!\d))")
_COMPACT = re.compile(r"(?<!\d)(\d{8}|\d{6})([-+]?\d{4})?(?!\d)")
_ENDING = r"(?:er|st|nd|rd|th|:?[ea]|[º°.])?"


@lru_cache(maxsize=1 << 16)  # a million patients have forty thousand birthdays
def readings(value: str) -> tuple[date, ...]:
    """Read a date of a patient file. Where day and month could be either, both readings count.

    >>> [str(day) for day in readings("03.05.1950")], readings("15.13.1950")
    (['1950-05-03', '1950-03-05'], ())
    """
    found = _GIVEN.fullmatch(_CLOCK.sub("", value.strip()))
    if not found:
        return ()
    year_first = found[1] is not None
    year, *rest = (int(part) for part in (found.group(1, 2, 3) if year_first else found.group(6, 5, 4)))
    orders = [rest] if year_first else [rest, rest[::-1]]
    days = (_day(year, month, day) for month, day in orders)
    return tuple(dict.fromkeys(day for day in days if day))


@dataclass(frozen=True, slots=True)
class Births:
    """Finds a patient's birth date.

    >>> Births.of([date(1950, 5, 3)]).hits(Passage.of("née le 3 mai 1950"))
    [Hit(start=7, end=17, kind='birth', sure=True)]
    """

    numeric: frozenset[tuple[str, str, str]]
    compact: frozenset[str]
    days: frozenset[tuple[int, int]]  # month and day
    years: frozenset[str]
    months: tuple[str, ...]

    @classmethod
    def of(cls, births: Iterable[date]) -> Births:
        """Prepare every form of the dates."""
        births = tuple(births)
        return cls(
            frozenset(form for birth in births for form in _numeric(birth)),
            frozenset(form for birth in births for form in _compact(birth)),
            frozenset((birth.month, birth.day) for birth in births),
            frozenset(year for birth in births for year in (str(birth.year), f"{birth.year % 100:02d}")),
            tuple({name for birth in births for name, number in month_names().items() if number == birth.month}),
        )

    def hits(self, passage: Passage) -> list[Hit]:
        """Find the dates in a passage."""
        if not self.days:
            return []
        text = passage.low
        found = [*self._numeric_hits(text), *self._compact_hits(text)]
        if any(month in text for month in self.months):
            found += self._long_hits(text)
        return found

    def _numeric_hits(self, text: str) -> Iterator[Hit]:
        for match in _NUMERIC.finditer(text):
            first, mark, second, other_mark, third = match.groups()
            only_blanks = not (mark.strip() or other_mark.strip()) and len(first) < 3 and len(third) < 3
            if (first, second, third) in self.numeric and not only_blanks:
                yield Hit(match.start(), match.end(5), "birth")

    def _compact_hits(self, text: str) -> Iterator[Hit]:
        """Six or eight digits; with four more it is the number of a person, as in Sweden."""
        if not any(form in text for form in self.compact):
            return
        for match in _COMPACT.finditer(text):
            if match[1] in self.compact:
                yield Hit(*match.span(), "insurance" if match[2] else "birth")

    def _long_hits(self, text: str) -> Iterator[Hit]:
        for month in {month for month, _ in self.days}:
            for match in chain.from_iterable(pattern.finditer(text) for pattern in _long_patterns(month)):
                if (month, int(match["day"])) in self.days and match["year"] in self.years:
                    yield Hit(*match.span(), "birth")


@cache
def month_names() -> dict[str, int]:
    """Month names and their short forms in four languages, folded.

    >>> month_names()["aout"], month_names()["mayo"]
    (8, 5)
    """
    known = dict(_MORE_MONTHS)
    for lang in language_codes():
        names = calendar(lang)
        for forms in (names.months, names.short_months):
            known.update({fold_word(name).strip("."): number for number, name in enumerate(forms) if name})
    return known


@cache
def _long_patterns(number: int) -> tuple[re.Pattern[str], ...]:
    """Day month year, month day year, year month day, with the names of a month."""
    names = sorted((name for name, month in month_names().items() if month == number), key=len, reverse=True)
    month = f"(?:{'|'.join(names)})(?![a-z])"
    year = r"'?(?P<year>\d{4}|\d{2})(?!\d)"
    return (
        re.compile(
            rf"(?P<day>\d(?<!\d\d)\d?){_ENDING}[\s./-]{{0,3}}(?:de\s|of\s)?{month}\.?[\s,./-]{{0,3}}(?:de\s|del\s|of\s)?{year}"
        ),
        re.compile(rf"(?<![a-z]){month}\.?[\s./-]{{0,2}}(?P<day>\d{{1,2}}){_ENDING}[\s,./-]{{1,3}}{year}"),
        re.compile(rf"(?P<year>\d(?<!\d\d)\d{{3}})[\s,./-]{{1,3}}{month}\.?[\s,./-]{{1,3}}(?P<day>\d{{1,2}})(?!\d)"),
    )


def _numeric(birth: date) -> Iterator[tuple[str, str, str]]:
    days = (str(birth.day), f"{birth.day:02d}")
    months = (str(birth.month), f"{birth.month:02d}")
    years = (str(birth.year), f"{birth.year % 100:02d}")
    yield from product(days, (*months, _ROMAN[birth.month]), years)
    yield from product(months, days, years)
    yield from product(years, months, days)
    yield from product(years[:1], days, months)


def _compact(birth: date) -> Iterator[str]:
    for form in ("%Y%m%d", "%y%m%d", "%d%m%Y", "%d%m%y", "%m%d%Y", "%m%d%y"):
        yield birth.strftime(form)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
