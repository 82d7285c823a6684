"""Gold for the TAB measures: the benchmark's own JSON, its two published extracts, or any annotated documents."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from innominate.core import Document, FormatError, Span
from innominate.evaluate.tab import Identifier, Mention, TabDocument, TabEntity
from innominate.labels import names, taxonomy

_KINDS: dict[str, Identifier | None] = {"DIRECT": "DIRECT", "QUASI": "QUASI", "NO_MASK": "QUASI"}
MASK = "MASK"  # the label of a span of which only the place is known


def read_gold(path: Path) -> list[TabDocument]:
    """Read a TAB corpus: `echr_*.json`, or JSON lines with typed mentions or with masks by annotator."""
    return _joined(_document(record, str(path)) for record in _records(path))


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
    kinds = _kinds(frozenset(span.label for span in document.spans))
    entities = tuple(TabEntity("gold", label, kinds.get(label), tuple(some)) for (label, _), some in mentions.items())
    return TabDocument(document.id, document.text, entities)


def as_document(tab: TabDocument) -> Document:
    """The spans that any annotator would mask."""
    masks = {(m.start, m.end): entity.type for entity in tab.entities for m in entity.mentions if m.mask}
    return Document(tab.id, tab.text, tuple(Span(start, end, label) for (start, end), label in masks.items()))


def _kinds(labels: frozenset[str]) -> dict[str, Identifier]:
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


def _document(record: Mapping[str, Any], source: str) -> TabDocument:
    try:
        if "mask_spans_by_annotator" in record:
            return _untyped(record)
        if "annotations" in record:
            said = {who: content["entity_mentions"] for who, content in record["annotations"].items()}
            return _typed(record["doc_id"], record["text"], said)
        origin = record["metadata"]["provenance"]
        return _typed(origin["doc_id"], record["text"], {origin["annotator"]: record["entities"]})
    except (KeyError, TypeError):
        raise FormatError("not a record of the Text Anonymization Benchmark", source=source) from None


def _untyped(record: Mapping[str, Any]) -> TabDocument:
    entities = tuple(
        TabEntity(f"annotator{number}", MASK, None, (Mention(start, end),))
        for number, places in enumerate(record["mask_spans_by_annotator"], start=1)
        for start, end in places
    )
    return TabDocument(record["doc_id"], record["text"], entities, has_entities=False)


def _typed(id: str, text: str, said: Mapping[str, Sequence[Mapping[str, Any]]]) -> TabDocument:
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


def _joined(documents: Iterable[TabDocument]) -> list[TabDocument]:
    """Put the annotators of one document together, where each has a record of their own."""
    joined: dict[str, TabDocument] = {}
    for document in documents:
        other = joined.get(document.id)
        if other and other.text != document.text:
            raise FormatError(f"document {document.id!r} occurs twice, with different texts")
        entities = (*other.entities, *document.entities) if other else document.entities
        joined[document.id] = TabDocument(document.id, document.text, entities, document.has_entities)
    return list(joined.values())
