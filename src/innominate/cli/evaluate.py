"""`innominate evaluate`: score systems against a gold standard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as RichTable

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.core import Document, UsageError
from innominate.evaluate import STANDARDS, Evaluation
from innominate.evaluate.pairing import Missing, Opinion
from innominate.evaluate.tab import TabDocument
from innominate.evaluate.tab_corpus import as_document, looks_like_tab, read_gold, read_masks
from innominate.formats import read_documents, read_spans
from innominate.report.evaluation import evaluation_page
from innominate.report.evaluation_tables import Table, comparison_tables, release_table, tables

NEEDS_ARGUMENTS = True


def command(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The reference: a file or folder in any readable format.")],
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM...", help="One or more systems, or outputs of [bold]detect[/].")
    ],
    standard: Annotated[
        str, typer.Option("--standard", metavar="|".join(STANDARDS), help="Whose rules to score by.")
    ] = "spans",
    mapping: Annotated[
        str | None, typer.Option("--map", metavar="TAXONOMY", help="Give both sides the labels of a taxonomy, or FROM:TO.")
    ] = None,
    missing: Annotated[
        str,
        typer.Option(
            "--missing", metavar="error|empty|skip", help="Documents without system output: stop, count, or leave out."
        ),
    ] = "error",
    sentences: Annotated[
        Path | None,
        typer.Option("--sentences", metavar="DIR", help="MEDDOCAN's sentence files, one line a sentence, for the leak."),
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="F", help="Write all numbers, without any text.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="F", help="Write a page with plots and errors in context.")
    ] = None,
    text: Annotated[bool, typer.Option("--text/--no-text", help="Whether the page may hold the text around errors.")] = True,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Score one or more systems against a gold standard, exactly as the official scorers do.

    [dim]innominate evaluate gold/ system/ --standard i2b2 --html page.html[/]
    """
    reading = {"format": format, **o.key_values(option)}
    golds, tab = _gold(gold, standard, reading)
    evaluation = Evaluation(standard, _policy(missing), mapping, _sentences(sentences), tab)
    result = evaluation.run(golds, {name: _opinion(path, reading) for name, path in _named(systems).items()})
    _print(result)
    if json_file:
        json_file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        stderr.print(f"wrote [cyan]{escape(str(json_file))}[/]")
    if html:
        texts = {document.id: document.text for document in golds} if text else None
        html.write_text(evaluation_page(result, texts, f"Evaluation of {', '.join(result['systems'])}"), encoding="utf-8")
        stderr.print(f"wrote [cyan]{escape(str(html))}[/]{' (it holds text of the notes)' if text else ''}")


def _gold(source: str, standard: str, reading: Mapping[str, Any]) -> tuple[list[Document], dict[str, TabDocument]]:
    if standard == "tab" and looks_like_tab(Path(source)):
        documents = read_gold(Path(source))
        return [as_document(document) for document in documents], {document.id: document for document in documents}
    return list(read_documents(source, **reading)), {}


def _opinion(source: str, reading: Mapping[str, Any]) -> Opinion:
    """Documents; or spans without their text, as `detect` writes them, or as TAB's scorer reads them."""
    first = _first_record(Path(source))
    if first is not None and "spans" in first and "text" not in first:
        return read_spans(Path(source))
    if first and all(isinstance(value, list) for value in first.values()):
        return read_masks(Path(source))
    return read_documents(source, **reading)


def _first_record(path: Path) -> dict[str, Any] | None:
    """The first JSON object of a file, or of its first line; None if it is something else."""
    if path.suffix not in {".json", ".jsonl"} or not path.is_file():
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        for content in (file.readline(), path.read_text(encoding="utf-8", errors="replace") if path.suffix == ".json" else ""):
            try:
                record = json.loads(content)
            except ValueError:
                continue
            return record if isinstance(record, dict) else None
    return None


def _named(systems: list[str]) -> dict[str, str]:
    """Short names for the systems; a number where two would have the same."""
    named: dict[str, str] = {}
    for source in systems:
        stem = Path(source).name.partition(".")[0] or source
        name, number = stem, 2
        while name in named:
            name, number = f"{stem}-{number}", number + 1
        named[name] = source
    return named


def _policy(missing: str) -> Missing:
    policies: dict[str, Missing] = {"error": "error", "empty": "empty", "skip": "skip"}
    if missing not in policies:
        raise UsageError(f"--missing is error, empty or skip, not {missing!r}")
    return policies[missing]


def _sentences(folder: Path | None) -> dict[str, int]:
    if folder is None:
        return {}
    return {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in sorted(folder.glob("*.ann"))}


def _print(result: Mapping[str, Any]) -> None:
    for name, found in result["systems"].items():
        stdout.print(f"[bold]{escape(name)}[/]  {found['n_documents']:,} documents")
        for table in (*tables(found, result["standard"]), release_table(found["release"])):
            stdout.print(_rich(table))
        stdout.print(f"[bold]{escape(found['release']['sentence'])}[/]\n")
    for table in comparison_tables(result["comparison"]) if "comparison" in result else ():
        stdout.print(_rich(table))
    for note in result["notes"]:
        stderr.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=table.title, caption=escape(table.note), title_justify="left", caption_justify="left", box=None)
    for index, heading in enumerate(table.heading):
        shown.add_column(heading, justify="right" if index else "left", overflow="fold")  # a digit is never cut off
    for row in table.rows:
        shown.add_row(*map(escape, row))
    return shown
