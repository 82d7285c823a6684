"""`innominate doctor`: what is installed, what is not, and what to do about it."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import typer
from rich.table import Table

from innominate import __version__
from innominate.cli.console import stdout
from innominate.core.plugins import GROUPS, available
from innominate.labels import names

NEEDS_ARGUMENTS = False
EXTRAS = {"files": ("pyarrow",), "db": ("sqlalchemy", "psycopg")}


def command() -> None:
    """Check the installation: Python, packages, extras, plugins and label sets."""
    table = Table(box=None, show_header=False)
    broken = 0
    table.add_row(_mark(True), "innominate", __version__)
    table.add_row(_mark(sys.version_info >= (3, 11)), "Python", platform.python_version())
    table.add_row(_mark(True), "taxonomies", ", ".join(names()))
    for group in GROUPS:
        for name in available(group):
            problem = _problem(group, name)
            broken += bool(problem)
            if problem:
                table.add_row(_mark(False), group.rstrip("s"), f"{name}: {problem}")
        table.add_row(_mark(True), group, ", ".join(available(group)))
    for extra, modules in EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        table.add_row(_mark(not missing, optional=True), f"extra {extra}", _extra(extra, modules, missing))
    stdout.print(table)
    raise typer.Exit(1 if broken else 0)


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
