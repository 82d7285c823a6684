"""The chunks that still want annotators."""

from __future__ import annotations

from collections import Counter

from innominate.campaign.records import Sample
from innominate.campaign.store import Store


def wanting_annotators(store: Store) -> list[Sample]:
    """Chunks that fewer people accepted than the campaign wants; without such a number, those that nobody did."""
    wanted = store.campaign().annotators_per_chunk
    done = Counter(answer.sample for answer in store.answers() if answer.decision == "accept")
    return [one for one in store.samples() if done[one.id] < wanted or (not wanted and not done[one.id])]
