"""`innominate deidentify`: detect and conceal."""

from __future__ import annotations

from innominate.cli import options as o
from innominate.cli.job import inputs_from, kept_by, run_job, settings_from, ways_of
from innominate.cli.option_sets import (
    FindingOptions,
    HidingOptions,
    LeavingOptions,
    OwnerOptions,
    ReadingOptions,
    RunningOptions,
    TableOptions,
    WritingOptions,
    choices,
    expand_options,
)
from innominate.core import UsageError
from innominate.run.inputs import Source
from innominate.run.job import Job
from innominate.run.settings import Settings
from innominate.run.table import table_of

NEEDS_ARGUMENTS = True


@expand_options
def command(
    sources: o.Sources,
    output: o.Output,
    finding: FindingOptions,
    hiding: HidingOptions,
    tables: TableOptions,
    owner: OwnerOptions,
    reading: ReadingOptions,
    writing: WritingOptions,
    running: RunningOptions,
    leaving: LeavingOptions,
) -> None:
    """Find identifiers and conceal them. A note that fails in any step is withheld and listed, never passed through.

    [dim]innominate deidentify notes/ -o clean/ --policy class[/]

    [dim]innominate deidentify notes.jsonl -o clean.jsonl --policy pseudo --key project.key[/]

    [dim]innominate deidentify people.csv -o clean.csv --lang fr --columns pid=patient,name=NAME,birth=DATE ...[/]
    """
    settings = settings_from(running, **choices(finding, hiding, leaving))
    action, source, settings = _table(sources, tables, settings) or ("deidentify", inputs_from(sources, reading), settings)
    run_job(Job(action, source, output, settings, **ways_of(writing, running), **kept_by(owner)))


def _table(sources: list[str], tables: TableOptions, settings: Settings) -> tuple[str, Source, Settings] | None:
    """The table that --columns describes, if it is given."""
    if not tables.columns:
        return None
    if len(sources) != 1:
        raise UsageError("--columns is for one table; name one source")
    return ("table", *table_of(sources[0], tables.columns, tables.others, settings))
