"""The templates that ship with the package, by language and split."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from innominate.core import FormatError, UsageError
from innominate.synth.template import Template, parse_file

SPLITS = ("train", "dev", "test")
FOLDER = Path(__file__).parent / "templates"


@cache
def templates(lang: str, split: str, folder: Path = FOLDER) -> tuple[Template, ...]:
    """All templates of a language and split, in the order of file names. Read once.

    >>> {template.split for template in templates("en", "dev")}
    {'dev'}
    """
    if split not in SPLITS:
        raise UsageError(f"there is no split {split!r}; there are: {', '.join(SPLITS)}")
    found: list[Template] = []
    seen: dict[str, str] = {}
    for path in sorted((folder / lang / split).glob("*.txt")):
        source = str(path.relative_to(folder))
        for template in parse_file(path.read_text("utf-8"), source):
            if template.name in seen:
                raise FormatError(
                    f"template {template.name!r} is also in {seen[template.name]}", source=source, line=template.line
                )
            seen[template.name] = source
            found.append(replace(template, note_type=path.stem, split=split))
    if not found:
        raise UsageError(f"there are no {split} templates for {lang!r}")
    return tuple(found)
