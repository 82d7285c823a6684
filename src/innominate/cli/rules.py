"""`innominate rules`: look at the rules, check them, and ask them why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from innominate.cli.console import stdout
from innominate.cli.explaining import print_reasons
from innominate.cli.language_codes import CODES
from innominate.cli.options import RuleFiles
from innominate.detect.rules.engine import RulesDetector
from innominate.detect.rules.explain import dot, find_failed_examples, layers
from innominate.detect.rules.pack import load_pack
from innominate.formats import read_documents
from innominate.report.colours import colour_of

app = typer.Typer(no_args_is_help=True, help="Look at the rules, check them, and ask them why.")
Language = Annotated[str, typer.Option("--lang", metavar=CODES, help="Language of the rules.")]


@app.command("list")
def list_rules(lang: Language, rules: RuleFiles = None) -> None:
    """List the rules of a language in the order in which they run."""
    table = Table("rule", "gives", "needs", box=None)
    for rule in load_pack(lang, rules or []).rules:
        table.add_row(rule.header.name, ", ".join(sorted(rule.gives)), ", ".join(sorted(rule.needs)))
    stdout.print(table)


@app.command()
def graph(
    lang: Language,
    dot_file: Annotated[Path | None, typer.Option("--dot", metavar="FILE", help="Write a Graphviz file instead.")] = None,
    rules: RuleFiles = None,
) -> None:
    """Draw which labels depend on which: a label stands below everything it needs."""
    pack = load_pack(lang, rules or [])
    if dot_file:
        dot_file.write_text(dot(pack), encoding="utf-8")
        stdout.print(f"wrote [cyan]{dot_file}[/]")
        return
    for number, layer in enumerate(layers(pack), start=1):
        for label, needs in layer:
            arrow = f"  [dim]needs {', '.join(needs)}[/]" if needs else ""
            stdout.print(f"{number:2}  [{colour_of(label)}]{label}[/]{arrow}")


@app.command()
def check(lang: Language, rules: RuleFiles = None) -> None:
    """Load the rules and run every example they carry; a rule that fails is named."""
    load_pack(lang, rules or [], check=True)
    detector = RulesDetector(lang, tuple(rules or ()))
    failed = list(find_failed_examples(detector))
    for one in failed:
        told = "[red]found[/]      " if one.found else "[red]not found[/]  "
        stdout.print(f"{told}{one.rule}: {escape(one.sentence)}")
    stdout.print(f"{len(detector.engine.pack.rules)} rules, {len(failed)} examples fail")
    raise typer.Exit(1 if failed else 0)


@app.command()
def explain(
    source: Annotated[str, typer.Argument(metavar="NOTE", help="A file with one note.")],
    lang: Language,
    at: Annotated[
        str | None, typer.Option("--at", metavar="START:END", help="Why was nothing found in these characters?")
    ] = None,
    rules: RuleFiles = None,
) -> None:
    """Say for every span which rule found it, by which trigger or list, and on what earlier span it rests.

    [dim]innominate rules explain note.txt --lang fr[/]    [dim]innominate rules explain note.txt --lang fr --at 120:131[/]
    """
    print_reasons(RulesDetector(lang, tuple(rules or ())).engine, next(iter(read_documents(source))).text, at)
