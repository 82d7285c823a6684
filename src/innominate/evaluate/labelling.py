"""Labels of both sides in one taxonomy: mapped explicitly, or an error. A label that nobody mapped is never skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from innominate.core import Document, LabelError, Span
from innominate.evaluate.i2b2 import ELEMENTS, I2b2Note, Tag
from innominate.labels import LabelMapping, mapping, names, taxonomy


def labels_of(spans: Iterable[Span]) -> frozenset[str]:
    """The labels that occur."""
    return frozenset(span.label for span in spans)


@dataclass(frozen=True, slots=True)
class Mapped:
    """Spans by id with new labels; how many had a label without counterpart, which the mapping says to leave out."""

    spans: Mapping[str, tuple[Span, ...]]
    left_out: Mapping[str, int]
    source: str
    target: str

    def notes(self, side: str) -> list[str]:
        """What a reader of the numbers must know."""
        if not self.left_out:
            return []
        listed = ", ".join(f"{label} ({count})" for label, count in sorted(self.left_out.items()))
        return [f"{side}: no counterpart in {self.target}, left out: {listed}"]


def mapped(spans: Mapping[str, Sequence[Span]], target: str, source: str | None = None) -> Mapped:
    """Rename labels to those of the target; without a source, it is the taxonomy that knows all labels that occur.

    >>> found = mapped({"n1": [Span(0, 4, "CODE_POSTAL"), Span(5, 9, "TEMPS")]}, "i2b2")
    >>> found.spans["n1"][0].label, dict(found.left_out)
    ('ZIP', {'TEMPS': 1})
    """
    labels = labels_of(span for some in spans.values() for span in some)
    if labels <= taxonomy(target).labels.keys():
        return Mapped({id: tuple(some) for id, some in spans.items()}, {}, target, target)
    rename = mapping(source, target) if source else _guess_mapping(labels, target)
    lost = Counter(span.label for some in spans.values() for span in some if rename[span.label] is None)
    return Mapped({id: tuple(rename.apply(some)) for id, some in spans.items()}, lost, rename.source, target)


def _guess_mapping(labels: frozenset[str], target: str) -> LabelMapping:
    known = [name for name in names() if labels <= taxonomy(name).labels.keys()]
    if not known:
        raise LabelError(f"no taxonomy knows all of these labels: {_list_labels(labels)}; convert them first")
    mappings = [mapping(name, target) for name in known]
    if any({m[label] for m in mappings} != {mappings[0][label]} for label in labels):
        raise LabelError(f"the labels may be of {' or '.join(known)}; write --map FROM:{target}")
    return mappings[0]


def check_standard(labels: frozenset[str], name: str, side: str) -> None:
    """Refuse labels that a standard does not score."""
    unknown = [label for label in labels if label not in taxonomy(name)]
    if name == "i2b2":
        unknown = [label for label in unknown if _element_and_type(label) is None]
    if unknown:
        raise LabelError(f"{side}: not labels of {name}: {_list_labels(unknown)}; --map {name} maps those of other taxonomies")


def check_shared(gold: frozenset[str], system: frozenset[str]) -> None:
    """Refuse labels of the system that are neither used in the gold nor of a taxonomy that knows all labels used there."""
    shared = {label for name in names() if gold <= taxonomy(name).labels.keys() for label in taxonomy(name).labels}
    unknown = system - gold - shared
    if gold and unknown:
        raise LabelError(
            f"the system has labels that the gold has not: {_list_labels(unknown)}; --map TAXONOMY maps both sides"
        )


def note(document: Document) -> I2b2Note:
    """A document as the i2b2 scorer sees it."""
    tags = []
    for span in document.spans:
        element = _element_and_type(span.label)
        if element is None:
            raise LabelError(f"{span.label!r} is not a label of i2b2; --map i2b2 maps those of other taxonomies")
        tags.append(Tag(element[0], str(span.start), str(span.end), element[1]))
    return I2b2Note(document.id, document.text, tags)


@cache
def _element_and_type(label: str) -> tuple[str, str] | None:
    """Element and TYPE behind a label, as the reader of i2b2 XML makes labels: `TYPE`, `ELEMENT:TYPE`, or `ELEMENT`."""
    known = taxonomy("i2b2")
    if label in known:
        return known[label].category, label
    element, _, type = label.partition(":")
    if element == "OTHER" and not type:
        return "OTHER", "OTHER"
    return (element, type) if element in ELEMENTS else None


def _list_labels(labels: Iterable[str]) -> str:
    ordered = sorted(labels)
    return ", ".join(ordered[:8]) + (" ..." if len(ordered) > 8 else "")
