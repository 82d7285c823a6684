"""The Text Anonymization Benchmark: recall of entities, mentions and tokens, and uniform precision.

Rule: Pilán et al. 2022 (doi:10.1162/coli_a_00458), and `NorskRegnesentral/text-anonymization-benchmark`, revision c5246a2.
Three things differ. Words that need no masking come from a list (`data/function_words.txt`) instead of a spaCy model, so
"that" is one always and "her" never. Precision is uniform: weights by a language model need a model that is not shipped. And
where no entity ids are known, mentions with the same label and the same text are one entity.

Gold is the benchmark's own JSON, its two published extracts, or any annotated documents.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

from innominate.core import Document, FormatError, Span
from innominate.evaluate.counts import covered, stretch
from innominate.labels import names, taxonomy

Identifier = Literal["DIRECT", "QUASI"]
_IGNORED = " ,.-;:/&()[]–'\"’“”"
_WORD = re.compile(r"\w+")
Parts = Callable[[str, int, int], Iterable[tuple[int, int]]]
_KINDS: dict[str, Identifier | None] = {"DIRECT": "DIRECT", "QUASI": "QUASI", "NO_MASK": "QUASI"}
MASK = "MASK"  # the label of a span of which only the place is known


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
def _compile_skipped() -> re.Pattern[str]:
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
        for skipped in _compile_skipped().finditer(text[start:end]):
            needed &= ~stretch(start + skipped.start(), start + skipped.end())
    return not needed


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
    outcomes = [hit for _, hit in _tell_masked(pairs, parts)]
    return _share(sum(outcomes), len(outcomes))


def _by_type(pairs: Iterable[tuple[TabDocument, Document]]) -> dict[str, Any]:
    hits: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for type, hit in _tell_masked(pairs, words):
        hits[type] += hit
        there[type] += 1
    return {type: _share(hits[type], there[type]) for type in sorted(there)}


def _tell_masked(pairs: Iterable[tuple[TabDocument, Document]], parts: Parts) -> Iterator[tuple[str, bool]]:
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


def read_gold(path: Path) -> list[TabDocument]:
    """Read a TAB corpus: `echr_*.json`, or JSON lines with typed mentions or with masks by annotator."""
    return _join_annotators(_read_record(record, str(path)) for record in _records(path))


def looks_like_tab(path: Path) -> bool:
    """Say whether a file is one of the shapes that `read_gold` reads."""
    if path.suffix not in {".json", ".jsonl"} or not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        head = file.read(1_000_000)
    return any(f'"{key}"' in head for key in ("mask_spans_by_annotator", "entity_mentions", "identifier_type"))


def read_masks(path: Path) -> dict[str, list[Span]]:
    """Read a system's output as the official scorer takes it: `{doc_id: [[start, end], ...]}`."""
    content = json.loads(path.read_text(encoding="utf-8"))
    try:
        return {id: [Span(start, end, MASK) for start, end in places] for id, places in content.items()}
    except (AttributeError, TypeError, ValueError):
        raise FormatError("needs a list of [start, end] for each document id", source=str(path)) from None


def from_document(document: Document) -> TabDocument:
    """Any annotated document: whether a label is direct or quasi comes from the taxonomy that knows all labels of it.

    >>> from innominate.core import annotated
    >>> tab = from_document(annotated("[Eva](PATIENT) of [Rom](CITY): [Eva](PATIENT)", "n1"))
    >>> [(entity.type, entity.identifier, len(entity.mentions)) for entity in tab.entities]
    [('PATIENT', 'DIRECT', 2), ('CITY', 'QUASI', 1)]
    """
    mentions: defaultdict[tuple[str, str], list[Mention]] = defaultdict(list)
    for span in dict.fromkeys(document.spans):
        mentions[span.label, span.of(document.text).casefold()].append(Mention(span.start, span.end))
    kinds = _kinds_of_labels(frozenset(span.label for span in document.spans))
    entities = tuple(TabEntity("gold", label, kinds.get(label), tuple(some)) for (label, _), some in mentions.items())
    return TabDocument(document.id, document.text, entities)


def as_document(tab: TabDocument) -> Document:
    """The spans that any annotator would mask."""
    masks = {(m.start, m.end): entity.type for entity in tab.entities for m in entity.mentions if m.mask}
    return Document(tab.id, tab.text, tuple(Span(start, end, label) for (start, end), label in masks.items()))


def _kinds_of_labels(labels: frozenset[str]) -> dict[str, Identifier]:
    known = [taxonomy(name) for name in names() if labels <= taxonomy(name).labels.keys()]
    return {label: cast(Identifier, known[0][label].kind.identifier.upper()) for label in labels} if known else {}


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as file:
        if file.read(1) == "[":
            file.seek(0)
            yield from json.load(file)
        else:
            file.seek(0)
            yield from (json.loads(line) for line in file if line.strip())


def _read_record(record: Mapping[str, Any], source: str) -> TabDocument:
    try:
        if "mask_spans_by_annotator" in record:
            return _read_untyped(record)
        if "annotations" in record:
            said = {who: content["entity_mentions"] for who, content in record["annotations"].items()}
            return _read_typed(record["doc_id"], record["text"], said)
        origin = record["metadata"]["provenance"]
        return _read_typed(origin["doc_id"], record["text"], {origin["annotator"]: record["entities"]})
    except (KeyError, TypeError):
        raise FormatError("not a record of the Text Anonymization Benchmark", source=source) from None


def _read_untyped(record: Mapping[str, Any]) -> TabDocument:
    entities = tuple(
        TabEntity(f"annotator{number}", MASK, None, (Mention(start, end),))
        for number, places in enumerate(record["mask_spans_by_annotator"], start=1)
        for start, end in places
    )
    return TabDocument(record["doc_id"], record["text"], entities, has_entities=False)


def _read_typed(id: str, text: str, said: Mapping[str, Sequence[Mapping[str, Any]]]) -> TabDocument:
    """Group mentions into entities. As in the official scorer, the first mention says whether an entity is direct."""
    entities = []
    for annotator, mentions in said.items():
        groups: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for mention in mentions:
            groups[mention["entity_id"]].append(mention)
        for group in groups.values():
            places = tuple(
                Mention(m["start_offset"], m["end_offset"], m["identifier_type"] in {"DIRECT", "QUASI"}) for m in group
            )
            first = group[0]
            entities.append(TabEntity(annotator, first["entity_type"], _KINDS[first["identifier_type"]], places))
    return TabDocument(id, text, tuple(entities))


def _join_annotators(documents: Iterable[TabDocument]) -> list[TabDocument]:
    """Put the annotators of one document together, where each has a record of their own."""
    joined: dict[str, TabDocument] = {}
    for document in documents:
        other = joined.get(document.id)
        if other and other.text != document.text:
            raise FormatError(f"document {document.id!r} occurs twice, with different texts")
        entities = (*other.entities, *document.entities) if other else document.entities
        joined[document.id] = TabDocument(document.id, document.text, entities, document.has_entities)
    return list(joined.values())
