from collections.abc import Callable, Iterable
from typing import Any

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
    def ends(self, data: bytes, place: int) -> list[int]: ...
    def states(self) -> int: ...

class Board:
    def of(self, labels: Iterable[str]) -> list[Found]: ...
    def candidates(self) -> list[Found]: ...

class Rulebook:
    automaton: Automaton
    def __init__(
        self,
        labels: tuple[str, ...],
        rules: tuple[tuple[str, int, float, int], ...],
        automaton: Automaton,
        patterns: tuple[tuple[Any, ...], ...],
        words: tuple[Any, ...],
        nearby: tuple[Any, ...],
        steps: tuple[tuple[str, tuple[Any, ...]], ...],
        seen: Callable[[str], bytes],
        found: type[Found],
    ) -> None: ...
    def boards(self, texts: list[str]) -> list[Board]: ...
