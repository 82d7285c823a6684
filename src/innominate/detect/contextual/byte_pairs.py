"""A vocabulary of word parts, learnt from text by joining the most frequent neighbours (Sennrich 2016)."""

from __future__ import annotations

import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from innominate.core import UsageError
from innominate.detect.contextual.words import GAP, LINE, spell_words, split_words

FILE = "vocabulary.json"
PAD, UNKNOWN, HIDDEN, BEGIN = range(4)
_SPECIAL = ("<pad>", "<unknown>", "<hidden>", "<begin>", LINE, GAP)
_DIGITS = tuple(mark + digit for mark in ("", "\u2581") for digit in "0123456789")
_LONGEST = 40  # letters of a word that are read; longer ones are no words
_REMEMBERED = 200_000  # words

Pair = tuple[str, str]


@dataclass(frozen=True)
class BytePairs:
    """The parts of words that a model knows; every digit is a part of its own."""

    letters: tuple[str, ...]
    joins: tuple[Pair, ...]  # in the order in which they were learnt
    numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _ranks: Mapping[Pair, int] = field(init=False, repr=False, compare=False)
    _known: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        parts = dict.fromkeys((*_SPECIAL, *_DIGITS, *self.letters, *(left + right for left, right in self.joins)))
        object.__setattr__(self, "numbers", {part: number for number, part in enumerate(parts)})
        object.__setattr__(self, "_ranks", {pair: rank for rank, pair in enumerate(self.joins)})

    def __len__(self) -> int:
        return len(self.numbers)

    def encode_text(self, text: str) -> list[tuple[int, ...]]:
        """The parts of each word of a text, as numbers."""
        return [self.encode_word(word) for word in spell_words(text, split_words(text))]

    def encode_word(self, word: str) -> tuple[int, ...]:
        """The parts of one word as `spell_words` writes it, as numbers."""
        found = self._known.get(word)
        if found is None:
            found = tuple(self.numbers.get(part, UNKNOWN) for part in self.split_word(word))
            if len(self._known) < _REMEMBERED:
                self._known[word] = found
        return found

    def split_word(self, word: str) -> list[str]:
        """The parts of one word.

        >>> BytePairs(("a", "n"), (("a", "n"), ("an", "n"))).split_word("anna")
        ['ann', 'a']
        """
        if word in self.numbers:
            return [word]
        if word[-1].isdigit():
            return _split_number(word)
        parts = list(word[:_LONGEST])
        while len(parts) > 1:
            rank, at = min((self._ranks.get(pair, len(self.joins)), at) for at, pair in enumerate(pairwise(parts)))
            if rank == len(self.joins):
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return parts


def _split_number(word: str) -> list[str]:
    """Digits one by one, the mark of a blank with the first; digits of other scripts as ours."""
    mark = word[: len(word) - len(word.lstrip("\u2581"))]
    digits = [str(int(digit)) if digit.isdecimal() else digit for digit in word[len(mark) :][:_LONGEST]]
    return [mark + digits[0], *digits[1:]]


def count_words(texts: Iterable[str]) -> Counter[str]:
    """How often each word stands in some texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(spell_words(text, split_words(text)))
    return counts


def learn_byte_pairs(
    counts: Mapping[str, int], size: int, *, watch: Callable[[int, int], None] = lambda done, size: None
) -> BytePairs:
    """Learn a vocabulary of about `size` parts from counted words."""
    letters_seen: Counter[str] = Counter()
    for word, count in counts.items():
        for letter in word:
            letters_seen[letter] += count
    enough = max(2, sum(letters_seen.values()) // 20_000_000)
    letters = tuple(sorted(letter for letter, count in letters_seen.items() if count >= enough and not letter.isspace()))
    words = [(list(word[:_LONGEST]), count) for word, count in sorted(counts.items()) if count > 1 and _can_be_joined(word)]
    wanted = size - len(_SPECIAL) - len(_DIGITS) - len(letters)
    return BytePairs(letters, tuple(_learn_joins(words, wanted, watch)))


def _can_be_joined(word: str) -> bool:
    return len(word) > 1 and not word[-1].isdigit()


def _learn_joins(words: Sequence[tuple[list[str], int]], wanted: int, watch: Callable[[int, int], None]) -> Iterable[Pair]:
    counts: Counter[Pair] = Counter()
    places: defaultdict[Pair, set[int]] = defaultdict(set)
    for index, (parts, count) in enumerate(words):
        for pair in pairwise(parts):
            counts[pair] += count
            places[pair].add(index)
    queue = [(-count, pair) for pair, count in counts.items()]
    heapq.heapify(queue)
    done = 0
    while queue and done < wanted:
        rank, pair = heapq.heappop(queue)
        if -rank != counts[pair] or not rank:
            continue  # an old count; the new one is in the queue too
        yield pair
        done += 1
        watch(done, wanted)
        changed: set[Pair] = set()
        for index in places.pop(pair):
            parts, count = words[index]
            before = list(pairwise(parts))
            _join(parts, pair)
            for each in before:
                counts[each] -= count
            for each in pairwise(parts):
                counts[each] += count
                places[each].add(index)
            changed |= {*before, *pairwise(parts)}
        counts[pair] = 0
        for each in changed - {pair}:
            if counts[each] > 1:
                heapq.heappush(queue, (-counts[each], each))


def _join(parts: list[str], pair: Pair) -> None:
    """Join a pair inside one word."""
    at = 0
    while at < len(parts) - 1:
        if (parts[at], parts[at + 1]) == pair:
            parts[at : at + 2] = [pair[0] + pair[1]]
        at += 1


def save_byte_pairs(vocabulary: BytePairs, folder: Path) -> None:
    """Write a vocabulary into the folder of its model."""
    content = {"letters": "".join(vocabulary.letters), "joins": [" ".join(pair) for pair in vocabulary.joins]}
    (folder / FILE).write_text(json.dumps(content, ensure_ascii=False, indent=0), encoding="utf-8", newline="\n")


def load_byte_pairs(folder: Path) -> BytePairs:
    """Read the vocabulary of a model."""
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8"))
        joins = tuple((left, right) for left, right in (pair.split(" ") for pair in content["joins"]))
        return BytePairs(tuple(content["letters"]), joins)
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{folder / FILE}: no vocabulary: {type(error).__name__}; copy the whole folder") from None
