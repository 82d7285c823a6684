"""Rules explained: why a span was found or not, which labels rest on which, and which examples fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from innominate.core import Span, annotated
from innominate.core.plugins import in_order
from innominate.detect.rules.board import Found, source_of
from innominate.detect.rules.engine import Engine, RulesDetector, settle_overlaps
from innominate.detect.rules.pack import Pack


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of an explanation: where, what, and because of what. Positions only; the caller shows the text."""

    start: int
    end: int
    label: str
    rule: str
    why: str
    depth: int = 0


def explain_spans(engine: Engine, text: str) -> list[tuple[Span, list[Reason]]]:
    """Every span of the rules with the candidates behind it: the rule, its trigger, and the earlier candidates it rests on."""
    candidates = candidates_in(engine, text)
    return [(span, reasons_for(span, candidates)) for span in settle_overlaps(candidates)]


def candidates_in(engine: Engine, text: str) -> list[Found]:
    """What the rules found in a text before overlaps were settled."""
    found: list[Found] = engine.run(text, explain=True).candidates()
    return found


def reasons_for(span: Span, candidates: Sequence[Found]) -> list[Reason]:
    """What the rules saw where a span is, whoever found it."""
    reasons: list[Reason] = []
    for found in sorted(candidates, key=lambda f: (-f.priority, -f.score)):
        if found.start < span.end and span.start < found.end:
            reasons += [_reason(found, _tell_relation(found, span)), *_rests_on(found, 1)]
    return reasons


def _tell_relation(found: Found, span: Span) -> str:
    """How a candidate stands to the span that was returned; empty if it is what the span was made of."""
    if span.source == source_of(found.rule) and found.label == span.label:
        return ""
    if (found.start, found.end, found.label) == (span.start, span.end, span.label):
        return f"says the same, score {found.score:.2f}"
    return "lost the overlap"


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
        for f in board.of([label for label in board.by_label if label.startswith(".")])
        if f.start < end and start < f.end
    ]
    return sorted({*touching, *marks}, key=lambda reason: (reason.start, reason.end, reason.rule))


def dependencies(pack: Pack) -> dict[str, set[str]]:
    """What each label rests on, marks left out: a label that needs a mark needs what the mark rests on."""
    direct: dict[str, set[str]] = {}
    for rule in pack.rules:
        for given in rule.gives:
            direct.setdefault(given, set()).update(rule.needs - {given})

    def through_marks(label: str, seen: frozenset[str]) -> set[str]:
        found: set[str] = set()
        for need in direct.get(label, set()) - seen:
            found |= through_marks(need, seen | {need}) if need.startswith(".") else {need}
        return found

    return {label: through_marks(label, frozenset({label})) - {label} for label in direct if not label.startswith(".")}


def layers(pack: Pack) -> list[list[tuple[str, list[str]]]]:
    """Labels by how many steps they stand away from the bare text."""
    needs = dependencies(pack)
    acyclic = {label: sorted(wanted & needs.keys()) for label, wanted in needs.items()}
    depth: dict[str, int] = {}
    for label in in_order(acyclic):
        depth[label] = 1 + max((depth[need] for need in acyclic[label]), default=-1)
    return [
        [(label, acyclic[label]) for label in sorted(depth) if depth[label] == level] for level in sorted(set(depth.values()))
    ]


def dot(pack: Pack) -> str:
    """A Graphviz drawing: an arrow goes from a label to what it relies on."""
    lines = [f'  "{label}" -> "{need}";' for label, needs in sorted(dependencies(pack).items()) for need in sorted(needs)]
    nodes = [f'  "{label}";' for label in sorted(pack.labels)]
    return "\n".join(
        [f'digraph "{pack.lang}" {{', "  rankdir=BT; node [shape=box, fontname=Helvetica];", *nodes, *lines, "}\n"]
    )


@dataclass(frozen=True, slots=True)
class FailedExample:
    """A sentence in which a rule does not find what it should, or finds what it should not."""

    rule: str
    sentence: str
    found: bool


def find_failed_examples(detector: RulesDetector) -> Iterator[FailedExample]:
    """Run every example of every rule."""
    for header in (rule.header for rule in detector.engine.pack.rules):
        for sentence in header.match:
            wanted = annotated(sentence)
            if not set(wanted.spans) <= set(detector.detect(wanted)):
                yield FailedExample(header.name, sentence, found=False)
        for sentence in header.no_match:
            if any(span.label == header.label for span in detector.detect(annotated(sentence))):
                yield FailedExample(header.name, sentence, found=True)
