"""The campaign file: the choices, the registration, the notes and the guidelines, in TOML; and reading the notes that it
names.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.campaign.planning.config import Campaign, campaign_from
from innominate.campaign.planning.notes import CampaignNote, prepare_note, problem_of_note
from innominate.campaign.records import Annotator, read_text_file, read_toml_file
from innominate.core import Document, Rejected, UsageError
from innominate.formats import decode, read

_NAME = re.compile(r"[^\W_][\w.@+ -]{0,63}")  # what may stand in a session id, a file name and a URL
_COLUMNS = ("id", "team", "name", "email", "goal", "also")


def read_sheet(path: Path) -> list[Annotator]:
    """Read a CSV file with the columns id and team and, if wanted, name, email, goal and also (other names, after `;`)."""
    try:
        text = decode(path.read_bytes(), str(path)).removeprefix("\ufeff")
    except OSError as error:
        raise UsageError(f"cannot read the registration sheet {path}: {error.strerror}") from None
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    if not rows or not {"id", "team"} <= rows[0].keys():
        raise UsageError(f"{path}: a registration sheet has a header with at least id and team, and a row per person")
    entries = [{key: value for key, value in row.items() if key in _COLUMNS and value} for row in rows]
    return annotators_from(entries, str(path))


def annotators_from(entries: Iterable[Mapping[str, Any]], source: str) -> list[Annotator]:
    """Check the entries of a registration and make annotators of them.

    >>> annotators_from([{"id": "eva", "team": "gnocchi", "also": "3;eva@example.org"}], "sheet")[0].also
    ('3', 'eva@example.org')
    """
    return [_annotator(entry, f"{source}, annotator {number}") for number, entry in enumerate(entries, start=1)]


def _annotator(entry: Mapping[str, Any], where: str) -> Annotator:
    unknown = sorted(entry.keys() - set(_COLUMNS))
    if unknown:
        raise UsageError(f"{where}: unknown {', '.join(unknown)}; there are: {', '.join(_COLUMNS)}")
    id, team = str(entry.get("id", "")).strip(), str(entry.get("team", "")).strip()
    for what, value in (("id", id), ("team", team)):
        if not _NAME.fullmatch(value):
            raise UsageError(f"{where}: {what} {value!r} needs 1 to 64 letters, digits, blanks or any of . @ + - _")
    goal = entry.get("goal", 0)
    if not str(goal).strip().isdecimal():
        raise UsageError(f"{where}: the goal is a number of tasks")
    also = entry.get("also", ())
    names = also.split(";") if isinstance(also, str) else [str(name) for name in also]
    others = tuple(name.strip() for name in names if name.strip())
    return Annotator(id, team, str(entry.get("name", "")), str(entry.get("email", "")), int(goal), others)


@dataclass(frozen=True, slots=True)
class Sources:
    """Notes, and how to read them."""

    notes: tuple[str, ...] = ()
    format: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a campaign file says."""

    campaign: Campaign
    annotators: tuple[Annotator, ...]
    work: Sources
    training: Sources
    guidelines: str  # markdown


def read_plan(path: Path) -> Plan:
    """Read a campaign file. Paths in it start from its own folder."""
    content = read_toml_file(path, "the campaign file")
    folder = path.parent
    sheet, listed = content.pop("registration", None), content.pop("annotators", [])
    guidelines = content.pop("guidelines", None)
    work: dict[str, Any] = {name: content.pop(name) for name in ("notes", "format", "options") if name in content}
    training = content.pop("training", {})
    if not isinstance(training, dict) or training.keys() - {"notes", "format", "options"}:
        raise UsageError("[training] has notes and, if they need it, format and options")
    people = (*(read_sheet(folder / sheet) if sheet else ()), *annotators_from(listed, str(path)))
    twice = next((id for id, count in Counter(person.id for person in people).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"annotator {twice!r} is registered twice; ids must be unique")
    plan = Plan(
        campaign_from(content),
        people,
        _sources(work, folder),
        _sources(training, folder),
        read_text_file(folder / guidelines, "the guidelines") if guidelines else "",
    )
    teams = {person.team for person in plan.annotators}
    for condition in plan.campaign.conditions:
        missing = sorted(set(condition.teams) - teams)
        if missing and plan.annotators:
            raise UsageError(f"condition {condition.name!r} names teams without annotators: {', '.join(missing)}")
    return plan


def _sources(values: Mapping[str, Any], folder: Path) -> Sources:
    given = values.get("notes", ())
    notes = tuple(source if "://" in source or source == "-" else str(folder / source) for source in given)
    return Sources(notes, values.get("format", ""), values.get("options", {}))


class PlanReader:
    """Reads and cuts the notes of a plan and counts them; what cannot be read is handed to `left_out`."""

    def __init__(self, plan: Plan, left_out: Callable[[Rejected], None] = lambda item: None) -> None:
        self._plan, self._left_out = plan, left_out
        self.notes_read = self.chunks = self.training = self.rejected = 0

    def notes(self) -> Iterator[CampaignNote]:
        """Yield the notes for training, then the others."""
        yield from self._of(self._plan.training, training=True)
        yield from self._of(self._plan.work, training=False)

    def _of(self, sources: Sources, *, training: bool) -> Iterator[CampaignNote]:
        if not sources.notes:
            return
        for item in read(list(sources.notes), sources.format or None, **sources.options):
            if isinstance(item, Document) and (reason := problem_of_note(item)):
                item = Rejected(item.id, f"document {item.id!r}: {reason}")
            if isinstance(item, Rejected):
                self.rejected += 1
                self._left_out(item)
                continue
            note = prepare_note(item, self._plan.campaign, training=training)
            self.notes_read += 1
            self.chunks += len(note.samples)
            self.training += len(note.samples) if training else 0
            yield note
