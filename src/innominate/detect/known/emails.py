"""E-mail addresses that are known, or made of a patient's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from innominate.detect.known.names import GLUED
from innominate.detect.known.passage import Hit, Passage
from innominate.text.accents import fold_word

_SIGN = re.compile(r"@\s?|\(at\)\s?|\[at\]\s?")
_LOCAL = re.compile(r"([\w.+%-]+)\s?\Z")
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}")
_LONGEST = 64
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Emails:
    """Finds addresses whose local part holds a name of the patient, and those of the file.

    >>> Emails(frozenset(), frozenset({"christiansen"})).hits(Passage.of("écrire à christiansenml@gmail.com"))
    [Hit(start=9, end=33, kind='email', sure=True)]
    """

    known: frozenset[str]
    names: frozenset[str]
    glue: frozenset[str] = frozenset()  # what may stand beside a short name: other names, initials

    @classmethod
    def of(cls, values: Iterable[str], names: Iterable[str], glue: frozenset[str]) -> Emails:
        """Prepare the addresses of a patient."""
        return cls(frozenset(fold_word(value) for value in values if "@" in value), frozenset(names), glue)

    def hits(self, passage: Passage) -> list[Hit]:
        """Find the addresses in a passage."""
        found = list(self._known(passage)) if self.known else []
        for sign in _SIGN.finditer(passage.low):
            local = _LOCAL.search(passage.low, max(0, sign.start() - _LONGEST), sign.start())
            if local and self._names_the_patient(local[1]):
                domain = _DOMAIN.match(passage.low, sign.end())
                found.append(Hit(local.start(), domain.end() if domain else local.end(1), "email" if domain else "last"))
        return found

    def _known(self, passage: Passage) -> Iterator[Hit]:
        for address in self.known:
            yield from (Hit(*match.span(), "email") for match in re.finditer(re.escape(address), passage.low))

    def _names_the_patient(self, local: str) -> bool:
        words = _LETTERS.findall(local)
        together = "".join(words)
        return any(len(name) >= GLUED and name in together for name in self.names) or any(map(self._is_made_of_names, words))

    def _is_made_of_names(self, word: str) -> bool:
        """A short name is one if the rest of the word is known too: `jrey`."""
        parts = (word.partition(name) for name in self.names if len(word) >= _SHORTEST and name in word)
        return any(before in self.glue and after in self.glue for before, _, after in parts)
