"""`innominate detect`: find identifiers and list them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from innominate.cli import options as o
from innominate.cli.console import stdout
from innominate.cli.explaining import print_reasons
from innominate.cli.job import inputs_from, run_job, settings_from, ways_of
from innominate.cli.option_sets import Finding, Reading, Running, Writing, choices, expanded
from innominate.core import UsageError
from innominate.detect.rules.engine import RulesDetector
from innominate.formats import read_documents
from innominate.run.job import Job
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings

NEEDS_ARGUMENTS = True

Output = Annotated[str | None, typer.Option("--output", "-o", metavar="OUT", help="Where to write: a file or a folder.")]
Explain = Annotated[bool, typer.Option("--explain", help="Print why the rules found each span, instead of writing.")]
At = Annotated[str | None, typer.Option("--at", metavar="START:END", help="With --explain: why was nothing found here?")]


@expanded
def command(
    sources: o.Sources,
    finding: Finding,
    reading: Reading,
    writing: Writing,
    running: Running,
    output: Output = None,
    explain: Explain = False,
    at: At = None,
) -> None:
    """Find identifiers and write where they are, one line a document, without the text.

    With --to FORMAT the documents themselves are written, with the spans found: --to brat, --to jsonl ...

    [dim]innominate detect notes/ -o spans.jsonl --lang fr[/]    [dim]innominate detect note.txt --lang fr --explain[/]
    """
    if explain or at:
        _explain(sources, finding, reading, at)
        return
    if not output:
        raise UsageError("where should the spans go? name a file with -o spans.jsonl, or ask for --explain")
    settings = settings_from(running, **choices(finding))
    ways = ways_of(replace(writing, to=writing.to or "spans"), running)
    run_job(Job("detect", inputs_from(sources, reading), output, settings, **ways))


def _explain(sources: list[str], finding: Finding, reading: Reading, at: str | None) -> None:
    """Print reasons note by note; only rules have any."""
    if finding.detector not in (None, "rules", "union"):
        raise UsageError(f"--explain shows the rules, and {finding.detector!r} has none")
    pipeline = Pipeline(Settings(lang=finding.lang or "auto"))
    for source in sources:
        for document in read_documents(source, format=reading.format, **o.key_values(reading.option)):
            stdout.print(f"[bold]{document.id}[/]", highlight=False)
            engine = RulesDetector(pipeline.language(document), tuple(map(Path, finding.rules or ()))).engine
            print_reasons(engine, document.text, at)
