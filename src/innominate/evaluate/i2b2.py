"""The i2b2 2014 de-identification scorer: token, strict and relaxed, with every quirk of the official program.

Rule: `kotfic/i2b2_evaluation_scripts`, revision acbfd4e (Stubbs et al. 2015, doi:10.1016/j.jbi.2015.06.007). Its numbers are
what papers report, so its flaws are reproduced here, each with a comment; "corrected" numbers stand beside the official ones.
The spelling "HIPPA" of two block names is the scorer's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, pstdev
from typing import Any, Literal, NamedTuple

from innominate.core import Score
from innominate.evaluate.counts import compared, rates, total

CATEGORIES = ("AGE", "CONTACT", "DATE", "ID", "LOCATION", "NAME", "OTHER", "PROFESSION")
ELEMENTS = frozenset({*CATEGORIES, "PHI"})  # elements with any other name are ignored
END_TOLERANCE = 2  # characters, in Relaxed

# The scorer asks whether the TYPE *begins* with one of these (re.match), so "" stands for any TYPE. The blank after IDNUM is
# its flaw: IDNUM is in the documentation of the track, yet it never matches and is not scored in any HIPAA block.
HIPAA_OFFICIAL: Mapping[str, tuple[str, ...]] = {
    "NAME": ("PATIENT",),
    "LOCATION": ("CITY", "STREET", "ZIP", "ORGANIZATION"),
    "DATE": ("",),
    "AGE": ("",),
    "CONTACT": ("PHONE", "FAX", "EMAIL"),
    "ID": ("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM "),
}
HIPAA_CORRECTED = {**HIPAA_OFFICIAL, "ID": tuple(type.strip() for type in HIPAA_OFFICIAL["ID"])}

_TOKEN = re.compile("[a-zA-Z0-9]+")  # ASCII only: "Müller" is "M" and "ller"
Key = tuple[str | int, ...]
Ends = dict[Key, list[int]]  # tags without their ends -> the ends


class Tag(NamedTuple):
    """One element of the XML. Positions stay strings, because Strict compares them as strings: "0041" is not "41"."""

    name: str
    start: str
    end: str
    type: str


@dataclass(frozen=True)
class I2b2Note:
    """One opinion about one note: its text and its tags in file order."""

    id: str
    text: str
    tags: Sequence[Tag]

    @cached_property
    def read(self) -> list[tuple[Tag, list[tuple[int, int]]]]:
        """The tags that the scorer reads, each with the positions of its tokens."""
        return [(tag, list(_tokens(tag, self.text))) for tag in self.tags if tag.name in ELEMENTS]


def _tokens(tag: Tag, text: str) -> Iterator[tuple[int, int]]:
    """Positions of the tokens of a tag; without any letter or digit there is one empty token, at the end of the slice."""
    start, end = int(tag.start), int(tag.end)
    found = False
    for match in _TOKEN.finditer(text[start:end]):
        found = True
        yield start + match.start(), start + match.end()
    if not found:
        yield end, end


@dataclass(frozen=True, slots=True)
class Block:
    """What one block of the official report compares."""

    name: str
    unit: Literal["token", "strict", "relaxed"]
    hipaa: bool = False
    binary: bool = False
    category: str = ""

    def keeps(self, tag: Tag, hipaa: Mapping[str, tuple[str, ...]]) -> bool:
        """Say whether a tag counts here. Each side is asked by its own name and TYPE, also in the binary blocks."""
        if self.category and tag.name != self.category:
            return False
        return not self.hipaa or tag.type.startswith(hipaa.get(tag.name, ()))


MAIN = (
    Block("Token", "token"),
    Block("Strict", "strict"),
    Block("Relaxed", "relaxed"),
    Block("HIPPA Token", "token", hipaa=True),
    Block("HIPAA Strict", "strict", hipaa=True),
    Block("HIPAA Relaxed", "relaxed", hipaa=True),
    Block("Binary Token", "token", binary=True),
    Block("Binary Strict", "strict", binary=True),
    Block("Binary HIPPA Token", "token", hipaa=True, binary=True),
    Block("Binary HIPAA Strict", "strict", hipaa=True, binary=True),
)
BY_CATEGORY = tuple(
    block
    for category in CATEGORIES
    for block in (
        # mislabelled by the scorer: it is HIPAA Strict with the full key, not binary
        Block(f"{category} Binary HIPAA Strict", "strict", hipaa=True, category=category),
        Block(f"{category} HIPPA Token", "token", hipaa=True, category=category),
        Block(f"{category} Strict", "strict", category=category),
        Block(f"{category} Token", "token", category=category),
    )
)
# IDNUM is an ID: the correction touches nothing else
WITH_IDNUM = tuple(block for block in (*MAIN, *BY_CATEGORY) if block.hipaa and block.category in {"", "ID"})


def strict_key(tag: Tag) -> Key:
    """Everything as upper-case strings."""
    return tag.name.upper(), tag.start, tag.end, tag.type.upper()


def binary_key(tag: Tag) -> Key:
    """Positions alone, except for elements named PHI, which keep the long key."""
    return (tag.start, tag.end) if tag.name != "PHI" else strict_key(tag)


def score(pairs: Iterable[tuple[I2b2Note, I2b2Note]]) -> dict[str, Any]:
    """All blocks of the official report for (gold, system) notes, and the HIPAA blocks with the IDNUM flaw corrected."""
    pairs = list(pairs)
    return {
        "n_documents": len(pairs),
        "blocks": {block.name: _block(block, pairs, HIPAA_OFFICIAL) for block in (*MAIN, *BY_CATEGORY)},
        "idnum_corrected_not_official": {block.name: _block(block, pairs, HIPAA_CORRECTED) for block in WITH_IDNUM},
    }


def _block(block: Block, pairs: Sequence[tuple[I2b2Note, I2b2Note]], hipaa: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    count: Callable[[list[Key], list[Key]], Score] = (
        _score_relaxed if block.unit == "relaxed" else lambda gold, system: compared(set(gold), set(system))
    )
    scores = [count(list(_keys(block, gold, hipaa)), list(_keys(block, system, hipaa))) for gold, system in pairs]
    result = {"micro": rates(total(scores)), "macro": _macro(scores)}
    if block in MAIN and hipaa is HIPAA_OFFICIAL:
        result["per_document"] = {
            gold.id: [found.tp, found.fp, found.fn] for (gold, _), found in zip(pairs, scores, strict=True)
        }
    return result


def _keys(block: Block, note: I2b2Note, hipaa: Mapping[str, tuple[str, ...]]) -> Iterator[Key]:
    """What the block compares of a note. Token does not change the case of name and TYPE, Strict does."""
    kept = (item for item in note.read if block.keeps(item[0], hipaa))
    if block.unit != "token":
        key = binary_key if block.binary else strict_key
        return (key(tag) for tag, _ in kept)
    if block.binary:
        return (token for _, tokens in kept for token in tokens)
    return ((tag.name, tag.type, *token) for tag, tokens in kept for token in tokens)


def _score_relaxed(gold: list[Key], system: list[Key]) -> Score:
    """Use "ends at most 2 apart" as equality of set members, which it is not: hits and misses may exceed the gold.

    Hits are the members of the smaller set (the system's if sizes are equal) that equal one of the other.
    """
    golds, systems = _distinct(gold), _distinct(system)
    smaller, larger = (systems, golds) if _size(systems) <= _size(golds) else (golds, systems)
    return Score(
        sum(_has(larger, key, end) for key, ends in smaller.items() for end in ends),
        sum(not _has(golds, key, end) for key, ends in systems.items() for end in ends),
        sum(not _has(systems, key, end) for key, ends in golds.items() for end in ends),
    )


def _distinct(keys: list[Key]) -> Ends:
    """Build the set in file order, leaving out a tag that equals one already kept."""
    kept: Ends = {}
    for name, start, end, type in keys:
        if not _has(kept, (name, start, type), int(end)):
            kept.setdefault((name, start, type), []).append(int(end))
    return kept


def _has(ends: Ends, key: Key, end: int) -> bool:
    return any(abs(other - end) <= END_TOLERANCE for other in ends.get(key, ()))


def _size(ends: Ends) -> int:
    return sum(map(len, ends.values()))


def _macro(scores: Sequence[Score]) -> dict[str, Any]:
    """Means over notes, where a note with nothing to find counts 0. F1 is None (not a number), not 0, when both are 0."""
    precisions = [found.precision for found in scores] or [0.0]
    recalls = [found.recall for found in scores] or [0.0]
    p, r = fmean(precisions), fmean(recalls)
    return {
        "precision": p,
        "precision_sd": pstdev(precisions),
        "recall": r,
        "recall_sd": pstdev(recalls),
        "f1": 2 * p * r / (p + r) if p + r else None,
    }
