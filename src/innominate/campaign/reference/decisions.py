"""The decision queue, and corrections by a manager, which take precedence over any vote.

Nothing that one annotator saw is dropped before a manager has decided it. A majority is a proposal: two annotators who must
both see an identifier find 83 % of them where either finds 98 %, so every alignment that a vote would drop, and every stretch
that a majority's limits would leave out, waits here for a decision.

A correction is one JSON object a line. It names an alignment by its sample and the limits of any unit in it, and says what the
reference is:

    {"sample": "n1.3", "at": [10, 13], "segment": [10, 13], "category": "TEMPS", "by": "mk", "reason": "guidelines 4.2"}

`segment` or `category` may be left out (the vote stands) or null (nothing is there). `at` may have a label as its third value
where two alignments have a unit with the same limits. Lines of the decision queue are corrections too: they have a `decision`,
"keep" takes the proposal of the line, "drop" what the line has under `otherwise` (mostly null: nothing is there), and without
a decision the line waits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from innominate.campaign.records import Problem, Sample, read_text_file
from innominate.campaign.reference.verdicts import Aligned, Record, Segment, Verdict
from innominate.core import UsageError
from innominate.evaluate.counts import covered, letters, stretch

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


@dataclass(frozen=True, slots=True)
class Correction:
    """What a manager decided about one alignment. A side that is not `says` keeps its vote."""

    line: int
    sample: str
    at: Segment
    label: str | None = None
    says_segment: bool = False
    segment: Segment | None = None
    says_category: bool = False
    category: str | None = None
    by: str = ""
    reason: str = ""
    file: str = ""  # in which the line is


class _FaultError(Exception):
    """Why a line is kept out."""


def read_corrections(
    path: Path, samples: Mapping[str, Sample], labels: Iterable[str] = ()
) -> tuple[list[Correction], list[Problem]]:
    """Read a file of corrections; a line that is not one is listed with its number and kept out."""
    found, problems = parse_corrections(read_text_file(path, "the corrections").splitlines(), samples, labels)
    return [replace(one, file=path.name) for one in found], [replace(one, file=path.name) for one in problems]


def parse_corrections(
    lines: Iterable[str], samples: Mapping[str, Sample], labels: Iterable[str] = ()
) -> tuple[list[Correction], list[Problem]]:
    """The same for lines.

    >>> _, problems = parse_corrections(['{"sample": "n9", "at": [0, 3], "segment": null}'], {})
    >>> str(problems[0])
    "line 1: correction: sample 'n9' is not part of the campaign"
    """
    known = frozenset(labels)
    found, problems = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            correction = _correction(number, line, samples, known)
        except _FaultError as fault:
            problems.append(Problem(str(fault), number, "correction"))
            continue
        if correction:
            found.append(correction)
    return found, problems


def _correction(number: int, line: str, samples: Mapping[str, Sample], labels: frozenset[str]) -> Correction | None:
    try:
        entry = json.loads(line)
    except ValueError:
        raise _FaultError("this is not a JSON object") from None
    if not isinstance(entry, dict):
        raise _FaultError("this is not a JSON object")
    decision = entry.get("decision")
    if decision == "":
        return None
    if decision not in {None, "keep", "drop"}:
        raise _FaultError("the decision is keep, drop or empty")
    if decision == "drop":
        start, end, label = _at(entry["otherwise"]) if entry.get("otherwise") else (None, None, None)
        entry |= {"segment": None if start is None else [start, end], "category": label}
    sample = samples.get(entry.get("sample", ""))
    if sample is None:
        raise _FaultError(f"sample {entry.get('sample')!r} is not part of the campaign")
    if not {"segment", "category"} & entry.keys():
        raise _FaultError("neither a segment nor a category is given")
    start, end, label = _at(entry.get("at"))
    segment = _segment(entry.get("segment"), sample)
    category = entry.get("category")
    if category is not None and (not isinstance(category, str) or (labels and category not in labels)):
        raise _FaultError(f"category {category!r} is not in the taxonomy")
    nothing = any(key in entry and entry[key] is None for key in ("segment", "category"))
    return Correction(
        number,
        sample.id,
        (start, end),
        label,
        nothing or "segment" in entry,
        None if nothing else segment,
        nothing or "category" in entry,
        None if nothing else category,
        str(entry.get("by", "")),
        str(entry.get("reason", "")),
    )


def _at(value: Any) -> tuple[int, int, str | None]:
    match value:
        case [int(start), int(end)]:
            return start, end, None
        case [int(start), int(end), str(label)]:
            return start, end, label
    raise _FaultError("`at` is [start, end] or [start, end, label]")


def _segment(value: Any, sample: Sample) -> Segment | None:
    match value:
        case None:
            return None
        case [int(start), int(end)] if 0 <= start < end <= len(sample.text):
            return start, end
    raise _FaultError(f"the segment is [start, end] within the {len(sample.text)} characters of the sample, or null")


def apply_corrections(records: Sequence[Record], corrections: Iterable[Correction]) -> tuple[list[Record], list[Problem]]:
    """Apply corrections, the later of two last. One that names no alignment, or several, is listed and changes nothing."""
    by_sample = {record.sample: list(record.aligned) for record in records}
    problems = []
    for correction in corrections:
        aligned = by_sample.get(correction.sample, [])
        places = [place for place, one in enumerate(aligned) if _names(correction, one)]
        if len(places) == 1:
            aligned[places[0]] = _apply(correction, aligned[places[0]])
        else:
            what = f"{correction.at[0]}..{correction.at[1]} of sample {correction.sample!r}"
            reason = f"{what} names no alignment" if not places else f"{what} names {len(places)} alignments; add the label"
            problems.append(Problem(reason, correction.line, "correction", correction.file))
    return [replace(record, aligned=tuple(by_sample[record.sample])) for record in records], problems


def _names(correction: Correction, aligned: Aligned) -> bool:
    limits = {(unit.start, unit.end) for unit in aligned.units.values() if correction.label in {None, unit.label}}
    return correction.at in limits or (correction.label is None and correction.at == aligned.place)


def _apply(correction: Correction, aligned: Aligned) -> Aligned:
    segment, category = aligned.segment, aligned.category
    if correction.says_segment:
        segment = Verdict(segment.vote, True, correction.segment, corrected=True)
    if correction.says_category:
        category = Verdict(category.vote, True, correction.category, corrected=True)
    return replace(aligned, segment=segment, category=category, by=correction.by, reason=correction.reason)
