"""Checks with numbers. A candidate that fails one is a less sure identifier, or none where nothing else tells it."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR
from functools import cache
from importlib.util import find_spec

from innominate.core import UsageError
from innominate.languages import language_codes, load_language

Check = Callable[[str], bool]
_NUMBERS = re.compile(r"\d+")
DOUBTFUL = 0.7  # what is left of the score when a check fails
_DECIDES = frozenset({"card"})  # nothing else tells these: what fails is none


def check(name: str, text: str) -> float:
    """1 if the text passes the check, else less; 0 if it then is nothing at all.

    >>> check("date", "31.02.2020") < check("date", "29.02.2020") == 1.0
    True
    >>> check("card", "4111 1111 1111 1111"), check("card", "4111 1111 1111 1112")
    (1.0, 0.0)
    """
    if find_check(name)(text):
        return 1.0
    return 0.0 if name in _DECIDES else DOUBTFUL


@cache
def find_check(name: str) -> Check:
    """A check by its name; `phone.CODE` is that of a language, `stdnum.MODULE` that of a module of python-stdnum."""
    family, _, rest = name.partition(".")
    if family == "phone" and rest in language_codes():
        return _phone(rest)
    if family == "stdnum" and find_spec(name):
        return _stdnum(rest)
    if name not in _CHECKS:
        raise UsageError(f"names a check {name!r}; there are: {', '.join(_CHECKS)}, phone.CODE, stdnum.MODULE")
    return _CHECKS[name]


def _date(text: str) -> bool:
    """A day that exists in the calendar, in either order of day and month."""
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    if len(numbers) != 3:
        return True
    if numbers[0] > 31:
        numbers.reverse()
    day, month, year = numbers
    year += 2000 if year < 100 else 0
    return _exists(year, month, day) or _exists(year, day, month)


def _exists(year: int, month: int, day: int) -> bool:
    if not (MINYEAR <= year <= MAXYEAR and 1 <= month <= 12 and day):
        return False
    return day <= 28 or day <= monthrange(year, month)[1]


_PUNCTUATION = str.maketrans("", "", " ()-./\u00a0")


def _phone(lang: str) -> Check:
    """Numbers of the countries of a language; those that are written as most are need no library."""
    language = load_language(lang)
    ordinary = re.compile(language.ordinary_phone, re.ASCII)

    def valid(text: str) -> bool:
        if ordinary.fullmatch(text.translate(_PUNCTUATION)):
            return True
        import phonenumbers

        for region in language.countries:
            try:
                if phonenumbers.is_possible_number(phonenumbers.parse(text, region)):
                    return True
            except phonenumbers.NumberParseException:
                continue
        return False

    return valid


def _stdnum(module: str) -> Check:
    def valid(text: str) -> bool:
        from importlib import import_module

        return bool(import_module(f"stdnum.{module}").is_valid(text))

    return valid


def _personnummer(text: str) -> bool:
    """A personnummer or a samordningsnummer, whose day is 60 too high; the check digit is over the digits as written."""
    from stdnum import luhn
    from stdnum.se import personnummer

    if personnummer.is_valid(text):
        return True
    digits = re.sub(r"\D", "", text)[-10:]
    if len(digits) != 10 or not luhn.is_valid(digits):
        return False
    year, month, day = (int(digits[at : at + 2]) for at in (0, 2, 4))
    return day > 60 and any(_exists(century + year, month, day - 60) for century in (1900, 2000))


def _card(text: str) -> bool:
    from stdnum import luhn

    return luhn.is_valid(text.translate(_PUNCTUATION))


def _kvnr(text: str) -> bool:
    """A German health insurance number: a letter, eight digits and a check digit."""
    number = text.replace(" ", "")
    if not re.fullmatch(r"[A-Z]\d{9}", number):
        return False
    digits = f"{ord(number[0]) - 64:02}{number[1:9]}"
    products = (int(digit) * (1 + at % 2) for at, digit in enumerate(digits))
    return sum(product // 10 + product % 10 for product in products) % 10 == int(number[9])


_CHECKS: dict[str, Check] = {
    "date": _date,
    "avs": _stdnum("ch.ssn"),
    "nir": _stdnum("fr.nir"),
    "personnummer": _personnummer,
    "dni": _stdnum("es.dni"),
    "nie": _stdnum("es.nie"),
    "ssn": _stdnum("us.ssn"),
    "iban": _stdnum("iban"),
    "card": _card,
    "kvnr": _kvnr,
}
