"""Word lists and tables of this package, read once from `data/` when first needed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def lines(name: str) -> tuple[str, ...]:
    """Return the lines of a data file without blank ones and `#` comments.

    >>> lines("html/prefixes.txt")[0]
    'o'
    """
    path = files("innominate.text").joinpath("data", name)
    kept = (line.split("#", 1)[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in kept if line)
