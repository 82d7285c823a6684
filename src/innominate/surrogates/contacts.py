"""E-mail addresses and user names that belong to a person, web addresses and IP addresses, telephone and fax numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from innominate.languages import load_language
from innominate.languages.topics import Phones
from innominate.surrogates.names import Name
from innominate.surrogates.places import draw_city
from innominate.surrogates.weighted import Weighted, fill, pairs
from innominate.text.accents import fold_word

_WITH_AREA = 0.4  # share of fixed lines with one of the listed area codes


def email(name: Name, lang: str, rng: Random, *, work: bool = False) -> str:
    """An address made from a name; at work it ends in a hospital's domain.

    >>> email(Name(("Marie-Laure",), ("Christiansen",), "f"), "fr", Random(2)).split("@")[0].isascii()
    True
    """
    first, last = ascii_word(name.first[0]), ascii_word(name.last[0])
    bare, initial = first.replace("-", ""), first[:1]
    forms = (f"{first}.{last}", f"{first}.{last}", f"{initial}.{last}", f"{bare}{last}", f"{last}.{first}", f"{initial}{last}")
    local = forms[int(rng.random() * (3 if work else len(forms)))]
    if not work and rng.random() < 0.3:
        local += str(int(rng.random() * 99) + 1)
    return f"{local}@{domain(lang, rng, work=work)}"


def username(name: Name, rng: Random) -> str:
    """A login made from a name: `mchristi`, `mlc42`.

    >>> username(Name(("Eva",), ("Holm",), "f"), Random(5)).isascii()
    True
    """
    first, last = ascii_word(name.first[0]).replace("-", ""), ascii_word(name.last[0]).replace("-", "")
    digits = int(rng.random() * 900) + 10
    forms = (f"{first[:1]}{last[:7]}", f"{last[:3]}{first[:1]}{digits}", f"{first[:2]}{digits}", f"{last[:6]}{first[:2]}")
    return forms[int(rng.random() * len(forms))]


def url(lang: str, rng: Random) -> str:
    """The address of a hospital's page.

    >>> "." in url("sv", Random(1))
    True
    """
    start = ("www.", "www.", "https://www.", "http://www.", "https://")[int(rng.random() * 5)]
    return start + domain(lang, rng, work=True) + _pick(load_language(lang).contacts.path, rng)


def ip(rng: Random) -> str:
    """An IPv4 address, mostly private.

    >>> len(ip(Random(1)).split("."))
    4
    """
    draw = rng.random()
    start = "10." if draw < 0.4 else "192.168." if draw < 0.7 else "172.16." if draw < 0.8 else ""
    count = 4 - start.count(".")
    return start + ".".join(str(int(rng.random() * 254) + 1) for _ in range(count))


def domain(lang: str, rng: Random, *, work: bool) -> str:
    """A mail domain, private or of an institution."""
    contacts = load_language(lang).contacts
    chosen = _pick(contacts.work if work else contacts.private, rng)
    return chosen.replace("{city}", ascii_word(draw_city(lang, rng)).replace("-", "")) if "{" in chosen else chosen


@lru_cache(maxsize=20_000)
def ascii_word(text: str) -> str:
    """The letters of a name as an address can hold them.

    >>> ascii_word("D'Éternod-Sjöö")
    'deternod-sjoo'
    """
    folded = fold_word(text.replace("ß", "ss").replace("ı", "i"))
    return "".join(c for c in folded if c.isascii() and (c.isalnum() or c == "-")) or "x"


def _pick(values: Sequence[str], rng: Random) -> str:
    return values[int(rng.random() * len(values))]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The numbering plan of a country, ready to draw from."""

    code: str
    phones: Phones
    numbers: Weighted[str]
    styles: Weighted[str]


def draw_phone(lang: str, rng: Random, *, fictional: bool = True) -> str:
    """Draw a number. With `fictional` it comes from a range kept for films and books, where the country has one.

    >>> draw_phone("en", Random(2))[-4:-2]
    '01'
    """
    plan = _plan(lang)
    if plan.phones.areas and rng.random() < _WITH_AREA:
        return _draw_with_area(plan, rng, fictional=fictional)
    kept = plan.phones.fictional
    pattern = kept[int(rng.random() * len(kept))] if fictional and kept else plan.numbers.draw(rng)
    return _write(fill(pattern, rng), plan, rng)


def _write(digits: str, plan: _Plan, rng: Random) -> str:
    """Write digits in one of the styles."""
    parts, position = [], 0
    own = (groups for area, groups in plan.phones.area_groups.items() if digits.startswith(area))
    for size in next(own, plan.phones.groups):
        parts.append(digits[position : position + size])
        position += size
    style = plan.styles.draw(rng)
    by_twos = (digits[:3], digits[3:5], digits[5:7], digits[7:9])  # 612 34 56 78, where there are three groups
    text = style.format(*parts, *by_twos, t=parts[0][1:])
    return fill(text, rng) if "#" in style else text


def _draw_with_area(plan: _Plan, rng: Random, *, fictional: bool) -> str:
    """A fixed line whose area code has its own length: 018-12 34 56."""
    phones = plan.phones
    if fictional:
        area, pattern = phones.area_fictional[int(rng.random() * len(phones.area_fictional))]
    else:
        area = phones.areas[int(rng.random() * len(phones.areas))]
        pattern = Weighted(*pairs(phones.area_numbers)).draw(rng)[: 10 - len(area)]  # a long area code leaves six digits
    digits = fill(pattern, rng)
    head = len(digits) - 4
    local = f"{digits[:head]} {digits[head : head + 2]} {digits[head + 2 :]}"
    draw = rng.random()
    if draw < 0.1:
        return f"+{plan.code} {area[1:]} {local}"
    return f"{area}-{local}" if draw < 0.8 else f"{area}-{digits}" if draw < 0.9 else f"{area} {local}"


@cache
def _plan(lang: str) -> _Plan:
    language = load_language(lang)
    phones = language.contacts.phones
    return _Plan(language.phone_code, phones, Weighted(*pairs(phones.numbers)), Weighted(*pairs(phones.styles)))
