"""The command line: one thin file per command."""

from innominate.cli.app import main

__all__ = ["main"]
