"""Identifiers with valid check digits, consistent with birth date and gender where the number carries them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from random import Random

from stdnum import ean, luhn
from stdnum.es import dni
from stdnum.iso7064 import mod_11_10, mod_97_10

from innominate.core import UsageError
from innominate.languages import load_language
from innominate.surrogates.weighted import Weighted, fill, pairs
from innominate.text.accents import fold_word


def draw_id(lang: str, kind: str, rng: Random, *, birth: date, gender: str = "f", last: str = "") -> str:
    """Draw an identifier of a kind that the lang has.

    >>> draw_id("fr", "avs", Random(1), birth=date(1950, 5, 3))[:4]
    '756.'
    """
    kinds = _kinds(lang)
    if kind not in kinds:
        raise UsageError(f"{lang} has no identifier {kind!r}; there are: {', '.join(kinds)}")
    how = kinds[kind]
    if isinstance(how, str):
        return _MAKE[how](rng, birth, gender, last)
    return fill(how.draw(rng), rng)


def id_kinds(lang: str) -> tuple[str, ...]:
    """The kinds of identifier of a lang.

    >>> "personnummer" in id_kinds("sv")
    True
    """
    return tuple(_kinds(lang))


@cache
def _kinds(lang: str) -> Mapping[str, str | Weighted[str]]:
    kinds = load_language(lang).ids.kinds
    return {kind: rule.make or Weighted(*pairs(rule.patterns)) for kind, rule in kinds.items()}


def _avs(rng: Random, birth: date, gender: str, last: str) -> str:
    """Swiss insurance number: 756, nine digits, EAN-13 check digit."""
    digits = "756" + fill("#########", rng)
    digits += ean.calc_check_digit(digits)
    grouped = f"{digits[:3]}.{digits[3:7]}.{digits[7:11]}.{digits[11:]}"
    return grouped if rng.random() < 0.85 else grouped.replace(".", "") if rng.random() < 0.5 else grouped.replace(".", " ")


def _ssn(rng: Random, birth: date, gender: str, last: str) -> str:
    """US Social Security number from ranges that were never issued: areas 000, 666 and 900 to 999."""
    area = "666" if rng.random() < 0.2 else "000" if rng.random() < 0.1 else fill("9##", rng)
    number = f"{area}-{fill('##-####', rng)}"
    return number if rng.random() < 0.9 else number.replace("-", "")


def _npi(rng: Random, birth: date, gender: str, last: str) -> str:
    """US provider identifier: ten digits whose Luhn sum is taken with 80840 before them."""
    digits = fill("1########", rng)
    return digits + luhn.calc_check_digit("80840" + digits)


def _personnummer(rng: Random, birth: date, gender: str, last: str) -> str:
    """Swedish personal number: birth date, serial (odd for men), Luhn digit."""
    return _swedish(rng, birth, gender, coordination=False)


def _samordningsnummer(rng: Random, birth: date, gender: str, last: str) -> str:
    """Swedish coordination number: as the personal number, with 60 added to the day."""
    return _swedish(rng, birth, gender, coordination=True)


def _swedish(rng: Random, birth: date, gender: str, *, coordination: bool) -> str:
    day = birth.day + (60 if coordination else 0)
    serial = f"{int(rng.random() * 99):02d}{int(rng.random() * 5) * 2 + (gender == 'm')}"
    short = f"{birth.year % 100:02d}{birth.month:02d}{day:02d}"
    four = serial + luhn.calc_check_digit(short + serial)
    draw = rng.random()
    if draw < 0.6:
        return f"{birth.year // 100}{short}-{four}"
    # a plus sign stands in the year in which somebody turns 100; nobody in these notes does, so '-' is right
    return f"{short}-{four}" if draw < 0.9 else f"{birth.year // 100}{short}{four}"


def _dni_or_nie(rng: Random, birth: date, gender: str, last: str) -> str:
    """Spanish identity number: eight digits and a letter, or for foreigners X, Y or Z and seven digits."""
    if rng.random() < 0.85:
        digits = fill("%#######", rng)
        letter, body = dni.calc_check_digit(digits), digits
    else:
        first = int(rng.random() * 3)
        rest = fill("#######", rng)
        letter, body = dni.calc_check_digit(f"{first}{rest}"), "XYZ"[first] + rest
    return f"{body}-{letter}" if rng.random() < 0.25 else body + letter


def _nass(rng: Random, birth: date, gender: str, last: str) -> str:
    """Spanish social security number: province, eight digits, the number before it modulo 97."""
    province, number = int(rng.random() * 50) + 1, fill("%#######", rng)
    control = int(f"{province:02d}{number}") % 97
    separator = ("", " ", "/")[int(rng.random() * 3)]
    return f"{province:02d}{separator}{number}{separator}{control:02d}"


def _cip(rng: Random, birth: date, gender: str, last: str) -> str:
    """Code on a Spanish health card: letters of the surnames, birth date, serial."""
    words = ["".join(filter(str.isalpha, fold_word(part))) for part in (*last.split(), "X", "X")[:2]]
    letters = [f"{word}XX"[:2].upper() for word in words]
    return "".join(letters) + f"{birth:%y%m}{birth.day + (40 if gender == 'f' else 0):02d}" + fill("######", rng)


def _kvnr(rng: Random, birth: date, gender: str, last: str) -> str:
    """German health insurance number: a letter, eight digits, a check digit over the number of the letter and the digits."""
    letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[int(rng.random() * 26)]
    digits = fill("########", rng)
    weighed = (int(digit) * (1 + at % 2) for at, digit in enumerate(f"{ord(letter) - 64:02}{digits}"))
    number = f"{letter}{digits}{sum(value // 10 + value % 10 for value in weighed) % 10}"
    return number if rng.random() < 0.7 else f"{number[0]} {number[1:4]} {number[4:7]} {number[7:]}"


def _svnr(rng: Random, birth: date, gender: str, last: str) -> str:
    """Austrian insurance number: serial, check digit, birth date; a serial whose check digit would be 10 is not given."""
    born = f"{birth:%d%m%y}"
    while True:
        serial = fill("%##", rng)
        check = sum(int(digit) * weight for digit, weight in zip(serial + born, (3, 7, 9, 5, 8, 4, 2, 1, 6), strict=True)) % 11
        if check < 10:
            return f"{serial}{check} {born}" if rng.random() < 0.8 else f"{serial}{check}{born}"


def _rvnr(rng: Random, birth: date, gender: str, last: str) -> str:
    """German pension insurance number: area, birth date, initial of the surname, serial, check digit."""
    area = ("10", "12", "13", "15", "18", "21", "24", "25", "28", "29", "50", "52", "53", "65")[int(rng.random() * 14)]
    initial = (fold_word(last)[:1].upper() or "M").translate(str.maketrans("", "", "0123456789")) or "M"
    serial = f"{int(rng.random() * 50) + (50 if gender == 'f' else 0):02}"
    body = f"{area}{birth:%d%m%y}{ord(initial) - 64:02}{serial}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    check = sum(sum(map(int, str(int(digit) * weight))) for digit, weight in zip(body, weights, strict=True)) % 10
    return f"{area} {birth:%d%m%y} {initial} {serial}{check}"


def _steuer_id(rng: Random, birth: date, gender: str, last: str) -> str:
    """German tax number: ten digits of which one is there twice, and a check digit (ISO 7064 MOD 11, 10)."""
    first, *rest = rng.sample("123456789", 9)
    digits = first + "".join(rng.sample([*rest, rest[0]], 9))
    number = digits + mod_11_10.calc_check_digit(digits)
    return f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}" if rng.random() < 0.5 else number


def _iban(rng: Random, birth: date, gender: str, last: str) -> str:
    """A German bank account with the right check digits."""
    account = fill("%#################", rng)
    number = f"DE{mod_97_10.calc_check_digits(account + 'DE')}{account}"
    return " ".join(number[at : at + 4] for at in range(0, 22, 4))


_MAKE: dict[str, Callable[[Random, date, str, str], str]] = {
    "avs": _avs,
    "ssn": _ssn,
    "npi": _npi,
    "personnummer": _personnummer,
    "samordningsnummer": _samordningsnummer,
    "dni_or_nie": _dni_or_nie,
    "nass": _nass,
    "cip": _cip,
    "kvnr": _kvnr,
    "svnr": _svnr,
    "rvnr": _rvnr,
    "steuer_id": _steuer_id,
    "iban": _iban,
}
