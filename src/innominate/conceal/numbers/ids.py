"""Surrogates for numbers and codes: the format stays, check digits are right, and no number is one that was issued.

Ranges that are never issued: serials from 980 of Swedish personnummer (Skatteverket, test numbers), DNI from 90 million
and NIE from 9 million (far beyond those given out), Spanish provinces from 67 (INE has 52, and 53 to 66 stand for
agencies), NHS numbers from 999 (NHS England, test range), US provider numbers from 3 (CMS: the first digit is 1 or 2),
makers of vehicles from region 0 (ISO 3780). Switzerland has no such range: an AVS number is a valid one that somebody
may have, and so is the plate of a car. None of these was read again at its source for this file. That AVS numbers,
personnummer, DNI and NHS numbers have the right form and check digits is tested against python-stdnum; the others have no
such test. Where the form alone tells what a number is, a check digit that is wrong stays wrong.

A number that carries a birth date keeps it in step with the dates of the notes: it moves by the same number of days.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache

from stdnum import ean, luhn
from stdnum.es import dni
from stdnum.iso7064 import mod_97_10

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import other_characters, write_into
from innominate.conceal.scope import Scope
from innominate.conceal.vocabulary import read_data
from innominate.surrogates.weighted import Dice, fill
from innominate.text.accents import fold_word

_CANTONS = ("AG", "BE", "BS", "FR", "GE", "JU", "LU", "NE", "SG", "SO", "TG", "TI", "VD", "VS", "ZH")
Make = Callable[[re.Match[str], Dice, int], str | None]


_DASHED = re.compile(r"(?P<century>)(?P<date>\d\d[01]\d(?:[0-3]|[6-9])\d)[-+](?P<serial>\d{4})")
_SSN = re.compile(r"(\d{3})(\D?)(\d{2})(\D?)(\d{4})")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?=[-/.]\d)")
_RUN = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_WORDS = re.compile(r"[^\W\d_]?[^\W\d_A-Z]{3,}")


def draw_slipped_number(text: str, rng: Dice, days: int) -> str | None:
    """A surrogate, without separators, for a personnummer that its dash tells though its check digit is wrong; else None.

    >>> from random import Random
    >>> draw_slipped_number("920318-4467", Random(1), 7)[:6], draw_slipped_number("9203184467", Random(1), 7)
    ('920325', None)
    """
    found = _DASHED.fullmatch(text)
    return _slipped(found, rng, days) if found else None


def draw_checked_number(compact: str, rng: Dice, days: int) -> str | None:
    """A surrogate for a number without its separators, or None if it is of no kind that has a check digit.

    >>> from random import Random
    >>> number = draw_checked_number("7561234567897", Random(1), 0)
    >>> number[:3], len(number)
    ('756', 13)
    >>> draw_checked_number("1234", Random(1), 0) is None
    True
    """
    for pattern, make in _of_length(len(compact)):
        found = pattern.fullmatch(compact)
        if found and (made := make(found, rng, days)):
            return made
    return None


def _avs(found: re.Match[str], rng: Dice, days: int) -> str | None:
    body = "756" + fill("#########", rng)
    return body + _as_right(ean.calc_check_digit(body), right=ean.calc_check_digit(found[0][:12]) == found[0][12])


def _personnummer(found: re.Match[str], rng: Dice, days: int) -> str | None:
    short = found["date"] + found["serial"]
    return _slipped(found, rng, days) if found["century"] or luhn.calc_check_digit(short[:9]) == short[9] else None


def _slipped(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Swedish: serials from 980 on are kept for tests by the tax agency; the last of the three tells the gender."""
    short = found["date"] + found["serial"]
    coordination = int(found["date"][4:]) > 60
    born = _born(found["century"], found["date"][:4] + f"{int(found['date'][4:]) - 60 * coordination:02d}")
    if born is None:
        return None
    moved = _moved(born, days)
    body = f"{moved:%y%m}{moved.day + 60 * coordination:02d}"
    parity = int(found["serial"][2]) % 2
    serial = f"{98 + int(rng.random() * 2)}{2 * int(rng.random() * 5) + parity}"
    check = _as_right(luhn.calc_check_digit(body + serial), right=luhn.calc_check_digit(short[:9]) == short[9])
    return (f"{moved.year // 100}" if found["century"] else "") + body + serial + check


def _as_right(check: str, *, right: bool) -> str:
    """A check digit that is as right as the original's: a number with a slip becomes a number with a slip."""
    return check if right else str((int(check) + 1) % 10)


def _born(century: str | None, yymmdd: str) -> date | None:
    try:
        year = int((century or ("19" if int(yymmdd[:2]) > 26 else "20")) + yymmdd[:2])
        return date(year, int(yymmdd[2:4]), int(yymmdd[4:]))
    except ValueError:
        return None


