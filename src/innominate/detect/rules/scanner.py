"""All patterns of a rule pack in one native pass; the exact engine confirms only where the pass found something.

Where Hyperscan is not installed, every exact expression runs over the whole text: slower, with the same matches.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.rules.cache import cached
from innominate.detect.rules.gate import gate_expression, gate_width, latin1

REVISION = 5  # raise it when gates are written in another way
LOOK = 64  # characters behind a region that look-ahead may see

Region = tuple[int, int]


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

    def __init__(self, expressions: dict[str, str], *, native: bool = True, cache: Path | None = None) -> None:
        self.names = list(expressions)
        self.exact = [_compile(name, expression) for name, expression in expressions.items()]
        self.widths = [_named(name, gate_width, expression) for name, expression in expressions.items()]
        self.database = self._database(list(expressions.values()), cache) if native else None

    def matches(self, text: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the name and the match of every hit, pattern by pattern, from left to right."""
        if self.database is None:
            for name, exact in zip(self.names, self.exact, strict=True):
                for match in exact.finditer(text):
                    yield name, match
            return
        for index, regions in self._regions(text).items():
            name, search = self.names[index], self.exact[index].search
            for start, end in regions:
                found = search(text, start, end + LOOK)
                while found and found.start() < end:
                    yield name, found
                    found = search(text, found.end(), end + LOOK) if found.end() < end else None

    def _regions(self, text: str) -> dict[int, list[Region]]:
        """Where each pattern may match: one region per cluster of ends that the scanner reported."""
        ends: dict[int, list[int]] = {}

        def hit(index: int, _start: int, end: int, _flags: int, _context: object) -> None:
            ends.setdefault(index, []).append(end)

        self.database.scan(latin1(text), match_event_handler=hit)  # type: ignore[union-attr]
        return {index: _merged(sorted(found), self.widths[index]) for index, found in sorted(ends.items())}

    def _database(self, expressions: Sequence[str], cache: Path | None) -> Any | None:
        hyperscan = native_engine()
        if hyperscan is None:
            return None
        key = hashlib.sha256("\0".join([hyperscan.__version__, str(REVISION), *expressions]).encode()).hexdigest()
        path = None if cache is None else cache / f"gate-{key[:32]}.hs"
        if path is not None:
            stored = cached(path, lambda: hyperscan.dumpb(_build(hyperscan, expressions)))
            try:
                database = hyperscan.loadb(stored, hyperscan.HS_MODE_BLOCK)
                database.scratch = hyperscan.Scratch(database)
                return database
            except Exception:  # of another version, or damaged: build it again
                path.unlink(missing_ok=True)
        return _build(hyperscan, expressions)


def _build(hyperscan: Any, expressions: Sequence[str]) -> Any:
    """Compile all gates together; one that is too large for the scanner is made looser, at last to let everything through."""
    gates = [gate_expression(expression) for expression in expressions]
    try:
        return _compiled(hyperscan, gates)
    except hyperscan.error:
        return _compiled(hyperscan, [_fitting(hyperscan, *pair) for pair in zip(gates, expressions, strict=True)])


def _fitting(hyperscan: Any, gate: bytes, expression: str) -> bytes:
    for candidate in (gate, gate_expression(expression, surrounded=False)):
        try:
            _compiled(hyperscan, [candidate])
        except hyperscan.error:
            continue
        return candidate
    return b"."


def _compiled(hyperscan: Any, gates: list[bytes]) -> Any:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(expressions=gates, ids=list(range(len(gates))), flags=[hyperscan.HS_FLAG_DOTALL] * len(gates))
    return database


def _merged(ends: list[int], width: int) -> list[Region]:
    regions: list[Region] = []
    for end in ends:
        start = max(0, end - width)
        if regions and start <= regions[-1][1]:
            regions[-1] = (regions[-1][0], end)
        else:
            regions.append((start, end))
    return regions


def _compile(name: str, expression: str) -> re.Pattern[str]:
    try:
        return re.compile(expression)
    except re.error as error:
        raise UsageError(f"pattern {name!r} is not a regular expression: {error}") from error


def _named(name: str, function: Any, expression: str) -> Any:
    try:
        return function(expression)
    except UsageError as error:
        raise UsageError(f"pattern {name!r} {error}") from error
