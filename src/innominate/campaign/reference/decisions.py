"""The decision queue: nothing that one annotator saw is dropped before a manager has decided it.

A majority is a proposal. Two annotators who must both see an identifier find 83 % of them where either finds 98 %, so every
alignment that a vote would drop, and every stretch that a majority's limits would leave out, waits here for a decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from innominate.campaign.records import Sample
from innominate.campaign.reference.verdicts import Aligned, Record
from innominate.campaign.reference.votes import Segment
from innominate.core import UsageError
from innominate.evaluate.coverage import covered, letters, stretch

Cause = Literal["minority", "undecided", "limits"]


@dataclass(frozen=True, slots=True)
class Pending:
    """One alignment that waits for a manager, with what a decision to keep it would mean."""

    sample: str
    at: tuple[int, int, str]  # limits and label of the proposed unit, which name the alignment
    cause: Cause  # a vote for nothing; no majority; a majority that leaves out letters or digits
    segment: Segment
    category: str
    votes: int  # annotators who marked something
    of: int
    chance: float  # that it is an identifier: the share of the votes, or what a model of the annotators says
    otherwise: tuple[int, int, str] | None = None  # what stays if it is dropped: nothing, or the majority's limits

    def as_line(self, text: str = "") -> str:
        """A line of the queue, which becomes a correction when somebody fills in the decision."""
        line: dict[str, Any] = {
            "decision": "",
            "sample": self.sample,
            "at": list(self.at),
            "segment": list(self.segment),
            "category": self.category,
            "otherwise": list(self.otherwise) if self.otherwise else None,
            "cause": self.cause,
            "votes": f"{self.votes}/{self.of}",
            "chance": round(self.chance, 4),
            "by": "",
            "reason": "",
        }
        if text:
            line["text"] = text[slice(*self.segment)]
        return json.dumps(line, ensure_ascii=False)


def queue_decisions(
    records: Iterable[Record], samples: Mapping[str, Sample], chances: Mapping[tuple[str, Segment], float] | None = None
) -> list[Pending]:
    """All alignments that wait, the most probable identifiers first.

    `chances` may say for (sample, place) how probable an identifier is; otherwise it is the share of the votes.
    """
    waiting = []
    for record in records:
        kept, readable = covered(record.spans), letters(samples[record.sample].text)
        for aligned in record.aligned:
            cause = _cause(aligned, kept, readable)
            if cause:
                share = len(aligned.units) / len(aligned.annotators)
                chance = (chances or {}).get((aligned.sample, aligned.place), share)
                waiting.append(_pending(aligned, cause, chance))
    return sorted(waiting, key=lambda one: (-one.chance, one.sample, one.at))


def write_queue(path: Path, lines: Iterable[str]) -> None:
    """Write a queue; call `check_queue_place` long before."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def check_queue_place(path: Path, corrections: Iterable[Path]) -> None:
    """Refuse to write a queue over decisions that somebody has made."""
    if not path.exists():
        return
    if any(path.samefile(one) for one in corrections if one.exists()):
        raise UsageError(f"{path} is both given and to be written; name another file for what still waits")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not _waits(line):
            raise UsageError(f"{path}:{number}: somebody has decided here; give it with --corrections and name another file")


def _waits(line: str) -> bool:
    try:
        entry = json.loads(line)
    except ValueError:
        return False
    return isinstance(entry, dict) and entry.get("decision") == "" and not entry.get("by") and not entry.get("reason")


def _cause(aligned: Aligned, kept: int, readable: int) -> Cause | None:
    """Why an alignment waits, if it does. What a manager has corrected on both sides does not."""
    if aligned.segment.corrected and aligned.category.corrected:
        return None
    if aligned.span is None:
        return "undecided" if aligned.open else "minority"
    marked = 0
    for unit in aligned.units.values():
        marked |= stretch(int(unit.start), int(unit.end))
    return "limits" if marked & ~kept & readable else None


def _pending(aligned: Aligned, cause: Cause, chance: float) -> Pending:
    """Propose the most voted unit, the longest of equals: a manager who keeps it should keep all of it."""
    votes: dict[tuple[int, int, str], int] = {}
    for unit in aligned.units.values():
        key = (int(unit.start), int(unit.end), unit.label)
        votes[key] = votes.get(key, 0) + 1
    start, end, label = max(votes, key=lambda key: (votes[key], key[1] - key[0], key))
    segment = (start, end) if cause != "limits" else aligned.place
    span = aligned.span
    return Pending(
        aligned.sample,
        (start, end, label),
        cause,
        segment,
        span.label if span else label,
        len(aligned.units),
        len(aligned.annotators),
        chance,
        (span.start, span.end, span.label) if span else None,
    )
