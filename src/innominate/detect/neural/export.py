"""From torch to ONNX: one graph from numbers to emissions, and the same with eight-bit weights where they cost nothing."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

INPUTS = ("words", "chars", "shapes", "lengths")


class _Graph(nn.Module):
    """The part of a network that is served: emissions from four arrays."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, words: Tensor, chars: Tensor, shapes: Tensor, lengths: Tensor) -> Tensor:
        """Return emissions."""
        emissions: Tensor = self.net(words, chars, shapes, lengths)
        return emissions


def export(net: nn.Module, path: Path, example: dict[str, Tensor]) -> None:
    """Write the graph, with windows and pieces of any number."""
    net = net.cpu().eval()
    axes = {name: {0: "windows", 1: "pieces"} for name in (*INPUTS[:3], "emissions")} | {"lengths": {0: "windows"}}
    with warnings.catch_warnings():
        # The older exporter writes the ONNX LSTM with lengths; the newer one unrolls it. It says so in many warnings.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Graph(net).eval(),  # or the exporter would put the network back into training
            tuple(example[name] for name in INPUTS),
            str(path),
            input_names=list(INPUTS),
            output_names=["emissions"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )


def quantise(path: Path, to: Path) -> None:
    """Write the same graph with eight-bit weights."""
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]

    quantize_dynamic(path, to, weight_type=QuantType.QInt8, op_types_to_quantize=["LSTM", "MatMul"])


def example_of(windows: int = 2, pieces: int = 7, letters: int = 16) -> dict[str, Tensor]:
    """Numbers of the right shapes, for tracing."""
    rng = np.random.default_rng(0)
    return {
        "words": torch.from_numpy(rng.integers(1, 3, (windows, pieces))),
        "chars": torch.from_numpy(rng.integers(1, 3, (windows, pieces, letters))),
        "shapes": torch.from_numpy(rng.integers(1, 3, (windows, pieces))),
        "lengths": torch.tensor([pieces, *[pieces - 2] * (windows - 1)]),
    }
