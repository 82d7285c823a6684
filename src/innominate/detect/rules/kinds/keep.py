"""A rule that protects text: `maladie de Parkinson` is no name, unless an honorific says so."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.detect.rules.board import Board
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class KeepRule:
    """Candidates of the labels in `against` that touch a candidate of `of` are taken off, unless they are surer than it."""

    header: Header
    of: frozenset[str]
    against: frozenset[str]

    @property
    def gives(self) -> frozenset[str]:
        """Nothing."""
        return frozenset()

    @property
    def needs(self) -> frozenset[str]:
        """Both sides."""
        return self.of | self.against

    def apply(self, board: Board) -> None:
        """Take off what lies in protected text."""
        protected = board.of(self.of)
        if not protected:
            return
        for found in board.of(self.against):
            for shield in protected:
                if shield.start < found.end and found.start < shield.end and found.score <= shield.score:
                    board.take(found, f"{self.header.name} protects it ({shield.rule})")
                    break
