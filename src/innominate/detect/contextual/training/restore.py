"""A served model made ready to learn again: its eight-bit weights, read from the graph by their names."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from innominate.core import UsageError
from innominate.detect.contextual.model import CARD, GRAPH
from innominate.detect.contextual.training.encoder import Encoder, Matrix, Shape
from innominate.detect.contextual.training.student import Student, StudentShape
from innominate.detect.contextual.training.tagger import Tagger

_QUANTISED, _SCALE, _ZERO = "_quantized", "_scale", "_zero_point"


def restore_net(folder: Path, tags: int = 0, *, dropout: float = 0.1) -> Student | Tagger:
    """The network of a model folder; with `tags` it gets a new last layer of so many."""
    content = tomllib.loads((folder / CARD).read_text(encoding="utf-8"))
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
