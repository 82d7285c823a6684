"""A contextual model as a folder: `model.toml` (the card), `vocabulary.json`, `model.onnx`. Never pickle."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.contextual.byte_pairs import BytePairs, load_byte_pairs
from innominate.detect.models.toml_text import as_toml
from innominate.detect.neural.tagset import Tagset

FAMILY = "contextual"
FORMAT = 1
CARD, GRAPH = "model.toml", "model.onnx"
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
        import onnxruntime  # type: ignore[import-untyped]

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        providers = ["CUDAExecutionProvider"] if self.device == "cuda" else []
        if self.device == "cuda" and providers[0] not in onnxruntime.get_available_providers():
            raise UsageError("--device cuda needs the package onnxruntime-gpu and a GPU that it can use")
        return onnxruntime.InferenceSession(str(self.folder / GRAPH), options, [*providers, "CPUExecutionProvider"])


@cache
def load_contextual_model(folder: Path, threads: int = 1, device: str = "cpu") -> ContextualModel:
    """Read a model, and say clearly when this version cannot."""
    try:
        content = tomllib.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} is no contextual model: {type(error).__name__}") from None
    if content.get("format") != FORMAT:
        raise UsageError(f"{folder}: the model has format {content.get('format')}, this version reads format {FORMAT}")
    shape = content["shape"]
    return ContextualModel(
        folder,
        load_byte_pairs(folder),
        tuple(content["labels"]),
        content["taxonomy"],
        shape["reads"],
        shape["window"],
        shape["overlap"],
        threads,
        device,
        content.get("card", {}),
    )


def write_card(
    folder: Path, labels: Sequence[str], shape: Mapping[str, Any], card: Mapping[str, Any], *, taxonomy: str = OWN
) -> None:
    """Write what `load_contextual_model` reads beside vocabulary and graph."""
    content = {
        "format": FORMAT,
        "family": FAMILY,
        "kind": FAMILY,
        "taxonomy": taxonomy,
        "labels": list(labels),
        "shape": dict(shape),
        "card": dict(card),
    }
    (folder / CARD).write_text(as_toml(content), encoding="utf-8", newline="\n")
