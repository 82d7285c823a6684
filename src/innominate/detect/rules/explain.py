"""Why a span was found, and why nothing was found somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from innominate.core import Span
from innominate.detect.rules.board import Found
from innominate.detect.rules.engine import Engine
from innominate.detect.rules.settled import settled


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of an explanation: where, what, and because of what. Positions only; the caller shows the text."""

    start: int
    end: int
    label: str
    rule: str
    why: str
    depth: int = 0


def explained(engine: Engine, text: str) -> list[tuple[Span, list[Reason]]]:
    """Every span with the candidates behind it: the rule, its trigger, and the earlier candidates it rests on."""
    board = engine.run(text, explain=True)
    candidates = board.candidates()
    return [(span, list(_behind(span, candidates))) for span in settled(candidates)]


def _behind(span: Span, candidates: list[Found]) -> Iterator[Reason]:
    for found in sorted(candidates, key=lambda f: (-f.priority, -f.score)):
        if found.start < span.end and span.start < found.end:
            won = found.label == span.label and span.source == f"rules:{found.rule}"
            yield _reason(found, "" if won else "lost the overlap")
            yield from _rests_on(found, 1)


def _rests_on(found: Found, depth: int) -> Iterator[Reason]:
    if found.trigger:
        yield Reason(*found.trigger, "trigger", found.rule, "the words that made the rule fire", depth)
    for earlier in found.because:
        yield _reason(earlier, "it rests on this", depth)
        yield from _rests_on(earlier, depth + 1)


def _reason(found: Found, why: str, depth: int = 0) -> Reason:
    return Reason(found.start, found.end, found.label, found.rule, why or f"score {found.score:.2f}", depth)


def why_not(engine: Engine, text: str, start: int, end: int) -> list[Reason]:
    """What touched a range of the text and why it did not become a span; empty if no pattern or list fired there at all."""
    board = engine.run(text, explain=True)
    touching = [
        Reason(found.start, found.end, found.label, found.rule, why)
        for found, why in board.refused
        if found.start < end and start < found.end
    ]
    marks = [
        Reason(f.start, f.end, f.label, f.rule, "a mark that no rule made a span of")
        for label, found in board.by_label.items()
        for f in found
        if label.startswith(".") and f.start < end and start < f.end
    ]
    return sorted({*touching, *marks}, key=lambda reason: (reason.start, reason.end, reason.rule))
