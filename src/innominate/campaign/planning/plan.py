"""The campaign file: the choices, the registration, the notes and the guidelines, in TOML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.campaign.files import read_text_file, read_toml_file
from innominate.campaign.planning.config import Campaign, campaign_from
from innominate.campaign.planning.registration import annotators_from, read_sheet
from innominate.campaign.records import Annotator
from innominate.core import UsageError


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
    work = Sources(tuple(content.pop("notes", ())), content.pop("format", ""), content.pop("options", {}))
    training = _training(content.pop("training", {}))
    people = (*(read_sheet(folder / sheet) if sheet else ()), *annotators_from(listed, str(path)))
    plan = Plan(
        campaign_from(content),
        _unique(people),
        _located(work, folder),
        _located(training, folder),
        read_text_file(folder / guidelines, "the guidelines") if guidelines else "",
    )
    _check_teams(plan)
    return plan


def _training(values: Any) -> Sources:
    if not isinstance(values, dict) or values.keys() - {"notes", "format", "options"}:
        raise UsageError("[training] has notes and, if they need it, format and options")
    return Sources(tuple(values.get("notes", ())), values.get("format", ""), values.get("options", {}))


def _unique(people: tuple[Annotator, ...]) -> tuple[Annotator, ...]:
    seen: set[str] = set()
    for person in people:
        if person.id in seen:
            raise UsageError(f"annotator {person.id!r} is registered twice; ids must be unique")
        seen.add(person.id)
    return people


def _check_teams(plan: Plan) -> None:
    teams = {person.team for person in plan.annotators}
    for condition in plan.campaign.conditions:
        missing = sorted(set(condition.teams) - teams)
        if missing and plan.annotators:
            raise UsageError(f"condition {condition.name!r} names teams without annotators: {', '.join(missing)}")


def _located(sources: Sources, folder: Path) -> Sources:
    notes = tuple(source if "://" in source or source == "-" else str(folder / source) for source in sources.notes)
    return Sources(notes, sources.format, sources.options)
