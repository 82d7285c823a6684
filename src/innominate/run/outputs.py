"""Which format an output gets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.core.plugins import available
from innominate.core.protocols import Format
from innominate.formats import format_named
from innominate.formats.csv_table import CsvFormat
from innominate.formats.sidecar import Spans
from innominate.formats.sources import is_database
from innominate.formats.text import OneText
from innominate.run.inputs import Inputs

# Suffixes that several formats use; the plain one is meant unless --to says otherwise.
BY_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".conll": "conll", ".iob": "conll"}


def output_format(
    output: str, to: str | None, inputs: Inputs, options: Mapping[str, Any], *, keep: tuple[str, ...] | None = None
) -> Format:
    """The format asked for, or that of the suffix of the output, or that of the input with the input's options.

    A table that is written as it was read keeps its columns: all of them, or those of the metadata named in `keep`. One note
    goes into one file of text if that is what the output is called.
    """
    if to == Spans.name:
        return Spans()
    name = to or name_for(output) or inputs.first_format()
    if name == "text" and not (options or inputs.options) and (output == "-" or Path(output).suffix.lower() == ".txt"):
        return _one_text(output, inputs)
    if name == inputs.first_format() and not options:
        options = inputs.options
        if name == "csv":
            return _same_columns(CsvFormat(**options), inputs, keep)
    return format_named(name, **options)


def _one_text(output: str, inputs: Inputs) -> Format:
    count = inputs.file_count()
    if count > 1:
        raise UsageError(f"{output} is one file of text, and there are {count} notes; name a folder, or notes.jsonl for all")
    return OneText()


def name_for(output: str) -> str | None:
    """The format that the name of an output means, if it means one."""
    if is_database(output):
        return "database"
    name = BY_SUFFIX.get(Path(output).suffix.lower())
    return name if name in available("formats") else None


def _same_columns(table: CsvFormat, inputs: Inputs, keep: tuple[str, ...] | None) -> CsvFormat:
    like = table.like(inputs.first_file())
    own = [name for name in like.named.names() if name != like.named.patient]
    patient = [like.named.patient] if keep and "patient" in keep else []
    kept = [column for column in like.columns or [] if keep is None or column in (*keep, *own, *patient)]
    added = [name for name in (like.named.spans, "meta") if name not in kept]
    return like.writing([*kept, *added], like.delimiter)
