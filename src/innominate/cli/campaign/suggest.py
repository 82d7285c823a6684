"""`innominate campaign suggest`: what a detector finds, as suggestions for annotators."""

from __future__ import annotations

import time
from collections import Counter

from innominate.campaign.preannotation import found_in, suggestions_for
from innominate.campaign.preannotation.similar import similar_labels
from innominate.campaign.store import Store, Suggestion, open_store
from innominate.cli import options as o
from innominate.cli.campaign._options import StoreAddress
from innominate.cli.console import stderr


def command(
    store: StoreAddress,
    detector: o.Detector = None,
    lang: o.Lang = None,
    recall: o.Recall = None,
) -> None:
    """Pre-annotate a campaign. Its conditions say who sees how many suggestions, and how many of them are spoilt.

    Conditions that name teams hold for these; those that name none take turns within every annotator. What became of every
    suggestion is logged. Suggestions are made once and never changed.

    [dim]innominate campaign suggest contest.db --detector rules --lang fr[/]
    """
    with open_store(store, time.time()) as opened:
        made = suggest(opened, detector or "rules", lang or "auto", recall or "")
    fates = Counter(fate["fate"] for one in made for fate in one.log["fates"])
    audiences = len({one.audience for one in made})
    stderr.print(
        f"[bold]{len(made):,}[/] chunks with suggestions for {audiences} audiences: "
        + ", ".join(f"{fates[name]:,} {name}" for name in ("kept", "dropped", "perturbed"))
    )


def suggest(store: Store, detector: str, lang: str, recall: str = "") -> list[Suggestion]:
    """Detect, drop and spoil as the conditions say, and keep everything in the store."""
    from innominate.run.pipeline import Pipeline  # loads what detectors need
    from innominate.run.settings import Settings

    campaign = store.campaign()
    pipeline = Pipeline(Settings(lang=lang, detector=detector, recall=recall, taxonomy=campaign.taxonomy))
    found = found_in(store.notes(), pipeline.detect)
    near = similar_labels(campaign.taxonomy)
    made = list(suggestions_for(campaign, store.annotators(), store.samples(), found, near))
    store.suggest(made)
    return made
