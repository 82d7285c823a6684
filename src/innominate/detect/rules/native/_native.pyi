from collections.abc import Callable, Iterable
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

class Matcher:
    def __init__(self, code: bytes, sets: bytes, n_groups: int, n_registers: int, first: int, least: int) -> None: ...
    def match(
        self, image: bytes, start: int, end: int | None = ..., full: bool = ..., /
    ) -> tuple[tuple[int, int], ...] | None: ...
    def search(self, image: bytes, start: int, end: int | None = ..., /) -> tuple[tuple[int, int], ...] | None: ...

class Board:
    def of(self, labels: Iterable[str]) -> list[Found]: ...
    def spans(self) -> tuple[Span, ...]: ...

class Rulebook:
    automaton: Automaton
    def __init__(
        self,
        labels: tuple[str, ...],
        rules: tuple[tuple[str, str, int, float, int], ...],
        automaton: Automaton,
        patterns: tuple[tuple[Any, ...], ...],
        words: tuple[Any, ...],
        nearby: tuple[Any, ...],
        steps: tuple[tuple[str, tuple[Any, ...]], ...],
        seen: Callable[[str], bytes],
        found: type[Found],
        span: type[Span],
        hard: Callable[[list[Found]], Iterable[Span]],
    ) -> None: ...
    def boards(self, texts: list[str]) -> list[Board]: ...

def image(text: str) -> bytes | None: ...
