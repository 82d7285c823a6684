"""The word pieces of a borrowed encoder, with the places where they stand (Devlin 2019; Schuster and Nakajima 2012)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from innominate.detect.neural.tagset import Place

BEGIN, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_GOES_ON = "##"  # before a piece that is not the first of its word
_LONGEST = 100  # characters; a longer word is unknown
_NOTHING = {"Cc", "Cf", "Co"}  # control, format and private characters are not read
_RUN = re.compile(r"\S+")
_ALONE = re.compile(  # punctuation of ASCII, and Chinese and Japanese characters, which are words of their own
    r"[!-/:-@\[-`{-~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f]"
)

Found = tuple[int, int, int]  # number of a word piece, and where it begins and ends


@dataclass(frozen=True)
class WordPieces:
    """A list of word pieces, and how a text is written before they are looked for: lower case, accents off."""

    words: tuple[str, ...]
    lower: bool = True
    bare: bool = True

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each word piece in the list."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _known(self) -> dict[str, list[Found]]:
        return {}

    def split(self, text: str) -> tuple[list[int], list[Place]]:
        """Return the numbers of the word pieces of a text, and their places in it as it is written.

        >>> words = ("[UNK]", "roch", "##at", "evo", ",")
        >>> WordPieces(words).split("Évo, Rochat")
        ([3, 4, 1, 2], [(0, 3), (3, 4), (5, 9), (9, 11)])
        """
        numbers, places = [], []
        for match in _RUN.finditer(text):
            run, begin = match.group(), match.start()
            for number, start, end in self._known.get(run) or self._learn(run):
                numbers.append(number)
                places.append((begin + start, begin + end))
        return numbers, places

    def _learn(self, run: str) -> list[Found]:
        found = [each for word in self._words(run) for each in self._longest_first(word)]
        if len(self._known) < 200_000:  # bounded: memory must not grow with the number of notes
            self._known[run] = found
        return found

    def _words(self, run: str) -> list[list[tuple[str, int]]]:
        """Words as characters with their places; one character may have become several, or none."""
        words: list[list[tuple[str, int]]] = []
        alone = True
        for place, character in enumerate(run):
            for letter in self._clean_character(character):
                after = alone
                alone = bool(_ALONE.match(letter)) or unicodedata.category(letter)[0] == "P"
                if alone or after:
                    words.append([])
                words[-1].append((letter, place))
        return words

    def _clean_character(self, character: str) -> str:
        if unicodedata.category(character) in _NOTHING or character == "\ufffd":
            return ""
        if self.bare:
            character = "".join(c for c in unicodedata.normalize("NFD", character) if unicodedata.category(c) != "Mn")
        return character.lower() if self.lower else character

    def _longest_first(self, word: Sequence[tuple[str, int]]) -> list[Found]:
        """The longest piece that is in the list, then the longest of what is left; if that fails the whole word is unknown."""
        letters = "".join(letter for letter, _ in word)
        found: list[Found] = []
        begin = 0
        while begin < len(letters) <= _LONGEST:
            ahead = _GOES_ON if begin else ""
            for end in range(len(letters), begin, -1):
                number = self.numbers.get(ahead + letters[begin:end])
                if number is not None:
                    found.append((number, word[begin][1], word[end - 1][1] + 1))
                    begin = end
                    break
            else:
                break
        if begin < len(letters):
            return [(self.numbers[UNKNOWN], word[0][1], word[-1][1] + 1)]
        return found
