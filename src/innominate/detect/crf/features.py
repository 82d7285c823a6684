"""Which features a model has, how far its window reaches, and the attributes of a note that follow from them.

Features of a token alone are computed once per distinct token. Those of places depend on where a token stands (its line, its
field, the rules, the rest of the note): each yields `(attributes, first, last)`, which hold for the tokens `[first, last)`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from innominate.core import Span, UsageError
from innominate.detect.crf.tokenise import Tokens
from innominate.detect.rules.sources import library_words
from innominate.detect.rules.words import plain
from innominate.text.sections import sections


class NoteWithRules(NamedTuple):
    """What these features look at."""

    tokens: Tokens
    rules: Sequence[Span]
    lang: str


Marks = Iterator[tuple[tuple[str, ...], int, int]]
PlaceFeature = Callable[[NoteWithRules], Marks]

_FAR = 9  # tokens from a colon or the edge of a line; further is all the same
_EDGE = 12  # lines from the beginning and the end of a note that are told apart
_RARE = 12  # a word that occurs more often in a note is no name that the note repeats
_LONGEST_FIELD = 4  # tokens before a colon
_COLUMNS = tuple((f"c={column}",) for column in range(_FAR))


def see_line(note: NoteWithRules) -> Marks:
    """Where in its line a token stands, and where in the note the line."""
    lines = note.tokens.lines
    for number, (start, end) in enumerate(lines):
        from_end = len(lines) - 1 - number
        of_line = f"ln={number}" if number < _EDGE else f"le={from_end}" if from_end < _EDGE else "ln=body"
        yield (of_line, "first2=" + " ".join(note.tokens.words[start : start + 2]).lower()), start, end
        for place, mark in zip(range(start, end), _COLUMNS, strict=False):
            yield mark, place, place + 1
        yield ("c=last",), end - 1, end


def see_section(note: NoteWithRules) -> Marks:
    """The heading of the section."""
    starts = note.tokens.starts
    for found in sections(note.tokens.text, note.lang):
        first, last = bisect_left(starts, found.start), bisect_left(starts, found.end)
        if first < last:
            yield (f"h={found.heading.lower()[:40]}",), first, last


def see_field(note: NoteWithRules) -> Marks:
    """The field of a form: the words before the last colon of the line, and how far away that is."""
    words = note.tokens.words
    for start, end in note.tokens.lines:
        colons = [index for index in range(start, end) if words[index] == ":"]
        for colon, stop in pairwise([*colons, end]):
            name = _name(words, start, colon)
            yield (f"f={name}",), colon + 1, stop
            for index, mark in zip(range(colon + 1, stop), _distances(name), strict=False):
                yield mark, index, index + 1


@lru_cache(4_000)  # the fields of a hospital's forms come again in every note
def _distances(name: str) -> Sequence[tuple[str, ...]]:
    return tuple((f"fd={distance}:{name}",) for distance in range(_FAR - 1))


def _name(words: Sequence[str], start: int, colon: int) -> str:
    """The last words before a colon, up to the stop of what stands before them."""
    first = colon
    while first > max(start, colon - _LONGEST_FIELD) and words[first - 1] not in ".:;,":
        first -= 1
    return " ".join(words[first:colon][-2:]).lower()


def see_rules(note: NoteWithRules) -> Marks:
    """What the rules found: over the token, just before it and just after it."""
    starts, ends = note.tokens.starts, note.tokens.ends
    for span in note.rules:
        first, last = bisect_left(ends, span.start + 1), bisect_left(starts, span.end)
        if first < last:
            yield (f"r=B-{span.label}", f"rr={span.source}"), first, first + 1
            yield (f"r=I-{span.label}", f"rr={span.source}"), first + 1, last
            yield (f"r=last-{span.label}",), last - 1, last
            yield (f"r=before-{span.label}",), max(0, first - 1), first
            yield (f"r=after-{span.label}",), last, min(last + 1, len(starts))


def see_context(note: NoteWithRules) -> Marks:
    """Where else in the note a capitalised word or a long number stands: in which field, after and before which word."""
    words = note.tokens.words
    places: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        if len(word) > 2 and (word[0].isupper() or (len(word) > 3 and word.isdecimal())):
            places.setdefault(word.lower(), []).append(index)
    repeated = [found for found in places.values() if 1 < len(found) <= _RARE]
    if not repeated:
        return
    fields = _fields(note)
    for found in repeated:
        around = {index: _around(words, fields, index) for index in found}
        for index in found:
            others = sorted({mark for other in found if other != index for mark in around[other]})
            yield tuple(others), index, index + 1


def _fields(note: NoteWithRules) -> dict[int, str]:
    return {
        index: marks[0][2:] for marks, first, last in see_field(note) if marks[0][1] == "=" for index in range(first, last)
    }


def _around(words: Sequence[str], fields: Mapping[int, str], index: int) -> tuple[str, ...]:
    before = words[index - 1].lower() if index else ""
    after = words[index + 1].lower() if index + 1 < len(words) else ""
    return (f"xf={fields.get(index, '')}", f"xb={before}", f"xa={after}")


PLACE_FEATURES: Mapping[str, PlaceFeature] = {
    "line": see_line,
    "section": see_section,
    "field": see_field,
    "rule": see_rules,
    "context": see_context,
}


WordFeature = Callable[[str], Iterable[str]]

_LONGEST_AFFIX = 5


def see_word(token: str) -> Iterable[str]:
    r"""The token in lower case.

    >>> list(see_word("Rivera"))
    ['w=rivera']
    """
    return (f"w={token.lower()}",)


def see_shape(token: str) -> Iterable[str]:
    """Capitals, digits, length; for numbers what they could be.

    >>> list(see_shape("Rivera")), list(see_shape("03"))
    (['s=Xx', 'l=6'], ['s=d', 'l=2', 'n=zero', 'n=month'])
    """
    if token.isdecimal():
        return ("s=d", f"l={min(len(token), 12)}", *_number(token))
    return (f"s={_shape(token)}", f"l={min(len(token), 12)}")


def see_affixes(token: str) -> Iterable[str]:
    """Beginnings and endings of up to five characters, digits as they are.

    >>> list(see_affixes("Gil"))
    ['p1=g', 'e1=l', 'p2=gi', 'e2=il', 'p3=gil', 'e3=gil']
    """
    lower = token.lower()
    longest = min(_LONGEST_AFFIX, len(lower))
    return [part for n in range(1, longest + 1) for part in (f"p{n}={lower[:n]}", f"e{n}={lower[-n:]}")]


def _shape(token: str) -> str:
    if not token[0].isalpha():
        return "".join(token[:2])
    if token.islower():
        return "x"
    if token.isupper():
        return "X" if len(token) == 1 else "XX"
    return "Xx" if token[0].isupper() and token[1:].islower() else "xX"


def _number(token: str) -> Iterable[str]:
    if token[0] == "0":
        yield "n=zero"
    if len(token) <= 2:
        value = int(token)
        yield "n=month" if 1 <= value <= 12 else "n=day" if value <= 31 else "n=year2"
    elif len(token) == 4 and token[:2] in {"19", "20"}:
        yield "n=year"


# What is worth asking about a token; names of providers, which exist in every language.
ASKED = ("names:first", "names:last", "places:towns", "places:countries", "words:common")
_FEW_PARTS = 3  # towns such as `Las Palmas de Gran Canaria` say nothing about each of their words


@cache
def _words_of_lists(lang: str) -> Mapping[str, frozenset[bytes]]:
    """Each feature with its words; those of short names of several words count as parts."""
    found: dict[str, frozenset[bytes]] = {}
    for name in ASKED:
        entries = library_words(name, lang)
        whole = {entry for entry in entries if entry.isalpha()}
        several = [plain(entry).split() for entry in entries - whole]
        alone = {*plain(" ".join(whole)).split(), *(parts[0] for parts in several if len(parts) == 1)}
        found[f"g={name}"] = frozenset(alone)
        found[f"g=part:{name}"] = frozenset(part for parts in several if 1 < len(parts) <= _FEW_PARTS for part in parts)
    return found


def see_lists(lang: str, token: str) -> Iterable[str]:
    """The lists of a language in which a token stands.

    >>> "g=names:first" in see_lists("es", "Ernesto")
    True
    """
    if not token[0].isalpha():
        return ()
    word = plain(token)
    return sorted(feature for feature, words in _words_of_lists(lang).items() if word in words)


def word_features(lang: str) -> Mapping[str, WordFeature]:
    """All features of this kind by name. Those of lists know the lists of a language."""
    return {"word": see_word, "orthographic": see_shape, "affix": see_affixes, "list": partial(see_lists, lang)}


# How many tokens to the left and to the right each feature of a token is seen from.
WINDOW: Mapping[str, int] = {"word": 4, "orthographic": 4, "affix": 1, "list": 4}
# Words two by two: the name of the pair, and where its words stand.
PAIRS: Mapping[str, tuple[int, int]] = {"b": (-1, 0), "a": (0, 1), "m": (-1, 1)}
NAMES = (*WINDOW, "window", "neighbours", *PLACE_FEATURES)
DEFAULT = tuple(name for name in NAMES if name not in {"section", "context"})  # they cost time, and showed no gain on MEDDOCAN
PAD = ""  # the token before the first and after the last


@dataclass(frozen=True, slots=True)
class Features:
    """A choice of features by name. `window` is one of them: without it only the token itself is seen.

    >>> Features("es").without(["rule"]).names
    ('word', 'orthographic', 'affix', 'list', 'window', 'neighbours', 'line', 'field')
    """

    lang: str
    names: tuple[str, ...] = DEFAULT
    window: Mapping[str, int] = field(default_factory=lambda: dict(WINDOW))

    def __post_init__(self) -> None:
        unknown = sorted({*self.names, *self.window} - {*NAMES})
        if unknown:
            raise UsageError(f"no feature is called {', '.join(unknown)}; there are: {', '.join(NAMES)}")

    def without(self, names: Iterable[str]) -> Features:
        """The same without some."""
        return replace(self, names=tuple(name for name in self.names if name not in set(names)))

    def also(self, names: Iterable[str]) -> Features:
        """The same with some more, in the usual order."""
        wanted = {*self.names, *Features(self.lang, tuple(names)).names}
        return replace(self, names=tuple(name for name in NAMES if name in wanted))

    @property
    def needs_rules(self) -> bool:
        """Whether the spans of the rules are wanted."""
        return "rule" in self.names

    def reach(self, name: str) -> int:
        """How far away a feature of a token is seen."""
        return self.window.get(name, 0) if "window" in self.names else 0

    @property
    def offsets(self) -> range:
        """From the leftmost to the rightmost token that a token sees."""
        furthest = max((self.reach(name) for name in self.names if name in WINDOW), default=0)
        return range(-furthest, furthest + 1)

    @property
    def pairs(self) -> Mapping[str, tuple[int, int]]:
        """The pairs of words that are looked at."""
        return PAIRS if "neighbours" in self.names else {}

    def of_word(self, word: str) -> list[tuple[str, int]]:
        """The attributes of a token, each with how far away it is seen."""
        functions = word_features(self.lang)
        found = []
        for name in self.names:
            if name in functions:
                attributes = functions[name](word) if word != PAD else (f"{name}=edge",)
                found += [(attribute, self.reach(name)) for attribute in attributes]
        return found

    def of_places(self, note: NoteWithRules) -> Iterator[tuple[tuple[str, ...], int, int]]:
        """The attributes of places in a note."""
        for name in self.names:
            if name in PLACE_FEATURES:
                yield from PLACE_FEATURES[name](note)

    def of_note(self, note: NoteWithRules, known: dict[str, list[list[str]]] | None = None) -> list[list[str]]:
        """All attributes of each token as CRFsuite takes them: a number and a colon before what a neighbour has.

        `known` keeps those of tokens from one note to the next.
        """
        known = {} if known is None else known
        words, edge = note.tokens.words, max(len(self.offsets), 1)
        for word in {*words, PAD} - known.keys():
            known[word] = self._seen(word)
        padded = [known[PAD]] * edge + [known[word] for word in words] + [known[PAD]] * edge
        shifts = [(place, edge + offset) for place, offset in enumerate(self.offsets)]
        items = [
            [attribute for place, shift in shifts for attribute in padded[index + shift][place]] for index in range(len(words))
        ]
        lower = [PAD, *map(str.lower, words), PAD]
        for name, (left, right) in self.pairs.items():
            for index, item in enumerate(items):
                item.append(pair_name(name, lower[index + 1 + left], lower[index + 1 + right]))
        for attributes, first, last in self.of_places(note):
            for index in range(first, last):
                items[index] += attributes
        return items

    def _seen(self, word: str) -> list[list[str]]:
        attributes = self.of_word(word)
        return [[f"{at}:{attribute}" for attribute, reach in attributes if abs(at) <= reach] for at in self.offsets]

    def as_dict(self) -> dict[str, Any]:
        """For the model card."""
        return {"lang": self.lang, "names": list(self.names), "window": dict(self.window)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Features:
        """From a model card."""
        return cls(content["lang"], tuple(content["names"]), dict(content["window"]))


def pair_name(name: str, left: str, right: str) -> str:
    """A pair of words as an attribute; no word holds a blank.

    >>> pair_name("b", "dr", "gil")
    'b=dr gil'
    """
    return f"{name}={left} {right}"


def split(attribute: str) -> tuple[str, int | None]:
    """Take the number off an attribute; None if it belongs to a pair or a place.

    >>> split("-2:w=dr"), split("c=0")
    (('w=dr', -2), ('c=0', None))
    """
    head, colon, rest = attribute.partition(":")
    return (rest, int(head)) if colon and head.lstrip("-").isdecimal() else (attribute, None)
