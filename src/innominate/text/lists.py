"""Tables of this package, read once from `data/` when first needed; and characters that show nothing.

Those are zero-width characters, direction marks, soft hyphens, tags and variation selectors.
"""

from __future__ import annotations

from collections.abc import Iterator
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


@cache
def invisible_characters() -> frozenset[str]:
    r"""Return every invisible character.

    >>> "".join(letter for letter in "Lau\u00adsanne\u200b" if letter not in invisible_characters())
    'Lausanne'
    """
    return frozenset(chr(code) for first, last in _ranges() for code in range(first, last + 1))


@cache
def invisible_class() -> str:
    r"""Return the inside of a character class that matches every invisible character.

    >>> import re
    >>> re.sub(f"[{invisible_class()}]", "", "Lau\u00adsanne\u200b")
    'Lausanne'
    """
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _ranges())


def _ranges() -> Iterator[tuple[int, int]]:
    """Yield the first and the last code point of each line of the list."""
    for line in lines("fold/invisible.txt"):
        first, _, last = line.split()[0].partition("-")
        yield int(first, 16), int(last or first, 16)
