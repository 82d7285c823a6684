"""Why a span was found, or nothing was: for the terminal, shared by `detect --explain` and `rules explain`."""

from __future__ import annotations

from collections.abc import Iterable

from innominate.cli.console import stdout
from innominate.core import UsageError
from innominate.detect.rules.engine import Engine
from innominate.detect.rules.explain import Reason, explain_spans, why_not
from innominate.report.terminal import describe_span, escape_controls
from innominate.run.explaining import Explained


def print_reasons(engine: Engine, text: str, at: str | None = None) -> None:
    """Every span with the rule, trigger, list and earlier span behind it; with a range, why nothing was found there."""
    if at:
        _print_why_not(engine, text, *_range(at, len(text)))
        return
    for span, reasons in explain_spans(engine, text):
        stdout.print(describe_span(text, span), soft_wrap=True)
        for reason in reasons:
            _print_reason(reason, text)


def print_explained(explained: Iterable[Explained], text: str) -> None:
    """Every span with who found it and, below, what the rules saw there."""
    nothing = True
    for one in explained:
        nothing = False
        stdout.print(describe_span(text, one.span), soft_wrap=True)
        stdout.print(f"    {one.found_by}", markup=False, soft_wrap=True)
        for reason in one.reasons:
            _print_reason(reason, text)
    if nothing:
        stdout.print("nothing found", style="dim")


def _print_why_not(engine: Engine, text: str, start: int, end: int) -> None:
    stdout.print(f"{start}:{end} {escape_controls(text[start:end])}", markup=False)
    reasons = why_not(engine, text, start, end)
    for reason in reasons:
        _print_reason(reason, text)
    if not reasons:
        stdout.print("  no pattern matched here and no list holds these words")


def _print_reason(reason: Reason, text: str) -> None:
    indent = "  " * (reason.depth + 2)
    shown = escape_controls(text[reason.start : reason.end])
    stdout.print(f"{indent}{reason.rule}  {reason.label}  “{shown}”  {reason.why}", markup=False, soft_wrap=True)


def _range(text: str, length: int) -> tuple[int, int]:
    start, colon, end = text.partition(":")
    if not (colon and start.isdecimal() and end.isdecimal() and int(start) < int(end)):
        raise UsageError(f"a range is written START:END, such as 120:131, not {text!r}")
    if int(end) > length:
        raise UsageError(f"the range {text} ends after the {length} characters of the note")
    return int(start), int(end)
