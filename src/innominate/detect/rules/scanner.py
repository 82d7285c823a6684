"""All patterns of a rule pack in one native pass; the exact engine confirms only where the pass found something.

Where Hyperscan is not installed, every exact expression runs over the whole text: slower, with the same matches.
"""

from __future__ import annotations

import json
import re
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
Plan = tuple[str, int, list[tuple[str, int, int]]]
Window = tuple[int, int]  # the first and the last character at which a match may begin


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
        # Of each part: its expression, and how far before the end of a hit a match may begin, the line break in front counted.
        self.places = [(o, p.farthest + 1, p.nearest + 1) for o, p in zip(self.owners, self.parts, strict=True)]
        self.database: Any = _database(hyperscan, [part.gate for part in self.parts], cache) if hyperscan else None

    def matches(self, text: str, data: bytes = b"") -> list[tuple[str, re.Match[str]]]:
        """The name and the match of every hit, pattern by pattern, from left to right."""
        if self.database is None:
            both = zip(self.names, self.exact, strict=True)
            return [(name, match) for name, exact in both for match in exact.finditer(text)]
        data = data or seen(text)
        found: list[tuple[str, re.Match[str]]] = []
        for index, windows in sorted(self.windows(data).items()):
            name = self.names[index]
            found += [(name, match) for match in self._confirmed(index, windows, text, data)]
        return found

    def _confirmed(self, index: int, windows: list[Window], text: str, data: bytes) -> list[re.Match[str]]:
        """The matches that begin in the windows of a pattern; one begins where the last has ended, or later."""
        match, look, position, confirmed = self.exact[index].match, 2 + self.looks[index], 0, []
        windows.sort()
        for first, last in windows:
            begin_at = max(first, position)
            if begin_at >= last:  # one place, or none: nothing to choose from
                if begin_at == last and (found := match(text, last)):
                    confirmed.append(found)
                    position = found.end()
            else:
                for begin in self.begins[index].finditer(data, begin_at + 1, last + look):
                    start = begin.start() - 1
                    if start > last:
                        break
                    if start >= position and (found := match(text, start)):
                        confirmed.append(found)
                        position = found.end()
            if position <= last:
                position = last + 1
        return confirmed

    def windows(self, data: bytes) -> dict[int, list[Window]]:
        """Where a match of each pattern may begin: first and last character."""
        found: dict[int, list[Window]] = {}
        places = self.places

        def hit(part: int, _start: int, end: int, _flags: int, _context: object) -> None:
            owner, farthest, nearest = places[part]
            if owner in found:
                found[owner].append((end - farthest, end - nearest))
            else:
                found[owner] = [(end - farthest, end - nearest)]

        self.database.scan(data, match_event_handler=hit)
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
