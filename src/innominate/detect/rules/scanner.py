"""All patterns of a rule pack in one native pass; the exact engine confirms only where the pass found something.

Where Hyperscan is not installed, every exact expression runs over the whole text: slower, with the same matches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.rules.alternation import compiled
from innominate.detect.rules.cache import cached, content_of, key_of
from innominate.detect.rules.characters import seen
from innominate.detect.rules.gate import widest
from innominate.detect.rules.lazy import Lazy
from innominate.detect.rules.part import EVERYTHING, Choice, Part, beginnings, rarest_parts

_CODE = ("characters.py", "gate.py", "part.py", "scanner.py")  # that chooses parts and writes them
_REPETITION = re.compile(r"\{(\d+),(\d+)\}")
Plan = tuple[str, int, list[tuple[str, int, int]]]
Note = tuple[str, bytes]  # a text, and how the scanner sees it
Match = tuple[int, re.Match[str]]  # with the number of the note
Window = tuple[int, int, int]  # the number of the note; the first and the last character at which a match may begin


def native_engine() -> Any | None:
    """The Hyperscan module, if this platform has it."""
    try:
        import hyperscan
    except ImportError:
        return None
    return hyperscan


class Scanner:
    """Finds the matches of many expressions.

    >>> scanner = Scanner({"date": r"(?<!\\d)\\d\\d\\.\\d\\d(?!\\d)", "time": r"\\d\\dh\\d\\d"})
    >>> [(name, match.group()) for name, match in scanner.matches("le 18.03 à 14h30")]
    [('date', '18.03'), ('time', '14h30')]
    """

    def __init__(
        self, expressions: dict[str, str], *, native: bool = True, cache: Path | None = None, sample: str = ""
    ) -> None:
        self.names = list(expressions)
        self.exact = [Lazy(compiled, expression) for expression in expressions.values()]
        hyperscan = native_engine() if native else None
        if not hyperscan:
            _check(expressions)
        plan = _plan(hyperscan, expressions, sample, cache) if hyperscan else []
        self.begins = [Lazy(_beginning, begins) for begins, _, _ in plan]
        self.looks = [look for _, look, _ in plan]
        self.parts = [Part(*part) for _, _, parts in plan for part in parts]
        self.owners = [index for index, (_, _, parts) in enumerate(plan) for _ in parts]  # the expression of each part
        # Of each gate: the expressions that have it as a part, and how far before the end of a hit a match of each may begin,
        # the line break in front counted.
        self.places: dict[str, list[tuple[int, int, int]]] = {}
        for owner, part in zip(self.owners, self.parts, strict=True):
            self.places.setdefault(_endless(part.gate), []).append((owner, part.farthest + 1, part.nearest + 1))
        self.database: Any = _database(hyperscan, list(self.places), cache) if hyperscan else None

    def matches(self, text: str) -> list[tuple[str, re.Match[str]]]:
        """The name and the match of every hit, pattern by pattern, from left to right."""
        return [(self.names[index], match) for index, found in self.in_all([(text, seen(text))]) for _, match in found]

    def in_all(self, notes: Sequence[Note]) -> Iterator[tuple[int, list[Match]]]:
        """For each pattern that matches, its number and its matches in all notes: one pattern is at work after the other.

        So its tables stay in the processor's cache, which is worth a third of the time.
        """
        if self.database is None:
            for index, exact in enumerate(self.exact):
                yield index, [(n, match) for n, (text, _) in enumerate(notes) for match in exact.finditer(text)]
            return
        for index, windows in enumerate(self.windows([data for _, data in notes])):
            if windows:
                yield index, list(self._confirmed(index, windows, notes))

    def _confirmed(self, index: int, windows: list[Window], notes: Sequence[Note]) -> Iterator[Match]:
        """The matches that begin in the windows of a pattern; one begins where the last has ended, or later."""
        exact, begins, look = self.exact[index].match, self.begins[index].finditer, 2 + self.looks[index]
        position, at = 0, -1
        for note, first, last in sorted(windows):
            if note != at:
                (text, data), position, at = notes[note], 0, note
            first = max(first, position)
            if first < last:
                for begin in begins(data, first + 1, last + look):
                    start = begin.start() - 1
                    if start > last:
                        break
                    if start >= position and (found := exact(text, start)):
                        yield note, found
                        position = found.end()
            elif first == last and (found := exact(text, last)):  # one place: nothing to choose from
                yield note, found
                position = found.end()
            if position <= last:
                position = last + 1

    def windows(self, texts: Sequence[bytes]) -> list[list[Window]]:
        """For each pattern where a match of it may begin: the number of the text, the first and the last character."""
        found: list[list[Window]] = [[] for _ in self.names]
        places = list(self.places.values())

        def hit(gate: int, _start: int, end: int, _flags: int, number: int) -> None:
            for owner, farthest, nearest in places[gate]:
                found[owner].append((number, end - farthest, end - nearest))

        for number, data in enumerate(texts):
            self.database.scan(data, match_event_handler=hit, context=number)
        return found


def _plan(hyperscan: Any, expressions: dict[str, str], sample: str, cache: Path | None) -> list[Plan]:
    """For each expression where a match may begin, how far that looks, and the parts to scan for; worked out once and kept.

    Expressions are checked before that, so those with a plan that was kept need no look.
    """

    def made() -> bytes:
        _check(expressions)
        every = expressions.values()
        choice = Choice(seen(sample) if sample else b"", lambda gate: _fitting(hyperscan, gate) == gate)
        plan = [(*beginnings(e), [(p.gate, p.farthest, p.nearest) for p in rarest_parts(e, choice)]) for e in every]
        return json.dumps(plan).encode()

    if cache is None:
        stored = made()
    else:
        key = key_of([content_of("innominate.detect.rules", *_CODE), sample, *expressions.values()])
        stored = cached(cache / f"parts-{key}.json", made)
    plan: list[Plan] = json.loads(stored)
    return plan


def _database(hyperscan: Any, gates: list[str], cache: Path | None) -> Any:
    path = None if cache is None else cache / f"gate-{key_of([hyperscan.__version__, *gates])}.hs"
    if path is not None:
        stored = cached(path, lambda: hyperscan.dumpb(_build(hyperscan, gates)))
        try:
            database = hyperscan.loadb(stored, hyperscan.HS_MODE_BLOCK)
            database.scratch = hyperscan.Scratch(database)
            return database
        except Exception:  # of another version, or damaged: build it again
            path.unlink(missing_ok=True)
    return _build(hyperscan, gates)


def _build(hyperscan: Any, gates: list[str]) -> Any:
    """Compile all gates together; one that is too large for the scanner lets everything through."""
    try:
        return _compiled(hyperscan, gates)
    except hyperscan.error:
        return _compiled(hyperscan, [_fitting(hyperscan, gate) for gate in gates])


def _fitting(hyperscan: Any, gate: str) -> str:
    try:
        _compiled(hyperscan, [gate])
    except hyperscan.error:
        return EVERYTHING
    return gate


def _compiled(hyperscan: Any, gates: list[str]) -> Any:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    expressions = [gate.encode("latin-1") for gate in gates]
    database.compile(expressions=expressions, ids=list(range(len(gates))), flags=[hyperscan.HS_FLAG_DOTALL] * len(gates))
    return database


def _endless(gate: str) -> str:
    """A gate whose long repetitions have no end: hardly more hits, and far fewer states.

    >>> _endless("[A-Z](?:[a-z]){1,20} (?:x){0,1}")
    '[A-Z](?:[a-z]){1,} (?:x){0,1}'
    """
    return _REPETITION.sub(lambda r: f"{{{r[1]},}}" if int(r[2]) - int(r[1]) > 2 else r[0], gate)


def _beginning(expression: str) -> re.Pattern[bytes]:
    return re.compile(expression.encode("latin-1"), re.DOTALL)


def _check(expressions: dict[str, str]) -> None:
    """Refuse what is no expression or may match without end."""
    for name, expression in expressions.items():
        try:
            compiled(expression)
            widest(expression)
        except re.error as error:
            raise UsageError(f"pattern {name!r} is not a regular expression: {error}") from error
        except UsageError as error:
            raise UsageError(f"pattern {name!r} {error}") from error
