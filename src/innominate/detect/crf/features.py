"""Which features a model has, how far its window reaches, and the attributes of a note that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from innominate.core import UsageError
from innominate.detect.crf.place_features import PLACE_FEATURES, NoteWithRules
from innominate.detect.crf.word_features import word_features

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
