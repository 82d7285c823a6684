"""The model card: what a model is, readable by people and checked by the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.detect.crf.features import Features
from innominate.detect.models.cards import load_card, naming_what_is_missing, write_card

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
