"""All patterns of a rule pack in one native pass; the exact engine confirms only where the pass found something.

Where Hyperscan is not installed, every exact expression runs over the whole text: slower, with the same matches.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.rules.alternation import compiled
from innominate.detect.rules.cache import cached
from innominate.detect.rules.characters import latin1
from innominate.detect.rules.gate import widest
from innominate.detect.rules.lazy import Lazy
from innominate.detect.rules.part import EVERYTHING, Part, beginnings, rarest_parts

REVISION = 6  # raise it when parts are chosen or written in another way
Window = tuple[int, int]  # the first and the last character at which a match may begin


def native_engine() -> Any | None:
    """The Hyperscan module, if this platform has it."""
    try:
        import hyperscan
    except ImportError:
        return None
    return hyperscan


def seen(text: str) -> bytes:
    """A text as the scanner sees it: between line breaks, so that its ends look like those of a line."""
    return b"\n" + latin1(text) + b"\n"


class Scanner:
    """Finds the matches of many expressions.

    >>> scanner = Scanner({"date": r"(?<!\\d)\\d\\d\\.\\d\\d(?!\\d)", "time": r"\\d\\dh\\d\\d"})
    >>> [(name, match.group()) for name, match in scanner.matches("le 18.03 à 14h30")]
    [('date', '18.03'), ('time', '14h30')]
    """

    def __init__(self, expressions: dict[str, str], *, native: bool = True, cache: Path | None = None) -> None:
        self.names = list(expressions)
        self.exact = [Lazy(compiled, expression) for expression in expressions.values()]
        hyperscan = native_engine() if native else None
        if not hyperscan:
            _check(expressions)
        plan = _plan(expressions, cache) if hyperscan else []
        self.begins = [Lazy(_beginning, begins) for begins, _, _ in plan]
        self.looks = [look for _, look, _ in plan]
        self.parts = [Part(*part) for _, _, parts in plan for part in parts]
        self.owners = [index for index, (_, _, parts) in enumerate(plan) for _ in parts]  # the expression of each part
        self.database: Any = _database(hyperscan, [part.gate for part in self.parts], cache) if hyperscan else None

    def matches(self, text: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the name and the match of every hit, pattern by pattern, from left to right."""
        if self.database is None:
            for name, exact in zip(self.names, self.exact, strict=True):
                yield from ((name, match) for match in exact.finditer(text))
            return
        data = seen(text)
        for index, windows in sorted(self.windows(data).items()):
            yield from ((self.names[index], match) for match in self._confirmed(index, sorted(windows), text, data))

    def _confirmed(self, index: int, windows: list[Window], text: str, data: bytes) -> Iterator[re.Match[str]]:
        """The matches that begin in the windows of a pattern; one begins where the last has ended, or later."""
        match, begins, look = self.exact[index].match, self.begins[index].finditer, 2 + self.looks[index]
        position = 0
        for first, last in windows:
            for begin in begins(data, max(position, first) + 1, last + look):
                start = begin.start() - 1
                if start > last:
                    break
                if start >= position and (found := match(text, start)):
                    yield found
                    position = found.end()
            position = max(position, last + 1)

    def windows(self, data: bytes) -> dict[int, list[Window]]:
        """Where a match of each pattern may begin: first and last character."""
        hits: list[tuple[int, int]] = []
        append = hits.append
        self.database.scan(data, match_event_handler=lambda part, _start, end, _flags, _context: append((part, end)))
        found: dict[int, list[Window]] = {}
        parts, owners = self.parts, self.owners
        for number, end in hits:
            part = parts[number]
            end -= 1
            found.setdefault(owners[number], []).append((end - part.farthest, end - part.nearest))
        return found


def _plan(expressions: dict[str, str], cache: Path | None) -> list[tuple[str, int, list[tuple[str, int, int]]]]:
    """For each expression where a match may begin, how far that looks, and the parts to scan for; worked out once and kept.

    Expressions are checked before that, so those with a plan that was kept need no look.
    """

    def made() -> bytes:
        _check(expressions)
        every = expressions.values()
        plan = [(*beginnings(e), [(p.gate, p.farthest, p.nearest) for p in rarest_parts(e)]) for e in every]
        return json.dumps(plan).encode()

    if cache is None:
        stored = made()
    else:
        key = hashlib.sha256("\0".join([str(REVISION), *expressions.values()]).encode()).hexdigest()
        stored = cached(cache / f"parts-{key[:32]}.json", made)
    plan: list[tuple[str, int, list[tuple[str, int, int]]]] = json.loads(stored)
    return plan


def _database(hyperscan: Any, gates: list[str], cache: Path | None) -> Any:
    key = hashlib.sha256("\0".join([hyperscan.__version__, *gates]).encode()).hexdigest()
    path = None if cache is None else cache / f"gate-{key[:32]}.hs"
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
