"""A CRF in memory, from a folder or from a training, and the way into a folder: its card, its weights, its dial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.detect.crf.features import Features
from innominate.detect.crf.tagger import CrfTagger, CrfWeights
from innominate.detect.dial.dial import Dial, read_dial, write_dial
from innominate.detect.models.cards import as_toml, load_card, naming_what_is_missing, write_card
from innominate.detect.models.named import LOG

FORMAT, KIND = 1, "crf"


@dataclass(frozen=True, slots=True)
class CrfCard:
    """What `model.toml` says. Nothing in it differs from one training to the next; the time goes to `training.toml`."""

    lang: str
    taxonomy: str
    tags: tuple[str, ...]
    features: Features
    corpus: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> frozenset[str]:
        """Labels that the model can give."""
        return frozenset(tag[2:] for tag in self.tags if tag != "O")

    def write(self, folder: Path) -> None:
        """Write the card."""
        content = {
            "kind": KIND,
            "format": FORMAT,
            "lang": self.lang,
            "taxonomy": self.taxonomy,
            "seed": self.seed,
            "tags": list(self.tags),
            "corpus": self.corpus,
            "features": self.features.as_dict(),
            "parameters": self.parameters,
            "versions": self.versions,
        }
        write_card(folder, content)


def read_card(folder: Path) -> CrfCard:
    """Read a card, or say why the folder holds no model that this version can use."""
    content = load_card(folder, family=KIND, format=FORMAT, made_by="innominate train crf")
    with naming_what_is_missing(folder):
        features = Features.from_dict(content["features"])
        tables = {name: content[name] for name in ("corpus", "parameters", "versions")}
        return CrfCard(content["lang"], content["taxonomy"], tuple(content["tags"]), features, seed=content["seed"], **tables)


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
