"""Which format an output gets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from innominate.core.plugins import available
from innominate.core.protocols import Format
from innominate.formats import format_named
from innominate.formats.sidecar import Spans
from innominate.run.inputs import Inputs

# Suffixes that several formats use; the plain one is meant unless --to says otherwise.
BY_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".conll": "conll", ".iob": "conll"}


def output_format(output: Path, to: str | None, inputs: Inputs, options: Mapping[str, Any]) -> Format:
    """The format asked for, or that of the suffix of the output, or that of the input."""
    if to == Spans.name:
        return Spans()
    if to:
        return format_named(to, **options)
    return format_for_suffix(output, options) or format_named(inputs.first_format(), **options)


def format_for_suffix(output: Path, options: Mapping[str, Any]) -> Format | None:
    """The format that a suffix means, if it means one."""
    name = BY_SUFFIX.get(output.suffix.lower())
    return format_named(name, **options) if name and name in available("formats") else None
