"""A language with its layouts and word lists: what everything that draws for a note needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from innominate.core import FormatError
from innominate.languages import Language, load_language
from innominate.languages.topics import Notes
from innominate.surrogates.weighted import Weighted, pairs
from innominate.synth.lexicon import Lexicon, lexicon
from innominate.synth.template import Nodes, labels_in, parse_template

EXTENTS = ("each", "whole", "parts")


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, so that it can be a key of caches
class Setting:
    """A language, how its notes are labelled, and its lexicon."""

    language: Language
    notes: Notes
    layouts: Mapping[str, Nodes]
    kin_groups: Mapping[str, str]  # from a word to its generation
    numbers: Weighted[str]
    words: Lexicon

    @property
    def lang(self) -> str:
        """The code of the language."""
        return self.language.code


@cache
def setting(lang: str) -> Setting:
    """The setting of a language, loaded once; a label that its notes do not have is an error.

    >>> setting("fr").language.name_extents, setting("sv").notes.label("time")
    ('each', '')
    """
    language = load_language(lang)
    notes, source = language.notes, f"{lang}/notes.toml"
    layouts = {name: parse_template(text, name, source=source).nodes for name, text in notes.layout.items()}
    used = {*notes.slots.values(), *(label for label, _ in notes.ids.values()), *notes.dates.values()}
    used |= {label for labels in notes.roles.values() for label in labels}
    used |= {label for layout in layouts.values() for label in labels_in(layout)}
    if unknown := sorted(used - notes.labels):
        raise FormatError(f"labels that are not among `labels`: {', '.join(unknown)}; add them there", source=source)
    if language.name_extents not in EXTENTS:
        raise FormatError(f"name_extents is one of {', '.join(EXTENTS)}", source=f"{lang}/language.toml")
    groups = {word: group for group, words in notes.kin.items() for word in words}
    return Setting(language, notes, layouts, groups, Weighted(*pairs(notes.numbers)), lexicon(lang))
