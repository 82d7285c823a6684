"""`innominate conceal`: conceal the spans that a source carries."""

from __future__ import annotations

from innominate.cli import options as o
from innominate.cli.job import inputs_from, kept_by, run_job, settings_from, ways_of
from innominate.cli.option_sets import (
    HidingOptions,
    LeavingOptions,
    OwnerOptions,
    ReadingOptions,
    RunningOptions,
    WritingOptions,
    choices,
    expand_options,
)
from innominate.run.job import Job

NEEDS_ARGUMENTS = True


@expand_options
def command(
    sources: o.Sources,
    output: o.Output,
    hiding: HidingOptions,
    owner: OwnerOptions,
    reading: ReadingOptions,
    writing: WritingOptions,
    running: RunningOptions,
    leaving: LeavingOptions,
    lang: o.Lang = None,
    patients: o.PatientBirths = None,
    patient_key: o.PatientKey = None,
) -> None:
    """Conceal the identifiers that a source marks (gold, or reviewed), in any format, without detection.

    [dim]innominate conceal reviewed/ -o clean/ --policy pseudo --key project.key[/]
    """
    about = {"lang": lang, "patients": patients, "patient_key": patient_key}
    settings = settings_from(running, **choices(hiding, leaving), **about)
    run_job(Job("conceal", inputs_from(sources, reading), output, settings, **ways_of(writing, running), **kept_by(owner)))
