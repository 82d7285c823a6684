"""Mappings from one taxonomy to another. Many labels may become one; one label never becomes many."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from innominate.core import LabelError, Span
from innominate.labels.taxonomy import DATA, Taxonomy, taxonomy

NONE = "none"  # how a mapping file says that a label has no counterpart


@dataclass(frozen=True, slots=True)
class LabelMapping:
    """Every label of the source taxonomy with its label in the target, or None where the target has no such thing.

    >>> mapping("chuv", "i2b2")["CODE_POSTAL"], mapping("chuv", "i2b2")["TEMPS"]
    ('ZIP', None)
    """

    source: str
    target: str
    pairs: Mapping[str, str | None]

    def __getitem__(self, label: str) -> str | None:
        try:
            return self.pairs[label]
        except KeyError:
            raise LabelError(f"label {label!r} is not in taxonomy {self.source!r}, so it has no {self.target} label") from None

    def apply(self, spans: Iterable[Span]) -> list[Span]:
        """Rename the labels of spans; those without a counterpart are left out."""
        renamed = ((span, self[span.label]) for span in spans)
        return [replace(span, label=label) for span, label in renamed if label is not None]


@cache
def mapping(source: str, target: str) -> LabelMapping:
    """Load the mapping between two taxonomies and check that it is complete."""
    if source == target:
        return LabelMapping(source, target, {label: label for label in taxonomy(source).labels})
    content = tomllib.loads((DATA / "mappings" / f"{taxonomy(source).name}.toml").read_text(encoding="utf-8"))
    return read_mapping(source, target, content.get(taxonomy(target).name, {}))


def read_mapping(source: str, target: str, entries: Mapping[str, object]) -> LabelMapping:
    """Make a mapping from entries, refusing one-to-many, unknown labels and forgotten ones.

    A label without an entry becomes the one label of its kind in the target; where there is none, or more than one, it is
    forgotten.
    """
    known, wanted = taxonomy(source), taxonomy(target)
    for label, counterpart in entries.items():
        if not isinstance(counterpart, str):
            raise LabelError(f"{source} to {target}: {label!r} may become one label only, not {counterpart!r}")
        if label not in known or (counterpart != NONE and counterpart not in wanted):
            raise LabelError(f"{source} to {target}: {label!r} = {counterpart!r} names a label that does not exist")
    said = {**_by_kind(known, wanted), **entries}
    forgotten = [label for label in known.labels if label not in said]
    if forgotten:
        raise LabelError(f'{source} to {target}: no entry for {", ".join(forgotten)}; write "{NONE}" if there is none')
    pairs = {label: None if said[label] == NONE else str(said[label]) for label in known.labels}
    return LabelMapping(source, target, pairs)


def _by_kind(source: Taxonomy, target: Taxonomy) -> dict[str, str]:
    """The labels that have one counterpart of their kind, and no more."""
    alike = (
        (name, [other.name for other in target.labels.values() if other.kind is label.kind])
        for name, label in source.labels.items()
    )
    return {name: found[0] for name, found in alike if len(found) == 1}
