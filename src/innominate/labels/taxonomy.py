"""Sets of labels, read from TOML files in `data/`, and mappings from one to another.

Many labels may become one; one label never becomes many.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from innominate.core import LabelError, Span
from innominate.labels.kinds import OTHER, Kind, kinds
from innominate.languages import load_language

DATA = files("innominate.labels") / "data"


@dataclass(frozen=True, slots=True)
class Label:
    """What a standard calls a kind of identifier."""

    name: str
    category: str
    description: str
    kind: Kind
    colour: str
    hipaa: bool = False  # one of the eighteen of the Safe Harbor rule
    staff: bool = False  # people who work where a note is written: an address after one is that of an institution


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The labels of one standard. Extensions are labels we add where the standard leaves an identifier nameless.

    >>> taxonomy("chuv")["ÂGE"].category
    'DÉMOGRAPHIE'
    >>> len(taxonomy("swedish").standard), "Personal_Number" in taxonomy("swedish")
    (8, True)
    """

    name: str
    title: str
    language: str
    source: str
    categories: Mapping[str, str]  # category -> description
    standard: Mapping[str, Label]
    extensions: Mapping[str, Label]

    @property
    def labels(self) -> Mapping[str, Label]:
        """All labels, those of the standard first."""
        return {**self.standard, **self.extensions}

    def __contains__(self, name: object) -> bool:
        return name in self.standard or name in self.extensions

    def __getitem__(self, name: str) -> Label:
        try:
            return self.labels[name]
        except KeyError:
            raise LabelError(f"taxonomy {self.name!r} has no label {name!r}; it has: {', '.join(self.labels)}") from None


def names() -> list[str]:
    """Names of the taxonomies that ship with Innominate.

    >>> names()
    ['chuv', 'hipaa', 'i2b2', 'innominate', 'meddocan', 'swedish']
    """
    return sorted(entry.name.removesuffix(".toml") for entry in DATA.iterdir() if entry.name.endswith(".toml"))


@cache
def taxonomy(name: str) -> Taxonomy:
    """Load a taxonomy by name."""
    if name not in names():
        raise LabelError(f"no taxonomy is called {name!r}; there are: {', '.join(names())}")
    content = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    categories = content["categories"]

    def labels(section: str) -> dict[str, Label]:
        return {key: read_label(key, entry, categories, name) for key, entry in content.get(section, {}).items()}

    return Taxonomy(
        name,
        content["title"],
        content["language"],
        content["source"],
        {key: entry["description"] for key, entry in categories.items()},
        labels("labels"),
        labels("extensions"),
    )


def read_label(name: str, entry: Mapping[str, Any], categories: Mapping[str, Any], taxonomy: str) -> Label:
    """Read a label of a taxonomy; one without a kind is refused, because nobody could say how to conceal it."""
    where = f"labels/data/{taxonomy}.toml: label {name!r}"
    if entry["category"] not in categories:
        raise LabelError(f"{where} names a category {entry['category']!r} that is not declared under [categories]")
    if entry.get("kind") not in kinds():
        told = f"names a kind {entry['kind']!r} that does not exist" if "kind" in entry else "names no kind"
        raise LabelError(
            f"{where} {told}; write `kind = ...` with one of {', '.join(kinds())}, or add an entry to labels/kinds.toml "
            "(docs/add-a-kind.md)"
        )
    colour = categories[entry["category"]]["colour"]
    return Label(name, colour=colour, **{**entry, "kind": kinds()[entry["kind"]]})


@cache
def labels_of_all() -> Mapping[str, Label]:
    """The labels of all taxonomies by name; one name may stand in several, and is of one kind in all of them.

    >>> labels_of_all()["PERSONNEL_MÉDICAL"].kind.name, labels_of_all()["ZIP"].kind.name
    ('person', 'zip')
    """
    found: dict[str, Label] = {}
    for taxonomy_name in names():
        for name, label in taxonomy(taxonomy_name).labels.items():
            if (known := found.setdefault(name, label)).kind is not label.kind:
                told = f"{known.kind.name!r} elsewhere and {label.kind.name!r} in labels/data/{taxonomy_name}.toml"
                raise LabelError(f"label {name!r} has the kind {told}; one label has one kind")
    return found


@lru_cache(maxsize=4096)  # labels, of which there are some hundred
def kind_of(label: str) -> str:
    """The kind of a label; a label of no taxonomy, such as one of a user's own rules, is something else.

    >>> kind_of("First_Name"), kind_of("MY_LABEL")
    ('first', 'other')
    """
    known = labels_of_all().get(label)
    return known.kind.name if known else OTHER


def for_language(lang: str) -> Taxonomy:
    """The taxonomy in which detectors of a language speak by default.

    >>> for_language("fr").name
    'chuv'
    """
    return taxonomy(load_language(lang).taxonomy)


def with_labels(labels: Iterable[str], lang: str = "") -> Taxonomy | None:
    """The taxonomy that has all these labels, that of the language before any other.

    >>> with_labels(["PAYS", "RUE"]).name, with_labels(["DATE"], "en").name, with_labels(["MOON"])
    ('chuv', 'i2b2', None)
    """
    wanted = set(labels)
    known = [taxonomy(name) for name in names()]
    known.sort(key=lambda one: not lang or one.name != for_language(lang).name)
    return next((one for one in known if wanted <= one.labels.keys()), None)


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
