"""From a detector to the suggestions of a store."""

from __future__ import annotations

from collections.abc import Callable

from innominate.campaign.store import Store, Suggestion
from innominate.campaign.suggestions.audiences import found_in, suggestions_for
from innominate.campaign.suggestions.similar import similar_labels
from innominate.core import Document


def suggest(store: Store, detect: Callable[[Document], Document]) -> list[Suggestion]:
    """Detect, drop and spoil as the conditions say, and keep everything in the store; labels are those of the campaign."""
    campaign = store.campaign()
    found = found_in(store.notes(), detect)
    near = similar_labels(campaign.taxonomy)
    made = list(suggestions_for(campaign, store.annotators(), store.samples(), found, near))
    store.suggest(made)
    return made
