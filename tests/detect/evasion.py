"""Identifiers in disguise: 18 kinds of identifier, and ways to write them that a reader does not notice."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from random import Random

from innominate.surrogates.contacts import draw_phone, email, url
from innominate.surrogates.dates import format_date
from innominate.surrogates.ids import draw_id
from innominate.surrogates.names import draw_name
from innominate.surrogates.places import draw_place

LANG = "fr"


def day(rng):
    return date(1930 + rng.randrange(90), 1 + rng.randrange(12), 1 + rng.randrange(28))


def id_of(kind):
    return lambda rng: draw_id(LANG, kind, rng, birth=day(rng))


def place_of(part):
    return lambda rng: getattr(draw_place(LANG, rng), part)


# kind: the sentence, and how a value is drawn
KINDS: dict[str, tuple[str, Callable[[Random], str]]] = {
    "patient": ("Mme {} dort bien.", lambda rng: draw_name(LANG, rng).lasts),
    "first name": ("La patiente, Mme {} Rochat, dort bien.", lambda rng: draw_name(LANG, rng).first[0]),
    "staff": ("Vu par le Dr {} ce matin.", lambda rng: draw_name(LANG, rng).lasts),
    "birth date": ("Née le {} en Suisse.", lambda rng: format_date(day(rng), "{dd}.{mm}.{y}", "fr")),
    "long date": ("Revu le {} au contrôle.", lambda rng: format_date(day(rng), "{D} {M} {y}", "fr")),
    "month": ("Suivi depuis {} pour cela.", lambda rng: format_date(day(rng), "{M} {y}", "fr")),
    "time": ("Entrée à {} aux urgences.", lambda rng: f"{rng.randrange(24)}h{rng.randrange(60):02d}"),
    "age": ("Patiente de {} connue pour diabète.", lambda rng: f"{rng.randrange(18, 99)} ans"),
    "phone": ("Tél. {} pour le suivi.", lambda rng: draw_phone(LANG, rng, fictional=False)),
    "fax": ("Fax : {} ou par courrier.", lambda rng: draw_phone(LANG, rng, fictional=False)),
    "email": ("Écrire à {} si besoin.", lambda rng: email(draw_name(LANG, rng), LANG, rng)),
    "url": ("Voir {} pour les détails.", lambda rng: url(LANG, rng)),
    "street": ("Domicile : {} 12, Lausanne.", place_of("street")),
    "postal code": ("Rue du Lac 3, {} Lausanne.", place_of("zip")),
    "town": ("Domicile : rue du Lac 3, 1000 {}.", place_of("city")),
    "patient number": ("IPP : {} selon le dossier.", id_of("ipp")),
    "stay number": ("Numéro de séjour : {} en cours.", id_of("stay")),
    "insurance number": ("No AVS {} transmis.", id_of("avs")),
}

LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MATHEMATICAL = "".join(chr(0x1D41A + i) for i in range(26)) + "".join(chr(0x1D400 + i) for i in range(26))
FULL_WIDTH = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)} | {" ": "\u3000"}
BOLD = dict(zip(LATIN, MATHEMATICAL, strict=True)) | {str(i): chr(0x1D7CE + i) for i in range(10)}
CIRCLED = {c: chr(0x24D0 + i) if i < 26 else chr(0x24B6 + i - 26) for i, c in enumerate(LATIN)}
CIRCLED |= {str(i): chr(0x2460 + i - 1) if i else "\u24ea" for i in range(10)}
ARABIC = {str(i): chr(0x0660 + i) for i in range(10)}
DEVANAGARI = {str(i): chr(0x0966 + i) for i in range(10)}
CYRILLIC = dict(zip("aceopxyijsABCEHIKMOPTXSJ", "асеорхуіјѕАВСЕНІКМОРТХЅЈ", strict=True))
GREEK = dict(zip("ovaipABEZHIKMNOPTYX", "οναιρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", strict=True))
SPACES = {" ": "\u00a0", "-": "\u2012", ".": ".", "'": "\u2019", "/": "\u2044"}
NARROW = {" ": "\u202f", "-": "\u2011", "'": "\u02bc", ".": "\u2024", "/": "\u2215"}


def inserted(*characters):
    """The characters in turn after every character but the last."""
    return lambda value: [c + characters[i % len(characters)] for i, c in enumerate(value[:-1])] + [value[-1]]


def wrapped(before, after):
    """Around every character, and around all of them."""
    return lambda value: [before * (i == 0) + before + c + after + after * (i == len(value) - 1) for i, c in enumerate(value)]


def replaced(table):
    return lambda value: [table.get(c, c) for c in value]


def decomposed(value):
    return [unicodedata.normalize("NFD", c) for c in value]


def joined(value):
    """A grapheme joiner after every letter, also between a letter and its accent."""
    return ["\u034f".join(unicodedata.normalize("NFD", c)) + "\u034f" * (c != value[-1]) for c in value]


TRICKS: dict[str, Callable[[str], list[str]]] = {
    "zero-width space": inserted("\u200b"),
    "zero-width non-joiner": inserted("\u200c"),
    "zero-width joiner": inserted("\u200d"),
    "word joiner": inserted("\u2060"),
    "soft hyphen": inserted("\u00ad"),
    "direction marks": inserted("\u200e", "\u200f", "\u061c"),
    "bidi embedding": wrapped("\u202a", "\u202c"),
    "bidi override": wrapped("\u202d", "\u202c"),
    "bidi isolate": wrapped("\u2066", "\u2069"),
    "grapheme joiner": joined,
    "Mongolian vowel separator": inserted("\u180e"),
    "tag characters": inserted("\U000e0041", "\U000e0020"),
    "byte order mark": inserted("\ufeff"),
    "variation selectors": inserted("\ufe0f", "\U000e0101"),
    "invisible operators": inserted("\u2061", "\u2063", "\u206a"),
    "decomposed": decomposed,
    "full-width": replaced(FULL_WIDTH),
    "mathematical": replaced(BOLD),
    "Arabic digits": replaced(ARABIC),
    "Devanagari digits": replaced(DEVANAGARI),
    "Cyrillic": replaced(CYRILLIC),
    "Greek": replaced(GREEK),
    "spaces and dashes": replaced(SPACES),
    "narrow spaces and dots": replaced(NARROW),
    "character references": lambda value: [f"&#{ord(c)};" for c in value],
    "hexadecimal references": lambda value: [f"&#x{ord(c):X};" for c in value],
    "control characters": inserted("\x00", "\x1f"),
    "struck through": inserted("\u0336"),
    "circled": replaced(CIRCLED),
    "Roman numerals": replaced(dict(zip("ivxlcdmIVXLCDM", "ⅰⅴⅹⅼⅽⅾⅿⅠⅤⅩⅬⅭⅮⅯ", strict=True))),
    "small forms": replaced(dict(zip("@.:-,;#&", "﹫﹒﹕﹣﹐﹔﹟﹠", strict=True))),
}


def words(value):
    """Where the words of a value stand: all of each has to be covered, what separates them not."""
    return [found.span() for found in re.finditer(r"\w+", value)]
