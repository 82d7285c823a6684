"""From torch to ONNX with eight-bit weights: what a student or a teacher is served as."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from innominate.detect.contextual.model import GRAPH
from innominate.detect.contextual.slots import SLOTS
from innominate.detect.contextual.training.student import Student
from innominate.detect.contextual.training.tagger import Tagger
from innominate.detect.neural.export import quantise, write_graph

FULL = "model.full.onnx"


class _Plain(nn.Module):
    """A tagger from 64-bit numbers, as ONNX Runtime is given them."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self.tagger = tagger

    def forward(self, parts: Tensor) -> Tensor:
        """Scores of tags."""
        scores: Tensor = self.tagger(parts)
        return scores


def export_student(student: Student, folder: Path) -> None:
    """Write the graph of a student."""
    example = {"slots": torch.ones(2, 5, SLOTS, dtype=torch.int64), "lengths": torch.ones(2, 5, dtype=torch.int64)}
    axes = {name: {0: "windows", 1: "words"} for name in (*example, "scores")}
    _write(student, folder, example, axes)


def export_teacher(teacher: Tagger, folder: Path) -> None:
    """Write the graph of a teacher."""
    example = {"parts": torch.ones(2, 5, dtype=torch.int64)}
    _write(_Plain(teacher), folder, example, {name: {0: "windows", 1: "parts"} for name in ("parts", "scores")})


def _write(net: nn.Module, folder: Path, example: dict[str, Tensor], axes: dict[str, dict[int, str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    full = folder / FULL
    write_graph(net.cpu().float(), full, example, outputs=["scores"], axes=axes)
    quantise(full, folder / GRAPH, by_column=True)
