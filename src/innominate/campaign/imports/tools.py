"""The tools whose exports are read. Each turns one record into the answers that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from innominate.campaign.imports import answers_file, doccano, label_studio, prodigy
from innominate.campaign.imports.given import Given
from innominate.campaign.problems import Problem
from innominate.core import FormatError, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats import recognise
from innominate.formats.json_records import first_record
from innominate.formats.json_values import Record
from innominate.formats.sources import head_of

Reader = Callable[[Record, int], Iterator[Given | Problem]]

TOOLS: dict[str, Reader] = {
    "prodigy": prodigy.read_answers,
    "doccano": doccano.read_answers,
    "label-studio": label_studio.read_answers,
    "answers": answers_file.read_answers,
}


def recognise_tool(file: SourceFile, name: str | None) -> str:
    """The tool that is named, or that the file looks like."""
    if name is not None:
        if name not in TOOLS:
            raise UsageError(f"no tool is called {name!r}; there are: {', '.join(TOOLS)}")
        return name
    first = first_record(file, head_of(file))
    if first is not None and {"sample", "annotator", "decision"} <= first.keys():
        return "answers"
    try:
        found = recognise(file).name
    except FormatError:
        found = ""
    if found not in TOOLS:
        raise UsageError(f"{file.name}: this looks like no export of {', '.join(TOOLS)}; name the tool with --tool")
    return found
