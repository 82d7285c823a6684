"""The words that the model tags: smaller than those of a dictionary, so that identifiers begin and end at one."""

from __future__ import annotations

import regex

Place = tuple[int, int]

# `DRAlberto` is DR and Alberto. Line ends and gaps (two blanks, a tab) are words too: forms and tables are told by them.
_WORD = regex.compile(
    r"\n|[^\S\n]{2,}|\t"
    r"|\p{Lu}[\p{Lu}\p{M}]*(?!\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{L}\p{M}*"
    r"|\d+|\S"
)
_BLANK = "\u2581"  # stands for the one blank before a word
LINE, GAP = "\n", "\t"


def split_words(text: str) -> list[Place]:
    """Find the words; every character but single blanks is in exactly one.

    >>> text = "DRAlberto  12/03"
    >>> [text[start:end] for start, end in split_words(text)]
    ['DR', 'Alberto', '  ', '12', '/', '03']
    """
    return [match.span() for match in _WORD.finditer(text)]


def spell_words(text: str, places: list[Place]) -> list[str]:
    """The words as the vocabulary knows them: a word after a blank begins with a mark.

    >>> spell_words("à  Nyon le 3", split_words("à  Nyon le 3"))
    ['à', '\\t', 'Nyon', '▁le', '▁3']
    """
    spelt = []
    last = 0
    for start, end in places:
        word = text[start:end]
        if word.isspace():
            word = LINE if word == "\n" else GAP
        elif start > last:
            word = _BLANK + word
        spelt.append(word)
        last = end
    return spelt
