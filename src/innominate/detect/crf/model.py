"""A CRF in memory, from a folder or from a training, and the way into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.detect.crf.card import CrfCard, read_card
from innominate.detect.crf.tagger import CrfTagger
from innominate.detect.crf.weights import CrfWeights
from innominate.detect.dial.dial import Dial, read_dial, write_dial
from innominate.detect.models.named import LOG
from innominate.detect.models.toml_text import as_toml


@dataclass(frozen=True)
class CrfModel:
    """What is known and was learned; `log` tells how a training went that was done here: time, machine, scores."""

    card: CrfCard
    tagger: CrfTagger
    dial: Dial = field(default_factory=Dial)
    log: Mapping[str, Any] = field(default_factory=dict)

    @property
    def dev_f1(self) -> float | None:
        """The F1 of spans on the notes that it was scored on after a training here; None if it was not."""
        score = self.log.get("scores", {}).get("span_f1")
        return None if score is None else float(score)

    @classmethod
    def load(cls, folder: Path) -> CrfModel:
        """Read a folder."""
        card = read_card(folder)
        return cls(card, CrfTagger(card.features, CrfWeights.load(folder, card.tags)), read_dial(folder))

    def save(self, folder: Path, *, half: bool = False) -> None:
        """Write a folder; what differs from one training to the next goes into a file of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        self.card.write(folder)
        self.tagger.weights.save(folder, half=half)
        if self.dial.points:
            write_dial(self.dial, folder)
        if self.log:
            (folder / LOG).write_text(as_toml(self.log), encoding="utf-8", newline="\n")
