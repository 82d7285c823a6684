"""Telephone numbers and other numbers, whatever separates their digits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from innominate.detect.known.passage import Hit, Passage
from innominate.languages import load_language
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
