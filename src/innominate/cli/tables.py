"""From --columns to a job: the table, its columns, and the settings that a table needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from innominate.cli.job import Job
from innominate.cli.option_sets import Tables
from innominate.conceal.policy_files import policy
from innominate.core import UsageError
from innominate.formats.rows import open_rows
from innominate.run.columns import read_columns, without_key
from innominate.run.table import Table

OWN_SHARE = ("document", "none")  # modes in which a row may belong to nobody


def of_table(job: Job, tables: Tables, chosen: Mapping[str, Any]) -> Job:
    """Make the job that conceals a table; what does not fit is said before anything is written."""
    if len(job.sources) != 1:
        raise UsageError("--columns is for one table; name one source")
    rows = open_rows(job.sources[0])
    job = replace(job, action="table").configure(**{**chosen, "keep_meta": ("patient",), "patient_key": "patient"})
    lang = job.settings.lang
    if lang == "auto":
        raise UsageError("cells are too short to tell a language; name that of the notes with --lang en|fr|sv|es")
    columns = read_columns(tables.columns or "", tables.others, rows.columns, lang)
    if not job.settings.is_policy or not policy(job.settings.policy).needs_key:
        columns = without_key(columns, lang)
    elif columns.patient:
        job = replace(job, settings=job.settings.with_options(consistency=job.settings.consistency or "patient"))
    elif job.settings.consistency not in OWN_SHARE:
        raise UsageError(
            "no column says whose row it is: name it, COLUMN=patient, so that rows and notes of one patient get the same "
            "pseudonyms and the same shift of dates; or give --consistency document if they need not"
        )
    return replace(job, table=Table(job.sources[0], rows, columns, lang))
