"""Word lists of a language, with cities, surnames and ranges of numbers inside their entries; its settings for notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from innominate.core import FormatError
from innominate.languages import Language, language_folder, load_language
from innominate.languages.topics import Notes
from innominate.surrogates.names import draw_name
from innominate.surrogates.places import draw_city
from innominate.surrogates.weighted import Weighted, pairs
from innominate.synth.template import Nodes, labels_in, parse_template

Part = str | Callable[[Random], str]
Entry = tuple[Part, ...]

_FIELD = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(?P<low>[0-9]+(?P<fraction>[.,][0-9]+)?)-(?P<high>[0-9]+([.,][0-9]+)?)")
EXTENTS = ("each", "whole", "parts")


class Lexicon:
    """All lists of one language.

    >>> "drug" in lexicon("en")
    True
    """

    def __init__(self, lists: Mapping[str, Weighted[Entry]]) -> None:
        self.lists = lists

    def __contains__(self, kind: str) -> bool:
        return kind in self.lists

    def draw(self, kind: str, rng: Random) -> str:
        """Draw an entry and fill it."""
        return write(self.lists[kind].draw(rng), rng)


def write(entry: Entry, rng: Random) -> str:
    """Fill the cities, surnames and numbers of an entry."""
    if len(entry) == 1 and isinstance(entry[0], str):
        return entry[0]
    return "".join([part if isinstance(part, str) else part(rng) for part in entry])


@cache
def lexicon(lang: str) -> Lexicon:
    """Read every list of a language once."""
    paths = sorted((language_folder(lang) / "lexicon").glob("*.txt"))
    lists = {path.stem: parse_list(path.read_text("utf-8"), lang, f"{lang}/lexicon/{path.name}") for path in paths}
    return Lexicon(lists)


def parse_list(text: str, lang: str, source: str = "") -> Weighted[Entry]:
    """Read one list: an entry a line, '#' before comments, a weight after a tab.

    >>> write(parse_list("Na {140-140} mmol/l", "fr").draw(Random(1)), Random(1))
    'Na 140 mmol/l'
    """
    entries: list[Entry] = []
    weights: list[float] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words, _, weight = line.partition("\t")
        try:
            entries.append(_entry(words.strip(), lang))
            weights.append(float(weight) if weight.strip() else 1.0)
        except ValueError as reason:
            raise FormatError(str(reason), source=source, line=number) from None
    if not entries:
        raise FormatError("the list is empty", source=source)
    return Weighted(entries, weights)


def _entry(text: str, lang: str) -> Entry:
    """Split an entry into plain text and what must be filled in."""
    parts: list[Part] = []
    position = 0
    for field in _FIELD.finditer(text):
        before = text[position : field.start()]
        before, filler = _join_city(before, lang) if field[1] == "city" else (before, _filler(field[1], lang))
        parts += [before, filler]
        position = field.end()
    parts.append(text[position:])
    if any(isinstance(part, str) and ("{" in part or "}" in part) for part in parts):
        raise ValueError("a brace is not closed")
    return tuple(part for part in parts if part) or ("",)


def _join_city(before: str, lang: str) -> tuple[str, Callable[[Random], str]]:
    """A town with the small word before it, where that changes with the town: `Hôpital de {city}`."""
    small = load_language(lang).small_words
    joined = {contraction.split()[0] for contraction in small.contractions}
    word = before.rstrip().rpartition(" ")[2].lower()
    if word not in joined or not before.endswith(" "):
        return before, lambda rng: draw_city(lang, rng)
    return before[: -len(word) - 1], lambda rng: small.join(word, draw_city(lang, rng))


def _filler(field: str, lang: str) -> Callable[[Random], str]:
    if field == "last":
        return lambda rng: draw_name(lang, rng).last[0]
    found = _RANGE.fullmatch(field)
    if not found:
        raise ValueError(f"{{{field}}} is neither {{city}}, {{last}} nor a range of numbers")
    decimals = len(found["fraction"] or ".") - 1
    low, high = (round(float(found[end].replace(",", ".")) * 10**decimals) for end in ("low", "high"))
    if low > high:
        raise ValueError(f"{{{field}}} runs backwards")
    mark = (found["fraction"] or ".")[0]
    return lambda rng: _number(low + int(rng.random() * (high - low + 1)), decimals, mark)


def _number(value: int, decimals: int, mark: str) -> str:
    if not decimals:
        return str(value)
    whole, fraction = divmod(value, 10**decimals)
    return f"{whole}{mark}{fraction:0{decimals}d}"


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, so that it can be a key of caches
class Setting:
    """A language, how its notes are labelled, and its lexicon."""

    language: Language
    notes: Notes
    layouts: Mapping[str, Nodes]
    kin_groups: Mapping[str, str]  # from a word to its generation
    numbers: Weighted[str]
    words: Lexicon

    @property
    def lang(self) -> str:
        """The code of the language."""
        return self.language.code


@cache
def setting(lang: str) -> Setting:
    """The setting of a language, loaded once; a label that its notes do not have is an error.

    >>> setting("fr").language.name_extents, setting("sv").notes.label("time")
    ('each', '')
    """
    language = load_language(lang)
    notes, source = language.notes, f"{lang}/notes.toml"
    layouts = {name: parse_template(text, name, source=source).nodes for name, text in notes.layout.items()}
    used = {*notes.slots.values(), *(label for label, _ in notes.ids.values()), *notes.dates.values()}
    used |= {label for labels in notes.roles.values() for label in labels}
    used |= {label for layout in layouts.values() for label in labels_in(layout)}
    if unknown := sorted(used - notes.labels):
        raise FormatError(f"labels that are not among `labels`: {', '.join(unknown)}; add them there", source=source)
    if language.name_extents not in EXTENTS:
        raise FormatError(f"name_extents is one of {', '.join(EXTENTS)}", source=f"{lang}/language.toml")
    groups = {word: group for group, words in notes.kin.items() for word in words}
    return Setting(language, notes, layouts, groups, Weighted(*pairs(notes.numbers)), lexicon(lang))
