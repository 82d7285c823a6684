"""Expressions that are compiled when they are first needed: a note touches a part of a pack, and starting must be quick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Lazy:
    """Stands for what `make` gives, and makes it when it is first asked for something.

    >>> import re
    >>> date = Lazy(re.compile, r"\\d\\d\\.\\d\\d")
    >>> date.match("18.03").group()
    '18.03'
    """

    def __init__(self, make: Callable[[str], Any], expression: str) -> None:
        self.make, self.expression = make, expression

    def __getattr__(self, name: str) -> Any:
        # Only what is not there yet comes here: the second `match` costs nothing.
        if name == "made":
            self.made = self.make(self.expression)
            return self.made
        value = getattr(self.made, name)
        setattr(self, name, value)
        return value
