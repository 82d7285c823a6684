"""E-mail addresses and user names that belong to a person, web addresses and IP addresses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from innominate.languages import load_language
from innominate.surrogates.names import Name
from innominate.surrogates.places import draw_city
from innominate.text.accents import fold_word


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
