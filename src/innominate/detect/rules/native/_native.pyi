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
