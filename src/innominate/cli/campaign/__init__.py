"""`innominate campaign`: one file per subcommand, found by itself.

A module without an underscore in front is a subcommand: its function `command`, under the name of the module.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules

import typer

app = typer.Typer(
    no_args_is_help=True, help="Run an annotation campaign: teams, tasks, answers, a reference of known quality."
)
_FIRST = ("new", "update", "import_", "status", "export")


def _modules() -> list[str]:
    names = [module.name for module in iter_modules(__path__) if not module.name.startswith("_")]
    return [*_FIRST, *(name for name in names if name not in _FIRST)]


_asked = [_name for _name in _modules() if sys.argv[1:3] == ["campaign", _name.rstrip("_").replace("_", "-")]]
for _name in _asked or _modules():  # a subcommand that was asked for need not wait for the others
    _module = import_module(f"{__name__}.{_name}")
    app.command(_name.rstrip("_").replace("_", "-"), no_args_is_help=True)(_module.command)
