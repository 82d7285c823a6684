"""`innominate campaign suggest`: what a detector finds, as suggestions for annotators."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from innominate.campaign.store import open_store
from innominate.campaign.suggestions.audiences import suggest
from innominate.cli import options as o
from innominate.cli.campaign._shared import StoreAddress
from innominate.cli.console import stderr
from innominate.core import Document


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
        detect = detecting(opened.campaign().taxonomy, detector or "rules", lang or "auto", recall or "")
        made = suggest(opened, detect)
    fates = Counter(fate["fate"] for one in made for fate in one.log["fates"])
    audiences = len({one.audience for one in made})
    stderr.print(
        f"[bold]{len(made):,}[/] chunks with suggestions for {audiences} audiences: "
        + ", ".join(f"{fates[name]:,} {name}" for name in ("kept", "dropped", "perturbed"))
    )


def detecting(taxonomy: str, detector: str, lang: str, recall: str = "") -> Callable[[Document], Document]:
    """What a detector finds in a note, in the labels of a taxonomy."""
    from innominate.run.pipeline import Pipeline  # loads what detectors need
    from innominate.run.settings import Settings

    return Pipeline(Settings(lang=lang, detector=detector, recall=recall, taxonomy=taxonomy)).detect
