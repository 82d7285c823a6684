"""What a model has learned, and from notes to the probabilities of tags: a few array operations per batch of notes.

The weights of everything that depends on a token alone are summed once per distinct token and offset of the window, into a row
that is kept. Scores of a batch are then gathered from these rows; pairs of words and places are added by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save

from innominate.core import UsageError
from innominate.detect.crf.chain import Floats, Ints, Layout, best_paths, marginals
from innominate.detect.crf.features import PAD, Features, NoteWithRules, split

_MOST_ROWS = 40_000  # distinct tokens that are kept; about 60 MB with 43 tags and a window of four
VOCABULARY, ARRAYS = "attributes.txt", "weights.safetensors"
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})


@dataclass(frozen=True, slots=True)
class CrfWeights:
    """A weight for an attribute at an offset and a tag, and for a tag after another.

    Those of attribute `a` are `values[starts[a]:starts[a + 1]]`; their `columns` are `band * len(tags) + tag`. The bands are
    the offsets of the window from left to right, and one more for pairs and places.
    """

    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    starts: NDArray[np.int32]
    columns: NDArray[np.uint16]
    values: NDArray[np.float32]
    transitions: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        tags: Iterable[str],
        offsets: range,
        states: Mapping[tuple[str, str], float],
        transitions: Mapping[tuple[str, str], float],
    ) -> CrfWeights:
        """From weights by name: of (attribute, tag) and of (tag, next tag)."""
        tags = tuple(sorted(tags))
        index = {tag: number for number, tag in enumerate(tags)}
        rows: dict[str, list[tuple[int, float]]] = {}
        for (attribute, tag), weight in states.items():
            base, offset = split(attribute)
            band = len(offsets) if offset is None else offset - offsets.start
            rows.setdefault(base, []).append((band * len(tags) + index[tag], weight))
        attributes = tuple(sorted(rows))
        ordered = [sorted(rows[attribute]) for attribute in attributes]
        matrix = np.zeros((len(tags), len(tags)), np.float32)
        for (before, after), weight in transitions.items():
            matrix[index[before], index[after]] = weight
        return cls(
            tags,
            attributes,
            np.cumsum([0, *map(len, ordered)], dtype=np.int32),
            np.array([column for row in ordered for column, _ in row], np.uint16),
            np.array([value for row in ordered for _, value in row], np.float32),
            matrix,
        )

    def without_small(self, least: float) -> CrfWeights:
        """Without the weights nearer to 0 than `least`, and without attributes that have none left."""
        kept = np.abs(self.values) >= least
        counts = np.add.reduceat(kept, self.starts[:-1]) if len(self.values) else np.zeros(0, np.intp)
        names = tuple(name for name, count in zip(self.attributes, counts, strict=True) if count)
        starts = np.cumsum([0, *(int(count) for count in counts if count)], dtype=np.int32)
        return CrfWeights(self.tags, names, starts, self.columns[kept], self.values[kept], self.transitions)

    def save(self, folder: Path, *, half: bool = False) -> None:
        """Write two files; `half` keeps weights in 16 bits."""
        text = "\n".join(attribute.translate(_ESCAPES) for attribute in self.attributes)
        (folder / VOCABULARY).write_text(text, encoding="utf-8", newline="\n")
        values = self.values.astype(np.float16) if half else self.values
        arrays = {"starts": self.starts, "columns": self.columns, "values": values, "transitions": self.transitions}
        (folder / ARRAYS).write_bytes(save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))

    @classmethod
    def load(cls, folder: Path, tags: Iterable[str]) -> CrfWeights:
        """Read the two files."""
        try:
            text = (folder / VOCABULARY).read_text(encoding="utf-8")
            arrays = load_file(str(folder / ARRAYS))
        except OSError as error:
            raise UsageError(f"{folder}: a file of the model cannot be read: {error.strerror}") from error
        attributes = tuple(map(_unescape, text.split("\n"))) if text else ()
        weights = cls(
            tuple(tags),
            attributes,
            arrays["starts"],
            arrays["columns"],
            arrays["values"].astype(np.float32),
            arrays["transitions"],
        )
        if len(attributes) + 1 != len(weights.starts) or weights.transitions.shape != (len(weights.tags),) * 2:
            raise UsageError(f"{folder}: the files of the model do not belong together; copy the whole folder again")
        return weights


def _unescape(line: str) -> str:
    if "\\" not in line:
        return line
    parts = (part.replace("\\n", "\n").replace("\\r", "\r") for part in line.split("\\\\"))
    return "\\".join(parts)


class CrfTagger:
    """Scores, marginals and best paths of a model. It keeps rows of tokens that it has seen."""

    def __init__(self, features: Features, weights: CrfWeights) -> None:
        self.features, self.weights = features, weights
        self._index = {attribute: number for number, attribute in enumerate(weights.attributes)}
        self._pairs = _Pairs(features, self._index)
        self._forget()

    def _forget(self) -> None:
        self._rows: dict[str, int] = {}
        self._table = np.zeros((0, len(self.features.offsets), len(self.weights.tags)), np.float32)
        self._in_pairs = np.zeros(0, np.int64)
        self._learn([PAD])

    def _learn(self, words: Sequence[str]) -> None:
        """Make the rows of tokens that have none."""
        bands, tags = len(self.features.offsets), len(self.weights.tags)
        owners, attributes = [], []
        for number, word in enumerate(words):
            for attribute, _ in self.features.of_word(word):
                found = self._index.get(attribute)
                if found is not None:
                    owners.append(number)
                    attributes.append(found)
            self._rows[word] = len(self._rows)
        made = self._sum_weights(np.array(owners, np.intp), np.array(attributes, np.intp), len(words), (bands + 1) * tags)
        made = made[:, : bands * tags].reshape(len(words), bands, tags)
        self._table = np.concatenate((self._table, made))
        self._in_pairs = np.concatenate((self._in_pairs, self._pairs.numbers(words)))

    def _sum_weights(self, owners: Ints, attributes: Ints, count: int, width: int, *, first: int = 0) -> Floats:
        """Add up the weights of attributes by owner; column `first` of the weights is column 0 of the result."""
        starts = self.weights.starts
        lengths = starts[attributes + 1] - starts[attributes]
        where = _expand_ranges(starts[attributes], lengths)
        columns = self.weights.columns[where].astype(np.intp) - first
        cells = np.repeat(owners, lengths) * width + columns
        return np.bincount(cells, self.weights.values[where], count * width).astype(np.float32).reshape(count, width)

    def scores(self, notes: Sequence[NoteWithRules]) -> Floats:
        """The score of each tag for each token of the notes, one after the other."""
        total = sum(len(note.tokens) for note in notes)
        tags = len(self.weights.tags)
        ids, rows = self._rows_of(notes)
        scores = np.zeros((total, tags), np.float32)
        seen = np.empty_like(scores)
        flat = self._table.reshape(-1, tags)
        bands = len(self.features.offsets)
        for band, offset in enumerate(self.features.offsets):
            scores += flat.take(ids[rows + offset] * bands + band, axis=0, out=seen, mode="clip")  # `clip` is the quick one
        owners, attributes = self._number_places(notes)
        for kind, (left, right) in self.features.pairs.items():
            tokens, found = self._pairs.find(kind, self._in_pairs[ids[rows + left]], self._in_pairs[ids[rows + right]])
            owners.append(tokens)
            attributes.append(found)
        if owners:
            places = np.concatenate(owners), np.concatenate(attributes)
            scores += self._sum_weights(*places, total, tags, first=bands * tags)
        return scores

    def _rows_of(self, notes: Sequence[NoteWithRules]) -> tuple[Ints, Ints]:
        """The row number of every token, with room between notes, and where the tokens are therein."""
        room = [PAD] * max(1, -self.features.offsets.start)
        words = [word for note in notes for part in (room, note.tokens.words, room) for word in part]
        try:
            found = list(map(self._rows.__getitem__, words))
        except KeyError:
            self._learn_some(set(words))
            found = list(map(self._rows.__getitem__, words))
        lengths = np.array([len(note.tokens) for note in notes], np.intp)
        begins = np.cumsum([0, *(lengths[:-1] + 2 * len(room))]) + len(room)
        return np.array(found, np.intp), _expand_ranges(begins, lengths)

    def _learn_some(self, words: set[str]) -> None:
        new = words - self._rows.keys()
        if len(self._rows) + len(new) > _MOST_ROWS:
            self._forget()
            new = words - {PAD}
        self._learn(sorted(new))

    def _number_places(self, notes: Sequence[NoteWithRules]) -> tuple[list[Ints], list[Ints]]:
        """Tokens and attributes of places, as far as the model knows these."""
        known = self._index
        numbers: list[int] = []
        firsts: list[int] = []
        lengths: list[int] = []
        begin = 0
        for note in notes:
            for attributes, first, last in self.features.of_places(note):
                for attribute in attributes:
                    if attribute in known:
                        numbers.append(known[attribute])
                        firsts.append(begin + first)
                        lengths.append(last - first)
            begin += len(note.tokens)
        if not numbers:
            return [], []
        sizes = np.array(lengths, np.intp)
        return [_expand_ranges(np.array(firsts, np.intp), sizes)], [np.repeat(np.array(numbers, np.intp), sizes)]

    def tag(self, notes: Sequence[NoteWithRules]) -> tuple[Floats, Ints]:
        """For each token of the notes the probability of each tag, and the tag on the best path."""
        if not sum(len(note.tokens) for note in notes):
            return np.zeros((0, len(self.weights.tags)), np.float32), np.zeros(0, np.intp)
        scores = self.scores(notes)
        ends, begin = [], 0
        for note in notes:
            ends += [begin + end for end in note.tokens.units]
            begin += len(note.tokens)
        layout = Layout.of(np.array(ends, np.intp))
        known = marginals(scores, self.weights.transitions, layout)
        return known[0], best_paths(scores, self.weights.transitions, layout, known)


class _Pairs:
    """Pairs of words that the model knows, found by number."""

    def __init__(self, features: Features, index: dict[str, int]) -> None:
        self._words: dict[str, int] = {}
        self._kinds = {kind: number for number, kind in enumerate(features.pairs)}
        pairs: list[tuple[int, str, str, int]] = []
        for attribute, number in index.items():
            kind, _, rest = attribute.partition("=")
            if kind in self._kinds:
                left, _, right = rest.partition(" ")
                pairs.append((self._kinds[kind], left, right, number))
        for _, left, right, _ in pairs:
            for word in (left, right):
                self._words.setdefault(word, len(self._words))
        width = self._width = len(self._words) + 1
        rows = sorted(((k * width + self._words[a]) * width + self._words[b], number) for k, a, b, number in pairs)
        self._keys, self._numbers = np.array(rows, np.int64).reshape(-1, 2).T.copy()

    def numbers(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The number of each word here; one that is in no pair has one that no pair has."""
        return np.array([self._words.get(word.lower(), len(self._words)) for word in words], np.int64)

    def find(self, kind: str, left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[Ints, Ints]:
        """Which tokens have a known pair, and the attributes of these pairs."""
        if not len(self._keys):
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        wanted = (self._kinds[kind] * self._width + left) * self._width + right
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        tokens = np.flatnonzero(self._keys[at] == wanted)
        return tokens, self._numbers[at[tokens]].astype(np.intp)


def _expand_ranges(firsts: NDArray[np.integer], lengths: NDArray[np.integer]) -> Ints:
    """All numbers from each first one on, as many as its length says.

    >>> _expand_ranges(np.array([5, 1]), np.array([2, 3])).tolist()
    [5, 6, 1, 2, 3]
    """
    begins = np.cumsum(lengths) - lengths
    return np.repeat(firsts - begins, lengths).astype(np.intp) + np.arange(int(lengths.sum()), dtype=np.intp)
