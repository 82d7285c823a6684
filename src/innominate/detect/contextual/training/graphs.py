"""From torch to ONNX with eight-bit weights, which is what is served, and back, to learn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from innominate.core import UsageError
from innominate.detect.contextual.byte_pairs import BytePairs, save_byte_pairs
from innominate.detect.contextual.model import FAMILY, FORMAT, GRAPH, OWN, load_contextual_model
from innominate.detect.contextual.reading import SLOTS
from innominate.detect.contextual.training.nets import Encoder, Matrix, Shape, Student, StudentShape, Tagger
from innominate.detect.models.cards import load_card, write_card
from innominate.detect.neural.export import quantise, write_graph

_OVERLAP = {"words": 64, "parts": 96}  # of windows, by what is read
_QUANTISED, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"


def write_model(
    net: Student | Tagger,
    folder: Path,
    vocabulary: BytePairs,
    *,
    labels: Sequence[str],
    card: Mapping[str, Any],
    taxonomy: str = OWN,
) -> None:
    """Write the folder of a model: what `load_contextual_model` reads, and the graph."""
    reads = "words" if isinstance(net, Student) else "parts"
    shape = {**asdict(net.shape), "reads": reads, "overlap": _OVERLAP[reads]}
    shape.pop("tags", None)
    head = {"format": FORMAT, "family": FAMILY, "kind": FAMILY, "taxonomy": taxonomy, "labels": list(labels)}
    folder.mkdir(parents=True, exist_ok=True)
    export_net(net, folder / GRAPH)
    save_byte_pairs(vocabulary, folder)
    write_card(folder, {**head, "shape": shape, "card": card})
    load_contextual_model.cache_clear()


def export_net(net: Student | Tagger, path: Path) -> None:
    """Write the graph of a network, with windows of any number and length."""
    given = {"slots": (2, 5, SLOTS), "lengths": (2, 5)} if isinstance(net, Student) else {"parts": (2, 5)}
    example = {name: torch.ones(size, dtype=torch.int64) for name, size in given.items()}
    axes = {name: {0: "windows", 1: "words"} for name in (*example, "scores")}
    full = path.with_suffix(".full.onnx")
    write_graph(net.cpu().float(), full, example, outputs=["scores"], axes=axes)
    quantise(full, path, by_column=True)
    full.unlink()


def restore_net(folder: Path, tags: int = 0, *, dropout: float = 0.1) -> Student | Tagger:
    """The network of a model folder; with `tags` it gets a new last layer of so many."""
    content = load_card(folder, family=FAMILY, format=FORMAT)
    shape: dict[str, Any] = content["shape"]
    known = 1 + 2 * len(content["labels"])
    net: Student | Tagger
    if shape["reads"] == "words":
        sizes = {name: shape[name] for name in ("parts", "layers", "width", "heads", "looks", "inner", "window")}
        net = Student(StudentShape(tags=tags or known, **sizes), dropout=dropout)
    else:
        sizes = {name: shape[name] for name in ("parts", "layers", "width", "heads", "window")}
        net = Tagger(Encoder(Shape(**sizes), dropout), tags or known)
    weights = read_weights(folder / GRAPH)
    if tags:
        weights = {name: weight for name, weight in weights.items() if not name.startswith("out.")}
    missing = net.load_state_dict(weights, strict=False).missing_keys
    forgotten = [name for name in missing if not name.startswith(("imitate.", "out." if tags else "imitate."))]
    if forgotten:
        raise UsageError(f"{folder / GRAPH}: the graph does not hold {', '.join(forgotten)}; export it again")
    return net


def read_weights(graph: Path) -> dict[str, Tensor]:
    """All weights of a graph by name, eight-bit ones as the numbers they stand for."""
    import onnx
    from onnx import numpy_helper

    held = {each.name.removeprefix("tagger."): numpy_helper.to_array(each) for each in onnx.load(graph).graph.initializer}
    found = {}
    for name, values in held.items():
        if name.endswith(_QUANTISED):
            plain = name.removesuffix(_QUANTISED)
            scale, zero = held[plain + _SCALE], held[plain + _ZERO]
            found[plain] = torch.from_numpy((values.astype(np.float32) - zero) * scale)
        elif not name.endswith((_SCALE, _ZERO)):
            found[name] = torch.from_numpy(values.copy())
    return found


def project_head(old: Matrix, new: Matrix, columns: list[list[int]]) -> None:
    """Begin a new last layer where the old one speaks of the same things: each tag as the mean of some old ones."""
    with torch.no_grad():
        for tag, mine in enumerate(columns):
            if mine:
                new.weight[:, tag] = old.weight[:, mine].mean(1)
                if new.bias is not None and old.bias is not None:
                    new.bias[tag] = old.bias[mine].mean()
