"""The model card: what a model is, readable by people and checked by the program."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.crf.features import Features
from innominate.detect.toml_text import as_toml

CARD, FORMAT, KIND = "model.toml", 1, "crf"


@dataclass(frozen=True, slots=True)
class Card:
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
        (folder / CARD).write_text(as_toml(content), encoding="utf-8", newline="\n")


def read_card(folder: Path) -> Card:
    """Read a card, or say why the folder holds no model that this version can use."""
    path = folder / CARD
    if not path.is_file():
        raise UsageError(f"{folder}: no model is here; a folder with {CARD} is one, made by `innominate train`")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a model card: {error}") from error
    if content.get("kind") != KIND:
        raise UsageError(f"{path}: this is a model of kind {content.get('kind')!r}, not {KIND!r}")
    if content.get("format") != FORMAT:
        made_by = content.get("versions", {}).get("innominate", "another version")
        raise UsageError(
            f"{path}: the model has format {content.get('format')} (Innominate {made_by}); this version reads {FORMAT}. "
            "Train it again, or use the version that made it"
        )
    try:
        features = Features.from_dict(content["features"])
        tables = {name: content[name] for name in ("corpus", "parameters", "versions")}
        return Card(content["lang"], content["taxonomy"], tuple(content["tags"]), features, seed=content["seed"], **tables)
    except KeyError as error:
        raise UsageError(f"{path}: the model card lacks {error}") from error
