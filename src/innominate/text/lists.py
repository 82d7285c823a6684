"""Word lists and tables of this package, read once from `data/` when first needed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from innominate.core import UsageError

LANGUAGES = ("en", "fr", "sv", "es")


@cache
def lines(name: str) -> tuple[str, ...]:
    """Return the lines of a data file without blank ones and `#` comments.

    >>> lines("html/prefixes.txt")[0]
    'o'
    """
    path = files("innominate.text").joinpath("data", name)
    kept = (line.split("#", 1)[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in kept if line)


def for_language(folder: str, lang: str) -> tuple[str, ...]:
    """Return the lines of the list that a folder holds for a language.

    >>> "Dr." in for_language("abbreviations", "sv")
    True
    """
    if lang not in LANGUAGES:
        raise UsageError(f"no {folder} for the language {lang!r}; there are: {', '.join(LANGUAGES)}")
    return lines(f"{folder}/{lang}.txt")
