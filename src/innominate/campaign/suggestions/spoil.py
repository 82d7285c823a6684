"""Dropping and spoiling suggestions, with a log of what became of each (Loftsson 2022, section 4.2, tables 4.2 and 4.5).

A suggestion is kept with the chance `retention`. A kept one is perturbed with the chance `perturbation`: its category, its
bounds, or both, each as probable. A category becomes one that is so near that a wrong one looks right. Bounds move by a word,
on the left, on the right or on both sides, each as probable; where none can move the category is perturbed instead.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, Literal

from innominate.campaign.planning.config import Condition
from innominate.core import Span
from innominate.labels import taxonomy
from innominate.text.tokens import tokens

Similar = Mapping[str, tuple[str, ...]]


@cache
def similar_labels(name: str) -> Similar:
    """For each label of a taxonomy those of its category, and those that are often confused with it.

    A label with nobody near may become any.

    >>> similar_labels("chuv")["DATE"], similar_labels("chuv")["PAYS"][-1]
    (('TEMPS', 'ÂGE'), 'NATIONALITÉ')
    """
    labels = taxonomy(name).labels
    pairs = _listed(name)
    near: dict[str, tuple[str, ...]] = {}
    for label in labels.values():
        kin = [other.name for other in labels.values() if other.category == label.category]
        mistaken = [other for pair in sorted(pairs) if label.name in pair for other in pair]
        found = dict.fromkeys(other for other in (*kin, *mistaken) if other != label.name and other in labels)
        near[label.name] = tuple(found) or tuple(other for other in labels if other != label.name)
    return near


def _listed(name: str) -> list[tuple[str, str]]:
    content = files("innominate.campaign.suggestions") / "data" / "similar.toml"
    return [(one, other) for one, other in tomllib.loads(content.read_text(encoding="utf-8")).get(name, [])]


Action = Literal["category", "bounds", "both"]
ACTIONS: tuple[Action, ...] = ("category", "bounds", "both")
SIDES = ("left", "right", "both")


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one suggestion; `shown` is None if it was dropped, and `changed` says what was really changed."""

    suggested: Span
    shown: Span | None
    changed: str = ""  # category, bounds, both; nothing if it is as it was

    @property
    def name(self) -> str:
        """kept, dropped or perturbed."""
        return "dropped" if self.shown is None else "perturbed" if self.changed else "kept"

    def as_dict(self) -> dict[str, Any]:
        """For the log, without a word of the text."""
        record: dict[str, Any] = {"suggested": _plain(self.suggested), "fate": self.name}
        if self.changed and self.shown:
            record |= {"shown": _plain(self.shown), "changed": self.changed}
        return record

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Fate:
        """Read a line of the log again."""
        suggested = Span(*record["suggested"])
        if record["fate"] == "perturbed":
            return cls(suggested, Span(*record["shown"]), record["changed"])
        return cls(suggested, suggested if record["fate"] == "kept" else None)


def spoil_suggestions(
    text: str, suggested: Iterable[Span], condition: Condition, *, similar: Similar, rng: Random
) -> list[Fate]:
    """Drop and spoil the suggestions of one sample. Those that are shown never overlap because of it.

    >>> near = {"DATE": ("ÂGE",)}
    >>> spans = [Span(6, 11, "DATE")]
    >>> [fate.name for fate in spoil_suggestions("vu le 3 mai ici", spans, Condition("none"), similar=near, rng=Random(1))]
    ['dropped']
    >>> spoil = Condition("spoilt", retention=1.0, perturbation=1.0)
    >>> spoilt = spoil_suggestions("vu le 3 mai ici", spans, spoil, similar=near, rng=Random(1))[0]
    >>> spoilt.changed, spoilt.shown
    ('category', Span(start=6, end=11, label='ÂGE', score=1.0, source=''))
    """
    ordered = sorted(suggested)
    kept = [rng.random() < condition.retention for _ in ordered]
    words = tokens(text)
    fates: list[Fate] = []
    floor = 0
    for place, span in enumerate(ordered):
        if not kept[place]:
            fates.append(Fate(span, None))
            continue
        after = (ordered[later].start for later in range(place + 1, len(ordered)) if kept[later])
        limits = (floor, next(after, len(text)))
        fate = Fate(span, span)
        if rng.random() < condition.perturbation:
            fate = perturb_span(span, words, limits, similar=similar, rng=rng)
        fates.append(fate)
        floor = max(floor, fate.shown.end if fate.shown else 0)
    return fates


def perturb_span(
    span: Span, words: Sequence[tuple[int, int]], limits: tuple[int, int], *, similar: Similar, rng: Random
) -> Fate:
    """Spoil one suggestion in one of three ways, each as probable."""
    action = rng.choice(ACTIONS)
    start, end = span.start, span.end
    if action != "category":
        start, end = shift_bounds(span, words, limits, rng)
    moved = (start, end) != (span.start, span.end)
    label = span.label
    if action != "bounds" or not moved:
        label = rng.choice(similar.get(span.label) or (span.label,))
    changed = "both" if moved and label != span.label else "bounds" if moved else "category" if label != span.label else ""
    return Fate(span, replace(span, start=start, end=end, label=label), changed)


def shift_bounds(span: Span, words: Sequence[tuple[int, int]], limits: tuple[int, int], rng: Random) -> tuple[int, int]:
    """Move the bounds of a side that is drawn; the same bounds if none of them can move."""
    side = rng.choice(SIDES)
    start, end = span.start, span.end
    if side != "right":  # one word earlier, or one word later if it has more than one
        before = [one for one, other in words if one >= limits[0] and other <= span.start][-1:]
        inside = [one for one, other in words if span.start < one and other <= span.end][:1]
        places = before + inside
        start = rng.choice(places) if places else start
    if side != "left":
        after = [other for one, other in words if one >= span.end and other <= limits[1]][:1]
        inside = [other for one, other in words if span.start <= one and other < span.end][-1:]
        places = [one for one in after + inside if one > start]
        end = rng.choice(places) if places else end
    return start, end


def _plain(span: Span) -> list[Any]:
    return [span.start, span.end, span.label]
