"""From torch to ONNX: one graph from numbers to emissions, and the same with eight-bit weights where they cost nothing."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from innominate.detect.neural.readers.graphs import WAYS
from innominate.detect.neural.readers.words import SPELLING
from innominate.detect.neural.vocabulary import LETTERS

LETTERS_GRAPH = "letters.onnx"


class _Graph(nn.Module):
    """The part of a network that is served, from arrays with these names: words, spelt, shapes, lengths and more."""

    def __init__(self, net: nn.Module, names: Sequence[str]) -> None:
        super().__init__()
        self.net, self.names = net, names

    def forward(self, *given: Tensor) -> Tensor:
        """Return emissions."""
        emissions: Tensor = self.net(dict(zip(self.names, given, strict=True)))
        return emissions


class LettersGraph(nn.Module):
    """The part that reads the characters of pieces, pieces one after the other."""

    def __init__(self, letters: nn.Module) -> None:
        super().__init__()
        self.letters = letters

    def forward(self, chars: Tensor) -> Tensor:
        """Return a vector for each piece."""
        read: Tensor = self.letters(chars.unsqueeze(0))[0]
        return read


def export(net: Any, path: Path, example: dict[str, Tensor]) -> None:
    """Write the graph, with windows and pieces of any number.

    What reads characters is a graph of its own beside it: most pieces of a text stand there many times, and are read once.
    """
    letters = net.cpu().inputs.letters
    given = {name: values for name, values in example.items() if name != "chars"}
    if letters is not None:
        one = {"chars": example["chars"][0]}
        axes = {"chars": {0: "pieces"}, "spelt": {0: "pieces"}}
        write_graph(LettersGraph(letters), path.with_name(LETTERS_GRAPH), one, outputs=["spelt"], axes=axes)
    spelt = torch.zeros(*given["words"].shape, letters.size if letters is not None else 1)
    given = {"words": given.pop("words"), "spelt": spelt, **given}
    axes = {name: {0: "windows", 1: "pieces"} for name in (*given, "emissions")} | {"lengths": {0: "windows"}}
    write_graph(_Graph(net, tuple(given)), path, given, outputs=["emissions"], axes=axes)


def export_language_model(net: Any, path: Path) -> None:
    """Write the graph of one direction of a character language model, for any number of texts and characters."""
    h, c = net.cpu().blank(2)
    example = {"chars": torch.ones((2, 5), dtype=torch.int64), "h": h, "c": c}
    _write_stateful(net, path, example, "states")


def _write_stateful(net: nn.Module, path: Path, example: dict[str, Tensor], says: str) -> None:
    axes = {name: {0: "texts", 1: "pieces"} for name in (next(iter(example)), says)}
    axes |= {name: {1: "texts"} for name in ("h", "c", "after_h", "after_c")}
    write_graph(net, path, example, outputs=[says, "after_h", "after_c"], axes=axes)


def export_word_language_model(net: Any, folder: Path) -> None:
    """Write the three graphs of a word-level language model: spelling, and one in each direction."""
    axes = {"chars": {0: "pieces"}, "vectors": {0: "pieces"}}
    chars = {"chars": torch.ones((3, LETTERS), dtype=torch.int64)}
    write_graph(LettersGraph(net.spelling), folder / f"{SPELLING}.onnx", chars, outputs=["vectors"], axes=axes)
    h, c = net.blank(2)
    example = {"vectors": torch.zeros(2, 5, net.shape.projection), "h": h, "c": c}
    for way in WAYS:
        _write_stateful(net.ways[way], folder / f"{way}.onnx", example, "layers")


def export_encoder(net: nn.Module, path: Path) -> None:
    """Write the graph of a borrowed encoder, for any number of windows and word pieces."""
    axes = {name: {0: "windows", 1: "pieces"} for name in ("numbers", "layers")}
    write_graph(net, path, {"numbers": torch.ones((2, 5), dtype=torch.int64)}, outputs=["layers"], axes=axes)


def write_graph(
    graph: nn.Module, path: Path, example: dict[str, Tensor], *, outputs: list[str], axes: dict[str, dict[int, str]]
) -> None:
    """Write one graph; `axes` names those that may have any length."""
    with warnings.catch_warnings():
        # The older exporter writes the ONNX LSTM with lengths; the newer one unrolls it. It says so in many warnings.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            graph.eval(),  # or the exporter would put the network back into training
            tuple(example.values()),
            str(path),
            input_names=list(example),
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )


def quantise(path: Path, to: Path, *, by_column: bool = False) -> None:
    """Write the same graph with eight-bit weights, of one scale in each matrix, or `by_column`.

    An encoder needs the second: with one scale its layers correlate at 0.95 with what they were, by column at 0.99. Seven of
    the eight bits are used then, because processors without VNNI cut off sums of all eight.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]

    how = {"per_channel": by_column, "reduce_range": by_column}
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)  # its advice on preparing graphs is not for users
    try:
        quantize_dynamic(path, to, weight_type=QuantType.QInt8, op_types_to_quantize=["LSTM", "MatMul", "Gather"], **how)
    finally:
        logging.disable(before)


def example_of(windows: int = 2, pieces: int = 7, letters: int = 16, **more: int) -> dict[str, Tensor]:
    """Numbers of the right shapes, for tracing; `more` are how many language models say of a piece: `states`, `layers`."""
    rng = np.random.default_rng(0)
    read = {name: torch.zeros(windows, pieces, size) for name, size in more.items() if size}
    return {
        "words": torch.from_numpy(rng.integers(1, 3, (windows, pieces))),
        "chars": torch.from_numpy(rng.integers(1, 3, (windows, pieces, letters))),
        "shapes": torch.from_numpy(rng.integers(1, 3, (windows, pieces))),
        "lengths": torch.tensor([pieces, *[pieces - 2] * (windows - 1)]),
        "parts": torch.from_numpy(rng.integers(1, 3, (windows, pieces))),
        **read,
    }
