"""The terminal: results go to standard output, everything said about them to standard error."""

from rich.console import Console

stdout = Console(highlight=False)
stderr = Console(stderr=True, highlight=False)
