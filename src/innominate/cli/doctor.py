"""`innominate doctor`: what is installed, what is not, and what to do about it."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from innominate import __version__
from innominate.cli.console import stdout
from innominate.core import InnominateError
from innominate.core.plugins import GROUPS, available
from innominate.detect.contextual.detector import STUDENT, TEACHER, ContextualDetector
from innominate.detect.neural.detector import find_shipped_network as network
from innominate.detect.rules.native import MISSING, native
from innominate.labels import names
from innominate.languages import language_codes
from innominate.report.record import explain_record
from innominate.run.audit import check_record, read_record
from innominate.run.settings import Settings

NEEDS_ARGUMENTS = False
_BUILT = "with their native part"
NETWORKS = {"neural": "quick, beside the rules", "flair": "best and slow, beside the rules"}
EXTRAS = {
    "train": ("pycrfsuite", "torch"),
    "pos": ("spacy",),
    "files": ("pyarrow",),
    "db": ("sqlalchemy", "psycopg"),
}


def command(
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Explain the record of a run, and check that all is as it was written."),
    ] = None,
) -> None:
    """Check the installation: Python, packages, extras, plugins and label sets; or the record of a run.

    [dim]innominate doctor --record clean.jsonl.run.json[/]
    """
    if record is not None:
        raise typer.Exit(_explain(record))
    table = Table(box=None, show_header=False)
    broken = 0
    table.add_row(_mark(True), "innominate", __version__)
    table.add_row(_mark((3, 11) <= sys.version_info < (3, 14)), "Python", platform.python_version())
    table.add_row(_mark(True), "taxonomies", ", ".join(names()))
    for group in GROUPS:
        for name in available(group):
            problem = _problem(group, name)
            broken += bool(problem)
            if problem:
                table.add_row(_mark(False), group.rstrip("s"), f"{name}: {problem}")
        table.add_row(_mark(True), group, ", ".join(available(group)))
    table.add_row(_mark(True), "default", f"{Settings().detector}: the rules of a language and the contextual model")
    for name, what in ((STUDENT, "quick, the default"), (TEACHER, "better and slower: --detector best")):
        labels = len(ContextualDetector(name).model_labels)
        table.add_row(_mark(True), f"contextual {name}", f"{what}; {labels} labels, all languages")
    table.add_row(_mark(native is not None), "rules", _BUILT if native else MISSING)
    for lang in language_codes():
        table.add_row(*_model(lang))
        for name, what in NETWORKS.items():
            if network(lang, name):
                table.add_row(_mark(True), f"network {lang}", f"{what}: --detector rules+{name}")
    for extra, modules in EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        table.add_row(_mark(not missing, optional=True), f"extra {extra}", _extra(extra, modules, missing))
    stdout.print(table)
    raise typer.Exit(1 if broken else 0)


def _explain(path: Path) -> int:
    """Say what a record says, and what of it fits; 1 if something does not."""
    for line in explain_record(read_record(path)):
        stdout.print(Text(line), soft_wrap=True)
    findings = check_record(path)
    for finding in findings:
        stdout.print(_mark(finding.fits), Text(finding.says), soft_wrap=True)
    return 0 if all(finding.fits for finding in findings) else 1


def _model(lang: str) -> tuple[str, str, str]:
    """The model that comes with a language: what it learned from, and its operating points."""
    from innominate.detect.crf.detector import CrfDetector, find_shipped_model

    if find_shipped_model(lang) is None:
        return _mark(False, optional=True), f"model {lang}", "none; the union is the rules alone"
    try:
        model = CrfDetector(lang).loaded
    except InnominateError as error:
        return _mark(False), f"model {lang}", escape(str(error))
    points = ", ".join(model.dial.points) or "not tuned"
    return _mark(True), f"model {lang}", f"{model.card.corpus['notes']} notes ({model.card.corpus['source']}); {points}"


def _extra(extra: str, modules: tuple[str, ...], missing: list[str]) -> str:
    if missing:
        return f"not installed ({', '.join(missing)}): pip install 'innominate\\[{extra}]'"
    return ", ".join(f"{module} {_version(module)}" for module in modules)


def _version(module: str) -> str:
    try:
        return version(module)
    except PackageNotFoundError:
        return "?"


def _problem(group: str, name: str) -> str:
    try:
        available(group)[name].load()
    except ImportError as error:
        return str(error)
    return ""


def _mark(good: bool, *, optional: bool = False) -> str:
    return "[green]ok[/]" if good else "[yellow]--[/]" if optional else "[red]no[/]"
