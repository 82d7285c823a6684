"""Checks with numbers. A candidate that fails one is a less sure identifier, or none where nothing else tells it."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR

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
    if CHECKS[name](text):
        return 1.0
    return 0.0 if name in _DECIDES else DOUBTFUL


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


# Numbers as they are mostly written, without their punctuation: the library agrees, at a hundred times the cost.
ORDINARY_PHONES = {"US": r"[2-9]\d{9}", "CH": r"0[1-9]\d{8}", "ES": r"[6-9]\d{8}", "SE": r"0[1-9]\d{7,8}"}
_PUNCTUATION = str.maketrans("", "", " ()-./\u00a0")


def _phone(*regions: str) -> Callable[[str], bool]:
    ordinary = re.compile(ORDINARY_PHONES[regions[0]], re.ASCII)

    def valid(text: str) -> bool:
        if ordinary.fullmatch(text.translate(_PUNCTUATION)):
            return True
        import phonenumbers

        for region in regions:
            try:
                if phonenumbers.is_possible_number(phonenumbers.parse(text, region)):
                    return True
            except phonenumbers.NumberParseException:
                continue
        return False

    return valid


def _stdnum(module: str) -> Callable[[str], bool]:
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


CHECKS: dict[str, Callable[[str], bool]] = {
    "date": _date,
    "phone.fr": _phone("CH", "FR"),
    "phone.en": _phone("US", "GB"),
    "phone.sv": _phone("SE"),
    "phone.es": _phone("ES"),
    "avs": _stdnum("ch.ssn"),
    "nir": _stdnum("fr.nir"),
    "personnummer": _personnummer,
    "dni": _stdnum("es.dni"),
    "nie": _stdnum("es.nie"),
    "ssn": _stdnum("us.ssn"),
    "iban": _stdnum("iban"),
    "card": _card,
}
