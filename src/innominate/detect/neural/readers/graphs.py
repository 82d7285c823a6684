"""Graphs of ONNX, as functions from arrays to arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from innominate.core import UsageError

Run = Callable[..., Any]  # a model, from its arrays in order to what it gives: a graph, or the network itself while it learns
Opener = Callable[[Path], Run]


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
