"""The templates that ship with the package, by language and split."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from innominate.core import FormatError, UsageError
from innominate.languages import language_folder
from innominate.synth.template import Template, parse_file

SPLITS = ("train", "dev", "test")


def template_files(lang: str, split: str) -> list[Path]:
    """The files of the templates of a language and split."""
    return sorted((language_folder(lang) / "templates" / split).glob("*.txt"))


@cache
def templates(lang: str, split: str) -> tuple[Template, ...]:
    """All templates of a language and split, in the order of file names. Read once.

    >>> {template.split for template in templates("en", "dev")}
    {'dev'}
    """
    if split not in SPLITS:
        raise UsageError(f"there is no split {split!r}; there are: {', '.join(SPLITS)}")
    found: list[Template] = []
    seen: dict[str, str] = {}
    for path in template_files(lang, split):
        source = f"{lang}/{split}/{path.name}"
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
