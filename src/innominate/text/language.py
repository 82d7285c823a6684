"""The language of a note, by its letter trigrams."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from innominate.core import Document, UsageError
from innominate.languages import DEFAULT, language_codes, read_lines
from innominate.text.lists import lines

if TYPE_CHECKING:
    import numpy as np

# Characters at the beginning of a text that are enough to tell; most often the first few are, and it is ten times faster.
_FEW, _ENOUGH = 512, 4096
_SURE = 0.99999
_NOTES = 50  # of many, enough to tell the language of all

# Trigrams of a word depend on each other; so many of them count as one independent observation.
_TEMPER = 4.0

TOLD = 2500  # trigrams of each language that are looked at: its most frequent ones
FLOOR = -1349  # 100 times the logarithm of the least share that counts; rarer trigrams have it

_WORD = re.compile(r"[^\W\d_]+")

# Languages that are not ours and that a Latin text may be in.
NEIGHBOURS = ("ca", "cs", "da", "fi", "hu", "is", "it", "nb", "nl", "pl", "pt", "ro", "sh", "tr")

# A text is strange when another language explains it better, by so much for each trigram and by so much in all. Measured by
# tools/measure_strangers.py: forms and lists of codes are in no language, and must not count as strange.
_EACH, _IN_ALL = 0.31, 10.0
_GLANCE = 512  # characters that clear most texts
_OFTEN = 12  # a word that is said a hundred times tells no more
_FEW_LETTERS = 40  # in another script, fewer may be a name
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")


def recognise(text: str) -> str:
    """Return the code of the language that a text is most likely written in; a text without words counts as English.

    >>> recognise("Patienten söker för hosta sedan tre dagar")
    'sv'
    """
    likeliest = DEFAULT
    for enough in (_FEW, _ENOUGH):
        confidence = confidences(text[:enough])
        likeliest = max(confidence, key=lambda code: (confidence[code], code == DEFAULT))
        if confidence[likeliest] > _SURE:
            break
    return likeliest


def languages_of(notes: Sequence[Document]) -> set[str]:
    """The languages that notes declare, or else those that they look like."""
    declared = {str(note.meta["lang"]) for note in notes if note.meta.get("lang")}
    return declared or {recognise(note.text) for note in notes[:_NOTES]}


def common_language(notes: Sequence[Document]) -> str:
    """The one language of all notes.

    >>> common_language([Document("a", "Patienten söker för hosta"), Document("b", "Han har feber sedan tre dagar")])
    'sv'
    """
    found = languages_of(notes)
    if not found:
        raise UsageError("there is no note to tell the language from")
    if len(found) > 1:
        raise UsageError(f"the notes are in several languages ({', '.join(sorted(found))}); say which with --lang")
    return found.pop()


def confidences(text: str) -> dict[str, float]:
    """Return how likely each language is, between 0 and 1 and 1 in all; a text without words leaves them equal.

    >>> confidences("12.5 mmol")["sv"] < 0.9 < confidences("El paciente refiere dolor desde hace dos días")["es"]
    True
    """
    table = _profiles()
    counts = Counter(trigrams(text[:_ENOUGH]))
    rows = [(row, count) for trigram, count in counts.items() if (row := table.get(trigram))]
    scores = [sum(row[column] * count for row, count in rows) / _TEMPER for column in range(len(language_codes()))]
    best = max(scores)
    weights = [math.exp(score - best) for score in scores]
    return {lang: weight / sum(weights) for lang, weight in zip(language_codes(), weights, strict=True)}


def is_strange(text: str, lang: str) -> bool:
    """Say whether a text is clearly in another language, one of ours or not; a few words are never clear enough.

    >>> note = "La paziente è stata ricoverata per dolore toracico e dispnea, insorti nella notte a riposo. Dimessa oggi."
    >>> is_strange(note, "es"), is_strange("El paciente ingresa por dolor en el pecho y disnea, desde anoche en reposo.", "es")
    (True, False)
    """
    return all(_explained_better(text[:enough], lang) for enough in (_GLANCE, _ENOUGH))


def _explained_better(text: str, lang: str) -> bool:
    rows, table, codes = _all_profiles()
    counts = {trigram: min(count, _OFTEN) for trigram, count in Counter(trigrams(text)).items()}
    size = sum(counts.values())
    if size > _FEW_LETTERS and len(_LATIN.findall(text)) * 2 < size:
        return True
    known = [(row, count) for trigram, count in counts.items() if (row := rows.get(trigram)) is not None]
    if not known:
        return False
    places, times = zip(*known, strict=True)
    scores = table[list(places)].T @ list(times)
    better = float(scores.max() - scores[codes.index(lang)])
    return better > _EACH * size and better > _IN_ALL * _TEMPER


def trigrams(text: str) -> list[str]:
    """Return the letter trigrams of the words of a text, in lower case, with `_` at the edges of words.

    >>> trigrams("Il a")
    ['_il', 'il_', '_a_']
    """
    words = (f"_{word}_" for word in _WORD.findall(text.lower()))
    return [word[start : start + 3] for word in words for start in range(len(word) - 2)]


@cache
def _profiles() -> Mapping[str, tuple[float, ...]]:
    """The logarithm of the share that a trigram has in each language, for those that are frequent in one."""
    rows = [[line.split("\t") for line in read_lines(code, "trigrams.tsv")] for code in language_codes()]
    told = sorted({trigram for table in rows for trigram, _ in table[:TOLD]})
    tables = [{trigram: int(log) / 100 for trigram, log in table} for table in rows]
    return {trigram: tuple(table.get(trigram, FLOOR / 100) for table in tables) for trigram in told}


@cache
def _all_profiles() -> tuple[Mapping[str, int], np.ndarray, Sequence[str]]:
    """The rows of trigrams in a table with a column for each language, the neighbours of ours included, and the columns."""
    import numpy as np  # takes longer to load than the rest of this module, and few commands need it

    profiles = {code: read_lines(code, "trigrams.tsv")[:TOLD] for code in language_codes()}
    profiles |= {code: lines(f"trigrams/{code}.tsv") for code in NEIGHBOURS}
    shares = [dict(line.split("\t") for line in profile) for profile in profiles.values()]
    rows = {trigram: row for row, trigram in enumerate(sorted(set().union(*shares)))}
    table = np.full((len(rows), len(shares)), FLOOR / 100, dtype=np.float32)
    for column, share in enumerate(shares):
        table[[rows[trigram] for trigram in share], column] = [int(log) / 100 for log in share.values()]
    return rows, table, tuple(profiles)
