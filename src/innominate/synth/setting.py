"""A language with its word lists: what everything that draws for a note needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from innominate.synth.language import Language, language
from innominate.synth.lexicon import Lexicon, lexicon


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, so that it can be a key of caches
class Setting:
    """A language and its lexicon."""

    language: Language
    words: Lexicon


@cache
def setting(lang: str) -> Setting:
    """The shipped setting of a language, loaded once.

    >>> setting("es").language.locale
    'es_ES'
    """
    loaded = language(lang)
    return Setting(loaded, lexicon(lang, loaded.locale))
