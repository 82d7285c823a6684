"""What is peculiar to a language, one folder each: `language.toml`, word files, rules and templates."""

from innominate.languages.folders import (
    DEFAULT,
    home_language,
    language_codes,
    language_folder,
    load_language,
    load_languages,
    read_lines,
    words_of_all,
)
from innominate.languages.language import Language

__all__ = [
    "DEFAULT",
    "Language",
    "home_language",
    "language_codes",
    "language_folder",
    "load_language",
    "load_languages",
    "read_lines",
    "words_of_all",
]
