"""The campaign file: the choices, the registration, the notes and the guidelines, in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = (
            error.strerror
            if isinstance(error, OSError)
            else error
            if isinstance(error, tomllib.TOMLDecodeError)
            else "not UTF-8"
        )
        raise UsageError(f"cannot read the campaign file {path}: {reason}") from None
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
        _text(folder / guidelines) if guidelines else "",
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


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the guidelines {path}: {type(error).__name__}") from None
