"""What a name looks like: words with a capital, initials, particles; and how far a run of them reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from innominate.detect.rules.expressions.expand import LOWER, UPPER, alternatives
from innominate.detect.rules.expressions.matching import Lazy

_POSSESSIVE = rf"[sS](?![{UPPER}{LOWER}])"  # `Miller's` is the name Miller; O'Shea is one name
_WORD = rf"[{UPPER}](?:[{UPPER}{LOWER}]|['’](?!{_POSSESSIVE})(?=[{UPPER}{LOWER}]))+(?:-[{UPPER}]?[{UPPER}{LOWER}]*)*"
_INITIAL = rf"[{UPPER}]\.(?:(?:[ ]?-[ ]?|[ ]{{0,2}})[{UPPER}]\.)*"  # one way to read each: a choice would double the time
_GAP = r"[ \u00a0]{1,2}"  # a tab begins another cell


class Token(NamedTuple):  # a dataclass costs three times as much to make
    """One part of a name in the text: a word with the particles before it, or initials."""

    start: int
    end: int
    word: str  # without particles
    initials: bool = False


_made = partial(tuple.__new__, Token)


@dataclass(frozen=True, slots=True)
class NameShape:
    """Reads name tokens at a position, forwards or backwards."""

    forwards: Lazy
    backwards: Lazy
    begins: frozenset[str]  # letters with which a particle begins, as capitals

    @classmethod
    def with_particles(cls, particles: frozenset[str]) -> NameShape:
        """A shape for a language with these particles (`de la`, `von`)."""
        particle = rf"(?i:{alternatives(particles)})(?:{_GAP}|(?<=['’]))" if particles else r"(?!)"
        token = rf"(?:(?:{particle}){{0,3}}(?P<word>{_WORD})|(?P<initials>{_INITIAL}))"
        end = rf"(?![{UPPER}{LOWER}])"
        begins = frozenset(particle[0].upper() for particle in particles)
        backwards = rf"(?<![{UPPER}{LOWER}'’-]){token}\Z"
        return cls(Lazy(re.compile, token + end), Lazy(re.compile, backwards), begins)

    def at(self, text: str, position: int) -> Token | None:
        """The token that begins at a position."""
        first = text[position : position + 1]
        if first.islower() and first.upper() not in self.begins:  # most words that follow a name: no need to look closer
            return None
        return _token(self.forwards.match(text, position, position + 80))

    def after(self, text: str, position: int) -> Token | None:
        """The token that follows a position after a small gap on the same line."""
        gap = _AFTER.match(text, position)
        return self.at(text, gap.end()) if gap else None

    def before(self, text: str, position: int) -> Token | None:
        """The token that ends before a position, a small gap apart, on the same line."""
        gap = _BEFORE.search(text, max(0, position - 3), position)
        if not gap or gap.start() == position:
            return None
        end = gap.start()
        near = text[max(0, end - 60) : end]
        word = near[near.rfind(" ") + 1 :]
        if word == word.lower():  # no capital: the search would only take longer to say no
            return None
        return _token(self.backwards.search(text, max(0, end - 60), end))

    def run(self, text: str, position: int) -> Iterator[Token]:
        """Tokens one after the other from a position."""
        token = self.at(text, position)
        while token:
            yield token
            token = self.after(text, token.end)


_AFTER = re.compile(_GAP)
_BEFORE = re.compile(rf"{_GAP}\Z")


def _token(match: re.Match[str] | None) -> Token | None:
    if match is None:
        return None
    word, initials = match.group("word", "initials")
    return _made((*match.span(), initials or word, initials is not None))
