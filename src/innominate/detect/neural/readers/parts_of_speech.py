"""Parts of speech of pieces: from a word list with rules for endings, or from a spaCy pipeline that a user has installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from innominate.core import FormatError, UsageError
from innominate.detect.neural.tagset import Place
from innominate.detect.neural.vocabulary import Ids, normal, shape

# The universal tags (universaldependencies.org/u/pos); the place, from one, is the number, and zero means none.
TAGS = (
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
    *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)
LEXICON = "parts_of_speech.tsv"  # inside a model that reads through a word list
SUFFIX = 4  # the longest ending that a rule has
_NUMBERS = {tag: number for number, tag in enumerate(TAGS, 1)}
_OTHER = {"CONJ": "CCONJ"}  # of older pipelines

Token = tuple[int, int, int]  # start, end, number of the tag


class PartsOfSpeech(Protocol):
    """Says the part of speech of pieces."""

    def tag(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> list[Ids]:
        """The number of a tag for each piece of each text."""


@dataclass(frozen=True)
class PartsLexicon:
    """Tags by word; of words that are not in it by shape and ending: `Xx-ez` is a capitalised word in ez, `xx-` any other.

    >>> known = PartsLexicon({"vio": "VERB"}, {"Xx-ez": "PROPN", "xx-": "NOUN"})
    >>> [known.of(word) for word in ("vio", "Vio", "Pérez", "tos", "!")]
    ['VERB', 'VERB', 'PROPN', 'NOUN', 'X']
    """

    words: dict[str, str]
    rules: dict[str, str] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def of(self, piece: str) -> str:
        """The tag of one piece."""
        word = normal(piece)
        found = self.words.get(piece) or self.words.get(word)
        form = shape(piece)
        endings = (word[-length:] if length else "" for length in range(min(SUFFIX, len(word)), -1, -1))
        return found or next((self.rules[key] for end in endings if (key := f"{form}-{end}") in self.rules), "X")

    def tag(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> list[Ids]:
        """The number of a tag for each piece of each text."""
        return [
            np.fromiter((self._number(text[start:end]) for start, end in found), np.int32, len(found))
            for text, found in zip(texts, places, strict=True)
        ]

    def _number(self, piece: str) -> int:
        number = self._known.get(piece)
        if number is None:
            number = 0 if piece.isspace() else _NUMBERS[self.of(piece)]
            if len(self._known) < 200_000:  # bounded: memory must not grow with the number of notes
                self._known[piece] = number
        return number


@dataclass(frozen=True)
class SpacyParts:
    """The tags of a spaCy pipeline, which has tokens of its own."""

    language: Any

    def tag(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> list[Ids]:
        """The number of a tag for each piece of each text."""
        return [
            align_tags(found, [(token.idx, token.idx + len(token), _number(token.pos_)) for token in read])
            for read, found in zip(self.language.pipe(texts), places, strict=True)
        ]


def _number(tag: str) -> int:
    return _NUMBERS.get(_OTHER.get(tag, tag), 0)


def align_tags(places: Sequence[Place], tokens: Sequence[Token]) -> Ids:
    """Give each piece the tag of the token that covers most of it, and zero where none does; both come in order.

    >>> align_tags([(0, 2), (2, 9), (10, 12), (13, 14)], [(0, 9, 12), (10, 11, 9), (11, 13, 8)]).tolist()
    [12, 12, 9, 0]
    """
    found = np.zeros(len(places), np.int32)
    first = 0
    for row, (start, end) in enumerate(places):
        while first < len(tokens) and tokens[first][1] <= start:
            first += 1
        most, at = 0, first
        while at < len(tokens) and tokens[at][0] < end:
            begin, stop, tag = tokens[at]
            if (shared := min(end, stop) - max(start, begin)) > most:
                most, found[row] = shared, tag
            at += 1
    return found


def load_parts_of_speech(name: str, folder: Path = Path()) -> PartsOfSpeech:
    """A word list (`FILE.tsv`, beside the model) or an installed spaCy pipeline, by its name."""
    return read_lexicon(folder / name) if name.endswith(".tsv") else _pipeline(name)


def read_lexicon(path: Path) -> PartsLexicon:
    """Read lines of a word, or a shape, a hyphen and an ending, then a tab and a universal tag."""
    words: dict[str, str] = {}
    rules: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: the parts of speech cannot be read: {type(error).__name__}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        word, _, tag = line.rstrip("\r").partition("\t")
        if not word or tag not in _NUMBERS:
            known = ", ".join(TAGS)
            raise FormatError(f"a word, a tab and a universal tag are expected ({known})", source=str(path), line=number)
        (rules if "-" in word[1:] else words)[word] = tag  # no piece has a hyphen inside
    return PartsLexicon(words, rules)


def _pipeline(name: str) -> SpacyParts:
    # an older pipeline pins an older spaCy, with which it does no better
    advice = f"pip install 'innominate[pos]', then pip install --no-deps {name.replace('_', '-')}"
    try:
        import spacy

        language = spacy.load(name, exclude=["parser", "ner", "lemmatizer"])
    except ImportError:
        raise UsageError(f"the parts of speech of {name!r} need spaCy and that pipeline: {advice}") from None
    except OSError:
        raise UsageError(f"there is no spaCy pipeline {name!r} here: {advice}; a word list is named FILE.tsv") from None
    language.max_length = 1 << 30  # spaCy's limit guards the parser and NER, which are not loaded
    return SpacyParts(language)
