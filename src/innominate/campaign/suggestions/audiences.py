"""Suggestions: who is shown which, and which of them are dropped or spoilt (Loftsson 2022, section 4.2, tables 4.2 and 4.5).

A suggestion is kept with the chance `retention`. A kept one is perturbed with the chance `perturbation`: its category, its
bounds, or both, each as probable. A category becomes one that is so near that a wrong one looks right. Bounds move by a word,
on the left, on the right or on both sides, each as probable; where none can move the category is perturbed instead. What
became of each is logged. A whole team sees the same, or conditions take turns within every annotator.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, Literal

from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Sample
from innominate.campaign.store import Store, Suggestion
from innominate.campaign.store.leases import shuffle_numbers
from innominate.core import Document, Span, UsageError, resolve
from innominate.labels import taxonomy
from innominate.text.tokens import tokens

Similar = Mapping[str, tuple[str, ...]]
Action = Literal["category", "bounds", "both"]
ACTIONS: tuple[Action, ...] = ("category", "bounds", "both")
SIDES = ("left", "right", "both")
Found = Mapping[str, Sequence[Span]]  # what a detector found in each sample
EVERYTHING = Condition("all", retention=1.0)


@cache
def similar_labels(name: str) -> Similar:
    """For each label of a taxonomy those of its category, and those that are often confused with it.

    A label with nobody near may become any.

    >>> similar_labels("chuv")["DATE"], similar_labels("chuv")["PAYS"][-1]
    (('TEMPS', 'ÂGE'), 'NATIONALITÉ')
    """
    labels = taxonomy(name).labels
    pairs = _read_pairs(name)
    near: dict[str, tuple[str, ...]] = {}
    for label in labels.values():
        kin = [other.name for other in labels.values() if other.category == label.category]
        mistaken = [other for pair in sorted(pairs) if label.name in pair for other in pair]
        found = dict.fromkeys(other for other in (*kin, *mistaken) if other != label.name and other in labels)
        near[label.name] = tuple(found) or tuple(other for other in labels if other != label.name)
    return near


def _read_pairs(name: str) -> list[tuple[str, str]]:
    content = files("innominate.campaign.suggestions") / "data" / "similar.toml"
    return [(one, other) for one, other in tomllib.loads(content.read_text(encoding="utf-8")).get(name, [])]


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
        record: dict[str, Any] = {"suggested": _plain_span(self.suggested), "fate": self.name}
        if self.changed and self.shown:
            record |= {"shown": _plain_span(self.shown), "changed": self.changed}
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


def _plain_span(span: Span) -> list[Any]:
    return [span.start, span.end, span.label]


def suggest(store: Store, detect: Callable[[Document], Document]) -> list[Suggestion]:
    """Detect, drop and spoil as the conditions say, and keep everything in the store; labels are those of the campaign."""
    campaign = store.campaign()
    found = detect_in_samples(store.notes(), detect)
    near = similar_labels(campaign.taxonomy)
    made = list(plan_suggestions(campaign, store.annotators(), store.samples(), found=found, similar=near))
    store.suggest(made)
    return made


def detect_in_samples(notes: Iterable[CampaignNote], detect: Callable[[Document], Document]) -> dict[str, tuple[Span, ...]]:
    """What a detector finds in every sample. It reads whole notes, as they are: a line alone says less."""
    found: dict[str, tuple[Span, ...]] = {}
    for note in notes:
        spans = detect(Document(note.document.id, note.document.text, meta=note.document.meta)).spans
        for sample in note.samples:
            found[sample.id] = resolve(note.from_original(sample, spans))
    return found


def plan_suggestions(
    campaign: Campaign, people: Sequence[Annotator], samples: Sequence[Sample], *, found: Found, similar: Similar
) -> Iterator[Suggestion]:
    """Yield the suggestions of every audience, those of controls too: their log says what was dropped.

    Conditions that name teams hold for these. Those that name none are crossed over: everybody outside of such teams works
    under all of them in turn. Without any condition all teams see all suggestions.

    >>> sample, eva = Sample("n1#1", "n1", 0, 5, "3 mai"), Annotator("eva", "gnocchi")
    >>> plain = Campaign("contest", "chuv")
    >>> next(plan_suggestions(plain, [eva], [sample], found={"n1#1": [Span(0, 5, "DATE")]}, similar={})).audience
    'team gnocchi'
    """

    def make(sample: Sample, audience: str, key: str, condition: Condition) -> Suggestion:
        """Chance depends on the sample and the key alone, so the order of samples does not matter."""
        rng = Random(f"{campaign.seed}/suggestions/{key}/{condition.name}/{sample.id}")
        fates = spoil_suggestions(sample.text, found.get(sample.id, ()), condition, similar=similar, rng=rng)
        shown = tuple(fate.shown for fate in fates if fate.shown)
        return Suggestion(
            sample.id, audience, shown, {"condition": condition.name, "fates": [fate.as_dict() for fate in fates]}
        )

    for team in dict.fromkeys(person.team for person in people):
        condition = campaign.condition_of(team) or (EVERYTHING if not campaign.conditions else None)
        if condition:
            yield from (make(sample, f"team {team}", f"group {condition.group}", condition) for sample in samples)
    crossing = [condition for condition in campaign.conditions if not condition.teams]
    if crossing:
        persons = [person for person in people if campaign.condition_of(person.team) is None]
        for person, sample, condition in cross_conditions(crossing, persons, samples, campaign.seed):
            yield make(sample, person.id, person.id, condition)


def cross_conditions(
    conditions: Sequence[Condition], people: Iterable[Annotator], samples: Sequence[Sample], seed: int
) -> Iterator[tuple[Annotator, Sample, Condition]]:
    """Rotate conditions over people and samples: everybody has all of them equally often, and so has every sample.

    >>> two = [Condition("half", retention=0.5), Condition("none")]
    >>> both = [Annotator("eva", "a"), Annotator("ola", "a")]
    >>> [(who.id, condition.name) for who, _, condition in cross_conditions(two, both, [Sample("n", "n", 0, 1, "x")], 7)]
    [('eva', 'half'), ('ola', 'none')]
    """
    if len({condition.name for condition in conditions}) < len(conditions):
        raise UsageError("two conditions have the same name; give each its own")
    turns = {number: turn for turn, number in enumerate(shuffle_numbers(range(len(samples)), seed, "crossover"))}
    for place, person in enumerate(sorted(people, key=lambda one: one.id)):
        for number, sample in enumerate(samples):
            yield person, sample, conditions[(turns[number] + place) % len(conditions)]
