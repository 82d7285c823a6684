"""Full stops that do not end a sentence (seed, section 2.2, step 3c)."""

from __future__ import annotations

import regex

from innominate.core import Edit

_INNER_STOP = regex.compile(r"(?<=[\p{Nd}\p{Lu}\p{Lt}])\.(?=[\p{Nd}\p{Lu}\p{Lt}])")


class FullStops:
    """Writes `#` for a full stop between digits or capital letters, so that no tokenizer takes it for an end.

    >>> FullStops().edits("M.Mustafa, né le 8.3.2022. Il dort.")
    [Edit(start=1, end=2, text='#'), Edit(start=18, end=19, text='#'), Edit(start=20, end=21, text='#')]
    """

    name = "full-stops"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every such full stop."""
        if "." not in text:
            return []
        return [Edit(stop.start(), stop.end(), "#") for stop in _INNER_STOP.finditer(text)]
