"""What `deidentify`, `conceal` and `detect` have in common: from options to a job, its progress, and the summary."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import typer

from innominate.cli.console import stderr
from innominate.cli.option_sets import OwnerOptions, ReadingOptions, RunningOptions, WritingOptions
from innominate.cli.options import key_values
from innominate.cli.passphrase import vault_file
from innominate.cli.progress import progress_of
from innominate.cli.summary import summarise
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings, read_settings


def settings_from(running: RunningOptions, **choices: Any) -> Settings:
    """Settings of the file, if one is named, with the options in their place."""
    settings = read_settings(running.config) if running.config else Settings()
    return settings.with_options(**choices, time_limit=running.time_limit)


def inputs_from(sources: list[str], reading: ReadingOptions) -> Inputs:
    """The sources as a run reads them."""
    return Inputs(tuple(sources), reading.format, key_values(reading.option), reading.patient_from or "")


def ways_of(writing: WritingOptions, running: RunningOptions) -> dict[str, Any]:
    """How a job is written and run."""
    written = {"to": writing.to, "to_options": key_values(writing.to_option)}
    return {**written, "workers": running.workers, "resume": running.resume, "alone": True}


def kept_by(owner: OwnerOptions) -> dict[str, Any]:
    """What a job keeps for the owner."""
    return {"vault": vault_file(owner.vault, owner.passphrase_file), "spans": owner.spans or ""}


def run_job(job: Job) -> None:
    """Run it with a progress bar, print the summary, and leave with the exit code that fits."""
    if job.settings.keep_ids and job.action in ("deidentify", "conceal"):
        stderr.print("[yellow]ids and names of files are kept[/]: they leave with the notes, and may identify somebody")
    with progress_of(job.action) as progress:
        record = replace(job, command=("innominate", *sys.argv[1:])).run(progress)
    summarise(record, job.places)
    raise typer.Exit(1 if record.counts.quarantined else 0)
