"""Where the words of a list come from: a file of the pack, a library, or a file that the user added."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from innominate.core import UsageError
from innominate.languages import language_folder

COMMON = Path(__file__).parent / "common"  # macros, rules and lists of all languages


class Lists:
    """Finds lists by name: `months` in the pack's folder `lists/`, then in that of the common pack, then among added data.

    A name with a colon asks a provider: `names:first`, `names:last`, `places:towns`.
    """

    def __init__(self, lang: str, macros: Mapping[str, str]) -> None:
        self.lang, self.macros = lang, macros

    def words(self, name: str) -> Iterable[str]:
        """The words of a list."""
        if ":" in name:
            from innominate.detect.rules.providers import library_words

            return library_words(name, self.lang) | added_words(name.replace(":", "_"), self.lang)
        for folder in (pack_folder(self.lang), COMMON):
            entry = folder / "lists" / f"{name}.txt"
            if entry.is_file():
                return frozenset(list_entries(entry.read_text(encoding="utf-8"))) | added_words(name, self.lang)
        found = added_words(name, self.lang)
        if not found:
            raise UsageError(f"names a list {name!r} that is neither in the pack nor added")
        return found


def pack_folder(lang: str) -> Path:
    """Where the rules of a language and their lists are."""
    return language_folder(lang) / "rules"


def list_entries(text: str) -> list[str]:
    """The entries of a list file: one a line, `#` begins a comment."""
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in stripped if line]


def data_folder() -> Path:
    """Where lists that the user added are kept: INNOMINATE_DATA, or the user's data folder."""
    chosen = os.environ.get("INNOMINATE_DATA")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "innominate"


@cache
def added_words(name: str, lang: str) -> frozenset[str]:
    """Words that the user added to a list with `innominate data add`."""
    path = data_folder() / lang / f"{name}.txt"
    return frozenset(list_entries(path.read_text(encoding="utf-8"))) if path.is_file() else frozenset()
