"""Options that belong together, declared once and used by several commands.

A command takes a set as one parameter; `expand_options` shows its fields to the command line as options of the command.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_type_hints

from innominate.cli import options as o


@dataclass(frozen=True)
class FindingOptions:
    """How identifiers are found."""

    lang: o.Lang = None
    unknown_language: o.UnknownLanguage = None
    detector: o.Detector = None
    recall: o.Recall = None
    rules: o.RuleFiles = None
    taxonomy: o.TaxonomyName = None
    patients: o.Patients = None
    patient_key: o.PatientKey = None
    patients_required: o.PatientsRequired = None


@dataclass(frozen=True)
class HidingOptions:
    """How they are concealed."""

    policy: o.Policy = None
    key: o.KeyFile = None
    consistency: o.Consistency = None
    propagate: o.Propagate = None
    entities: o.Entities = None


@dataclass(frozen=True)
class ReadingOptions:
    """How the source is read."""

    format: o.FormatName = None
    option: o.FormatOptions = None
    patient_from: o.PatientFrom = None


@dataclass(frozen=True)
class WritingOptions:
    """How the output is written."""

    to: o.To = None
    to_option: o.ToOptions = None


@dataclass(frozen=True)
class RunningOptions:
    """How a batch is run."""

    workers: o.Workers = None
    time_limit: o.TimeLimit = None
    config: o.ConfigFile = None
    resume: o.Resume = False


@dataclass(frozen=True)
class TableOptions:
    """A table instead of notes."""

    columns: o.TableColumns = None
    others: o.OtherColumns = None


@dataclass(frozen=True)
class LeavingOptions:
    """What leaves with the text."""

    keep_ids: o.KeepIds = None
    keep_meta: o.KeepMeta = None


@dataclass(frozen=True)
class OwnerOptions:
    """What stays with the owner."""

    vault: o.VaultPath = None
    passphrase_file: o.PassphraseFile = None
    spans: o.SpansFile = None


def choices(*sets: Any) -> dict[str, Any]:
    """The options of some sets that are settings, as settings keep them.

    >>> choices(FindingOptions(lang="fr"), HidingOptions(entities="DRUG,DISEASE"))["entities"]
    ('DRUG', 'DISEASE')
    """
    given = {field.name: getattr(one, field.name) for one in sets for field in fields(one)}
    return {name: _LISTS[name](value) if value and name in _LISTS else value for name, value in given.items()}


_LISTS: dict[str, Callable[[Any], tuple[str, ...] | None]] = {
    "rules": lambda paths: tuple(map(str, paths)),
    "entities": o.names,
    "keep_meta": o.names,
}


def expand_options(command: Callable[..., None]) -> Callable[..., None]:
    """Show the fields of every option set among the parameters of a command as its own options."""
    hints = get_type_hints(command, include_extras=True)
    shown: list[inspect.Parameter] = []
    sets: dict[str, Any] = {}
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if not is_dataclass(kind):
            shown.append(parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        sets[parameter.name] = kind
        own = get_type_hints(kind, include_extras=True)
        shown += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=_in_panel(own[field.name], str(kind.__doc__).rstrip(".")),
            )
            for field in fields(kind)
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        taken = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in sets.items()}
        command(**given, **taken)

    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    del run.__wrapped__
    return run


def _in_panel(annotation: Any, title: str) -> Any:
    """The same option, shown under a title in the help."""
    info = copy(annotation.__metadata__[0])
    info.rich_help_panel = title
    return Annotated[annotation.__origin__, info]
