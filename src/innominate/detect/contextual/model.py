"""A contextual model as a folder: `model.toml` (the card), `vocabulary.json`, `model.onnx`. Never pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from innominate.detect.contextual.byte_pairs import BytePairs, load_byte_pairs
from innominate.detect.models.cards import load_card
from innominate.detect.neural.readers.graphs import open_session
from innominate.detect.neural.tagset import Tagset

FAMILY = "contextual"
FORMAT = 1
GRAPH = "model.onnx"
OWN = "innominate"  # the taxonomy of the models that ship


@dataclass(frozen=True)
class ContextualModel:
    """What is read of a folder when a model is first used; the graph is opened when it is first run."""

    folder: Path
    vocabulary: BytePairs
    labels: tuple[str, ...]
    taxonomy: str  # of the labels; empty if they are of none
    reads: str  # words, as a student does, or parts, as a teacher
    window: int
    overlap: int
    threads: int = 1
    device: str = "cpu"
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def tagset(self) -> Tagset:
        """The tags, in the order of the graph's scores."""
        return Tagset(self.labels, "IOB2")

    @cached_property
    def session(self) -> Any:
        """The graph, opened."""
        return open_session(self.folder / GRAPH, self.threads, self.device)


@cache
def load_contextual_model(folder: Path, threads: int = 1, device: str = "cpu") -> ContextualModel:
    """Read a model, and say clearly when this version cannot."""
    content = load_card(folder, family=FAMILY, format=FORMAT, made_by="innominate train adapt")
    shape = content["shape"]
    return ContextualModel(
        folder,
        load_byte_pairs(folder),
        labels=tuple(content["labels"]),
        taxonomy=content["taxonomy"],
        reads=shape["reads"],
        window=shape["window"],
        overlap=shape["overlap"],
        threads=threads,
        device=device,
        card=content.get("card", {}),
    )
