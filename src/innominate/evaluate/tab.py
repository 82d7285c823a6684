"""The Text Anonymization Benchmark: recall of entities, mentions and tokens, and uniform precision.

Rule: Pilán et al. 2022 (doi:10.1162/coli_a_00458), and `NorskRegnesentral/text-anonymization-benchmark`, revision
c5246a2. Three things differ. Words that need no masking come from a list (`data/function_words.txt`) instead of a spaCy model,
so "that" is one always and "her" never. Precision is uniform: weights by a language model need a model that is not shipped.
And where no entity ids are known, mentions with the same label and the same text are one entity.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from innominate.core import Document
from innominate.evaluate.counts import covered, stretch

Identifier = Literal["DIRECT", "QUASI"]
_IGNORED = " ,.-;:/&()[]–'\"’“”"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Mention:
    """Where an entity is mentioned, and whether this mention needs masking."""

    start: int
    end: int
    mask: bool = True


@dataclass(frozen=True, slots=True)
class TabEntity:
    """What one annotator says about one entity. The kind of identifier is None where the corpus does not tell."""

    annotator: str
    type: str
    identifier: Identifier | None
    mentions: tuple[Mention, ...]

    @property
    def mask(self) -> bool:
        """Say whether it needs masking: one of its mentions does."""
        return any(mention.mask for mention in self.mentions)


@dataclass(frozen=True, slots=True)
class TabDocument:
    """A text with the entities that each annotator found."""

    id: str
    text: str
    entities: tuple[TabEntity, ...]
    has_entities: bool = True  # False where only mentions are known, so that entities cannot be counted

    @property
    def annotators(self) -> frozenset[str]:
        """Who annotated something in it."""
        return frozenset(entity.annotator for entity in self.entities)


def score(pairs: Iterable[tuple[TabDocument, Document]]) -> dict[str, Any]:
    """All measures; recall of entities is None where the corpus has no entities or no kinds of identifiers."""
    pairs = list(pairs)
    return {
        "n_documents": len(pairs),
        "entity_recall": {
            "direct": _entity_recall(pairs, lambda entity: entity.identifier == "DIRECT", needs_kind=True),
            "quasi": _entity_recall(pairs, lambda entity: entity.identifier == "QUASI", needs_kind=True),
            "all": _entity_recall(pairs, lambda entity: True, needs_kind=False),
        },
        "mention_recall": _recall(pairs, _whole),
        "token_recall": _recall(pairs, words),
        "token_recall_by_type": _by_type(pairs),
        "precision_uniform": {"token": _precision(pairs, words), "mention": _precision(pairs, _whole)},
    }


@cache
def _skipped() -> re.Pattern[str]:
    """Function words and punctuation; longer words first, so that "n't" is not read as "n"."""
    content = (files("innominate.evaluate") / "data" / "function_words.txt").read_text(encoding="utf-8")
    listed = {word for line in content.splitlines() if not line.startswith("#") for word in line.split()}
    listed -= set(_IGNORED)
    parts = [rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(listed, key=len, reverse=True)]
    parts = [part.replace(r"(?<!\w)", "", 1) if "'" in part or "’" in part else part for part in parts]  # Eva's
    return re.compile("|".join([*parts, f"[{re.escape(_IGNORED)}]"]), re.IGNORECASE)


def is_masked(text: str, start: int, end: int, hidden: int) -> bool:
    """Say whether every character between is hidden, but for function words and punctuation.

    >>> is_masked("the Court of Rome", 0, 17, hidden=stretch(4, 9) | stretch(13, 17))
    True
    """
    needed = stretch(start, end) & ~hidden
    if needed:
        for skipped in _skipped().finditer(text[start:end]):
            needed &= ~stretch(start + skipped.start(), start + skipped.end())
    return not needed


Parts = Callable[[str, int, int], Iterable[tuple[int, int]]]


def words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The words between."""
    return ((start + word.start(), start + word.end()) for word in _WORD.finditer(text[start:end]))


def _whole(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [(start, end)]


def _entity_recall(
    pairs: Sequence[tuple[TabDocument, Document]], wanted: Callable[[TabEntity], bool], *, needs_kind: bool
) -> dict[str, Any] | None:
    """An entity counts as masked if all its mentions that need masking are."""
    hidden_in = [(gold, covered(system.spans)) for gold, system in pairs]
    chosen = [(gold, entity, hidden) for gold, hidden in hidden_in for entity in gold.entities if entity.mask]
    if not all(gold.has_entities for gold, _ in pairs) or (needs_kind and any(e.identifier is None for _, e, _ in chosen)):
        return None
    hits = [
        all(is_masked(gold.text, m.start, m.end, hidden) for m in entity.mentions if m.mask)
        for gold, entity, hidden in chosen
        if wanted(entity)
    ]
    return _share(sum(hits), len(hits))


def _recall(pairs: Iterable[tuple[TabDocument, Document]], parts: Parts) -> dict[str, Any]:
    """Over all mentions of entities that need masking, also those that need none themselves, as the official scorer has it."""
    outcomes = [hit for _, hit in _masked_parts(pairs, parts)]
    return _share(sum(outcomes), len(outcomes))


def _by_type(pairs: Iterable[tuple[TabDocument, Document]]) -> dict[str, Any]:
    hits: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for type, hit in _masked_parts(pairs, words):
        hits[type] += hit
        there[type] += 1
    return {type: _share(hits[type], there[type]) for type in sorted(there)}


def _masked_parts(pairs: Iterable[tuple[TabDocument, Document]], parts: Parts) -> Iterator[tuple[str, bool]]:
    for gold, system in pairs:
        hidden = covered(system.spans)
        for entity in gold.entities:
            for mention in entity.mentions if entity.mask else ():
                for start, end in parts(gold.text, mention.start, mention.end):
                    yield entity.type, is_masked(gold.text, start, end, hidden)


def _precision(pairs: Iterable[tuple[TabDocument, Document]], parts: Parts) -> dict[str, Any]:
    """Of what the system masks, the share that annotators mask too, each annotator with one vote."""
    agreed = asked = 0
    for gold, system in pairs:
        masks: defaultdict[str, list[Mention]] = defaultdict(list)
        for entity in gold.entities:
            masks[entity.annotator] += [mention for mention in entity.mentions if mention.mask]
        for span in dict.fromkeys((span.start, span.end) for span in system.spans):
            for start, end in parts(gold.text, *span):
                asked += len(masks)
                agreed += sum(any(m.start <= start and end <= m.end for m in mentions) for mentions in masks.values())
    return {"agreed": agreed, "asked": asked, "precision": agreed / asked if asked else 0.0}


def _share(masked: int, n: int) -> dict[str, Any]:
    return {"masked": masked, "n": n, "recall": masked / n if n else 0.0}