def _moved(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def _dni(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Spanish: numbers of eight digits that begin with 9 are not issued."""
    digits = fill("9#######", rng)
    letter = _letter_of(digits, right=_letter_of(found["digits"]) == found["letter"].upper())
    return digits + (letter if found["letter"].isupper() else letter.lower())


def _letter_of(digits: str, *, right: bool = True) -> str:
    return dni.calc_check_digit(str(int(digits) + (not right)))


def _nie(found: re.Match[str], rng: Dice, days: int) -> str | None:
    first = "XYZ".index(found["first"].upper())
    rest = fill("9######", rng)
    right = _letter_of(f"{first}{found['digits']}") == found["letter"].upper()
    return found["first"] + rest + _letter_of(f"{first}{rest}", right=right)


def _plate(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Swiss: a canton and a number; there is no range that is kept free."""
    cantons = [canton for canton in _CANTONS if canton != found["canton"]]
    return cantons[int(rng.random() * len(cantons))] + fill("%" + "#" * (len(found["number"]) - 1), rng)


def _nass(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Spanish social security: provinces 67 and up do not exist."""
    if int(found["province"] + found["number"]) % 97 != int(found["control"]):
        return None
    province, number = str(67 + int(rng.random() * 33)), fill("%#######", rng)
    return f"{province}{number}{int(province + number) % 97:02d}"


def _cip(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Spanish health card: letters of the surnames, birth date (day + 40 for women), serial."""
    woman = int(found["day"]) > 40
    born = _born(None, found["year"] + found["month"] + f"{int(found['day']) - 40 * woman:02d}")
    if born is None:
        return None
    moved = _moved(born, days)
    return fill("????", rng) + f"{moved:%y%m}{moved.day + 40 * woman:02d}" + fill("######", rng)


def _nir(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """French social security: year and month move, the rest is drawn, with department 99 and the key of 97."""
    if 97 - int(found["body"]) % 97 != int(found["key"]) or not 1 <= int(found["month"]) <= 12:
        return None
    born = _moved(date(1900 + int(found["year"]), int(found["month"]), 15), days)
    body = found["sex"] + f"{born:%y%m}" + "99" + fill("######", rng)
    return f"{body}{97 - int(body) % 97:02d}"


def _vin(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Vehicles (ISO 3779): makers from the region 0 do not exist; the ninth character checks the others in North America."""
    text = found[0].upper()
    valid = _vin_check(text) == text[8]
    body = "0" + "".join(fill("#" if c.isdigit() else "?", rng).replace("Q", "R") for c in text[1:])
    return body[:8] + _vin_check(body) + body[9:] if valid else body


def _vin_check(text: str) -> str:
    """The check character of 17 characters: weighted values modulo 11, X for ten (49 CFR 565.15).

    >>> _vin_check("1M8GDM9AXKP042788")
    'X'
    """
    values = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ"
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    rest = sum(values.index(c) % 10 * weight for c, weight in zip(text, weights, strict=True)) % 11
    return "X" if rest == 10 else str(rest)


def _nhs(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """British: those that begin with 999 are kept for tests and were never issued (NHS England, synthetic data)."""
    if _mod11(found[0][:9]) != found[0][9]:
        return None
    for _ in range(20):
        body = "999" + fill("######", rng)
        if check := _mod11(body):
            return body + check
    return None


def _mod11(digits: str) -> str:
    """The check digit of the NHS; empty for numbers that have none."""
    check = 11 - sum(int(digit) * (10 - i) for i, digit in enumerate(digits)) % 11
    return "" if check == 10 else str(check % 11)


def _npi(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """US provider: the first digit of those issued is 1 or 2."""
    if luhn.calc_check_digit("80840" + found[0][:9]) != found[0][9]:
        return None
    body = fill("^########", rng).replace("2", "3", 1)
    return body + luhn.calc_check_digit("80840" + body)


def _card(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """Cards of all kinds: no issuer has numbers that begin with 99."""
    if luhn.calc_check_digit(found[0][:-1]) != found[0][-1]:
        return None
    body = "99" + fill("#" * (len(found[0]) - 3), rng)
    return body + luhn.calc_check_digit(body)


def _iban(found: re.Match[str], rng: Dice, days: int) -> str | None:
    """An account at a bank that does not exist: the code of the bank is zeros."""
    body = "0000" + "".join(fill("#", rng) if c.isdigit() else c for c in found["body"][4:])
    return f"{found['country']}{mod_97_10.calc_check_digits(body + found['country'])}{body}"


# how many characters a number has, what it looks like, and how another one is made
_KINDS: tuple[tuple[Collection[int], re.Pattern[str], Make], ...] = (
    ((13,), re.compile(r"756\d{10}"), _avs),
    ((10, 12), re.compile(r"(?P<century>19|20)?(?P<date>\d\d[01]\d[0-3]\d)(?P<serial>\d{4})"), _personnummer),
    ((10, 12), re.compile(r"(?P<century>19|20)?(?P<date>\d\d[01]\d[6-9]\d)(?P<serial>\d{4})"), _personnummer),
    ((9,), re.compile(r"(?P<digits>\d{8})(?P<letter>[A-Za-z])"), _dni),
    ((9,), re.compile(r"(?P<first>[XYZxyz])(?P<digits>\d{7})(?P<letter>[A-Za-z])"), _nie),
    ((12,), re.compile(r"(?P<province>[0-6]\d)(?P<number>\d{8})(?P<control>\d\d)"), _nass),
    ((16,), re.compile(r"[A-Z]{4}(?P<year>\d\d)(?P<month>[01]\d)(?P<day>[0-7]\d)\d{6}"), _cip),
    ((15,), re.compile(r"(?P<body>(?P<sex>[12])(?P<year>\d\d)(?P<month>[01]\d)\d{8})(?P<key>\d\d)"), _nir),
    ((10,), re.compile(r"[12]\d{9}"), _npi),
    ((10,), re.compile(r"[4679]\d{9}"), _nhs),  # the first digits of those issued in England and Wales, and of examples
    (range(5, 9), re.compile(rf"(?P<canton>{'|'.join(_CANTONS)})(?P<number>[1-9]\d{{2,5}})"), _plate),
    ((17,), re.compile(r"(?i)(?=.*[A-Z])(?=.*\d)[0-9A-HJ-NPR-Z]{17}"), _vin),
    (range(13, 20), re.compile(r"\d{13,19}"), _card),
    (range(15, 35), re.compile(r"(?P<country>[A-Z]{2})\d\d(?P<body>[0-9A-Z]{11,30})"), _iban),
)


@lru_cache(maxsize=64)
def _of_length(length: int) -> tuple[tuple[re.Pattern[str], Make], ...]:
    return tuple((pattern, make) for lengths, pattern, make in _KINDS if length in lengths)


@dataclass(slots=True)
class IdSurrogates:
    """Gives identifiers their surrogates; `days` is the shift of the patient's dates, for numbers that hold a birth date."""

    scope: Scope
    guard: Guard
    days: int

    def surrogate_of(self, text: str, label: str = "") -> str:
        """The surrogate of an identifier. The separators take no part, so that two layouts of a number stay one number."""
        compact = text if text.isalnum() else "".join([character for character in text if character.isalnum()])
        form = fold_word(compact)
        rng = self.scope.rng("ids", form, self.scope.turn(f"id {form}"))
        return self.guard.draw_other(text, lambda: self._drawn(text, compact, label, rng))

    def _drawn(self, text: str, compact: str, label: str, rng: Dice) -> str:
        if "SSN" in label and (found := _SSN.fullmatch(text)):
            # areas from 900 on were never issued; groups up to 49 keep clear of taxpayer numbers
            area, group = f"9{int(rng.random() * 100):02d}", f"{1 + int(rng.random() * 49):02d}"
            return f"{area}{found[2]}{group}{found[4]}{int(rng.random() * 10000):04d}"
        checked = draw_checked_number(compact, rng, self.days) or draw_slipped_number(text, rng, self.days)
        if checked is not None and len(checked) == len(compact):
            return write_into(text, checked, str.isalnum)
        return self._free(text, rng)

    def _free(self, text: str, rng: Dice) -> str:
        """Character for character; words that say what the number is stay, and a year becomes another year."""
        kept = _kept()
        if text.isdecimal():
            return other_characters(text, rng)
        parts: list[str] = []
        years = {match.start() for match in _YEAR.finditer(text)}
        for match in _RUN.finditer(text):
            run = match[0]
            if 1 < len(run) < len(text) and fold_word(run) in kept:
                parts.append(run)
            elif match.start() in years:
                parts.append(str(2005 + int(rng.random() * 18)))
            else:
                parts.append(other_characters(run, rng))
        return "".join(parts)


def is_number(text: str) -> bool:
    """Say whether a text is a number or code, and not words that were marked as one.

    >>> is_number("NHC-123456"), is_number("Residente de 5° año"), is_number("ABCD")
    (True, False, True)
    """
    if text.isdecimal():
        return True
    words = [word for word in _WORDS.findall(text) if fold_word(word) not in _kept()]
    return not words and (text.isupper() or any(map(str.isdigit, text)))


@cache
def _kept() -> frozenset[str]:
    """Words in front of numbers that are part of their format."""
    return frozenset(read_data("ids.toml")["kept"].split())
