"""Graphs of ONNX as functions from arrays to arrays, and reading long texts with them step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import UsageError
from innominate.detect.neural.windows import stack_rows

WAYS = ("ahead", "behind")  # the directions of a language model
EDGE = "\n"  # stands before and after a text

Run = Callable[..., Any]  # a model, from its arrays in order to what it gives: a graph, or the network itself while it learns
Opener = Callable[[Path], Run]
States = NDArray[np.float32]


def open_session(graph: Path, threads: int = 1, device: str = "cpu") -> Any:
    """A session of ONNX Runtime; where a graph has eight-bit weights beside it, of these."""
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError("neural models need ONNX Runtime: pip install onnxruntime") from None

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    providers = ["CUDAExecutionProvider"] if device == "cuda" else []
    if not set(providers) <= set(onnxruntime.get_available_providers()):
        raise UsageError("--device cuda needs the package onnxruntime-gpu and a GPU that it can use")
    small = graph.with_suffix(".int8.onnx")
    served = small if small.exists() else graph
    return onnxruntime.InferenceSession(str(served), options, [*providers, "CPUExecutionProvider"])


def as_function(session: Any) -> Run:
    """A session that is called with its arrays in order; one that gives several things gives them as a list."""
    names = [given.name for given in session.get_inputs()]

    def run(*given: Any) -> Any:
        found = session.run(None, dict(zip(names, given, strict=True)))
        return found if len(found) > 1 else found[0]

    return run


def walk_texts(
    run: Run, texts: Sequence[NDArray[Any]], wanted: Sequence[NDArray[np.int64]], sizes: tuple[int, int, int], *, step: int
) -> list[States]:
    """What a model says at the wanted places of some texts, which are read side by side, one `step` after the other.

    `sizes` are the layers and the width of its memory, which is carried over, so that a text may have any length, and how
    many numbers it says. A text that has ended is not read on.
    """
    layers, hidden, size = sizes
    found = [np.zeros((len(each), size), np.float32) for each in wanted]
    order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
    carried = [np.zeros((layers, len(texts), hidden), np.float32) for _ in "hc"]
    for begin in range(0, len(texts[order[0]]), step):
        order = [index for index in order if len(texts[index]) > begin]
        given = stack_rows([texts[index][begin : begin + step] for index in order])
        said, *carried = run(given, *(each[:, : len(order)] for each in carried))
        for row, index in enumerate(order):
            here = np.flatnonzero((wanted[index] >= begin) & (wanted[index] < begin + step))
            found[index][here] = said[row, wanted[index][here] - begin]
    return found
