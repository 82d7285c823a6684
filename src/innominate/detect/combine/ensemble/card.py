"""The card of an ensemble: which models, how they are put together, and what was measured when it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.models.cards import load_card, naming_what_is_missing, write_card

KIND, FORMAT = "ensemble", 1
WAYS = ("union", "majority", "weighted", "average")


@dataclass(frozen=True, slots=True)
class EnsembleCard:
    """What `model.toml` says. Members are names of detectors, or folders, seen from the ensemble's own."""

    how: str
    lang: str
    taxonomy: str
    members: tuple[str, ...]
    labels: tuple[str, ...]
    weighing: str = ""  # what weights are: precision, recall or f1 of a member on a label
    weights: Mapping[str, Sequence[float]] = field(default_factory=dict)  # label -> by member
    threshold: float = 0.5
    dev: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.how not in WAYS:
            raise UsageError(f"--how is one of {', '.join(WAYS)}, not {self.how!r}")

    def write(self, folder: Path) -> None:
        """Write the card into its folder."""
        head = {"kind": KIND, "format": FORMAT, "how": self.how, "lang": self.lang, "taxonomy": self.taxonomy}
        lists = {"members": list(self.members), "labels": list(self.labels)}
        votes = {"weighing": self.weighing, "threshold": self.threshold}
        tables = {name: table for name, table in (("weights", self.weights), ("dev", self.dev)) if table}
        write_card(folder, {**head, **lists, **votes, **tables})


def read_card(folder: Path) -> EnsembleCard:
    """Read a card, or say why it is none that this version reads."""
    content = load_card(folder, family=KIND, format=FORMAT, made_by="innominate train ensemble")
    with naming_what_is_missing(folder):
        names = ("how", "lang", "taxonomy", "weighing", "threshold")
        values: dict[str, Any] = {name: content[name] for name in names}
        values |= {name: content.get(name, {}) for name in ("weights", "dev")}
        values |= {name: tuple(content[name]) for name in ("members", "labels")}
        return EnsembleCard(**values)
