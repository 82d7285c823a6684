"""The list of languages: every folder here that holds a `language.toml`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from innominate.core import UsageError
from innominate.languages.language import Language, Words
from innominate.languages.tables import read_table

DEFAULT = "en"  # of a text that does not tell its language
_HERE = Path(__file__).parent


@cache
def language_codes() -> tuple[str, ...]:
    """The codes of all languages.

    >>> language_codes()[-3:]
    ('es', 'fr', 'sv')
    """
    return tuple(sorted(entry.name for entry in _HERE.iterdir() if (entry / "language.toml").is_file()))


def language_folder(code: str) -> Path:
    """The folder of a language."""
    if code not in language_codes():
        raise UsageError(f"no language {code!r}; there are: {', '.join(language_codes())}")
    return _HERE / code


@cache
def load_language(code: str) -> Language:
    """Load a language, once.

    >>> load_language("fr").taxonomy, load_language("en").ordinals.ending(22)
    ('chuv', 'nd')
    """
    folder = language_folder(code)
    return read_table(Language, folder, "language.toml", {"code": code, "folder": folder})


def load_languages() -> tuple[Language, ...]:
    """All languages."""
    return tuple(map(load_language, language_codes()))


def home_language(country: str) -> Language | None:
    """The language that has a country for its home.

    >>> home_language("SE").code, home_language("PT")
    ('sv', None)
    """
    return next((language for language in load_languages() if language.country == country), None)


def words_of_all(words: Callable[[Language], Words]) -> Words:
    """Words of all languages together.

    >>> {"mme", "fru"} <= words_of_all(lambda language: language.names.titles["f"])
    True
    """
    return frozenset().union(*map(words, load_languages()))


@cache
def read_lines(code: str, name: str) -> tuple[str, ...]:
    """The lines of a word file of a language, without blank ones and `#` comments.

    >>> "Dr." in read_lines("sv", "abbreviations.txt")
    True
    """
    text = (language_folder(code) / name).read_text(encoding="utf-8")
    kept = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return tuple(line for line in kept if line)
