from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from innominate.core import Span
from innominate.detect.rules.board import Found

class Automaton:
    def __init__(
        self,
        classes: bytes,
        accepts: bytes,
        set_of: bytes,
        follow_from: bytes,
        follow: bytes,
        matched: bytes,
        first: bytes,
        limit: int,
        backwards: bool,
        most_states: int,
    ) -> None: ...
    def starts(self, data: bytes) -> list[tuple[int, tuple[int, ...]]]: ...
    def at(self, data: bytes, place: int) -> tuple[int, ...]: ...
    def ends(self, data: bytes, place: int) -> list[int]: ...
    def states(self) -> int: ...

class Nearby:
    def __init__(
        self,
        labels: Mapping[str, bytes],
        before: Automaton,
        before_always: bytes,
        after: Automaton,
        after_always: bytes,
        n_rules: int,
    ) -> None: ...

class Board:
    text: str
    data: bytes
    explain: bool
    by_label: dict[str, list[Found]]
    refused: list[tuple[Found, str]]
    def __init__(self, text: str, data: bytes, explain: bool = ..., nearby: Nearby | None = ...) -> None: ...
    def put(self, found: Found) -> None: ...
    def asked(self, number: int) -> list[Found]: ...
    def take(self, gone: list[Found], why: str) -> None: ...
    def refuse(self, found: Found, why: str) -> None: ...
    def of(self, labels: Iterable[str]) -> list[Found]: ...

def pattern_hits(
    found: type[Found], automaton: Automaton, boards: list[Board], patterns: tuple[tuple[Any, ...], ...]
) -> None: ...
def word_hits(
    found: type[Found], board: Board, matches: list[tuple[int, int, int]], lengths: list[int], owners: list[tuple[Any, ...]]
) -> None: ...
def later_rules(found: type[Found], boards: list[Board], steps: tuple[tuple[Any, ...], ...]) -> None: ...
def touched(shields: Sequence[Found], candidates: Sequence[Found]) -> list[Found]: ...
def names(found: type[Found], board: Board, rule: tuple[Any, ...]) -> None: ...
def settled(
    candidates: list[Found],
    span: type[Span],
    sources: dict[str, str],
    hard: Callable[[list[Found]], Iterable[Span]],
) -> tuple[Span, ...]: ...
