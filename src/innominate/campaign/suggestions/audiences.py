"""Who is shown which suggestions: the same for a whole team, or conditions that take turns within every annotator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random

from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Sample
from innominate.campaign.store import Store, Suggestion
from innominate.campaign.store.leases import shuffle_numbers
from innominate.campaign.suggestions.spoil import Similar, similar_labels, spoil_suggestions
from innominate.core import Document, Span, UsageError, resolve

Found = Mapping[str, Sequence[Span]]  # what a detector found in each sample
EVERYTHING = Condition("all", retention=1.0)


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
