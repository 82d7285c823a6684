"""Everything that a training needs to go on exactly where it stopped: tensors as safetensors, the rest as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from innominate.core import UsageError


@dataclass
class TrainingProgress:
    """How far a training is."""

    epoch: int = 0
    step: int = 0
    best: float = -1.0
    best_epoch: int = 0
    seconds: float = 0.0
    history: list[dict[str, float]] = field(default_factory=list)


def save(
    folder: Path,
    parts: dict[str, nn.Module],
    optimiser: torch.optim.Optimizer,
    rng: np.random.Generator,
    *,
    progress: TrainingProgress,
) -> None:
    """Write a checkpoint; the JSON file comes last, so that a half-written one is not taken for whole."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "progress.json").unlink(missing_ok=True)
    tensors = {f"{name}.{key}": value for name, part in parts.items() for key, value in part.state_dict().items()}
    state = optimiser.state_dict()
    for number, values in state["state"].items():
        tensors |= {f"optimiser.{number}.{key}": value for key, value in values.items() if isinstance(value, torch.Tensor)}
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    save_file(
        {key: value.detach().cpu().contiguous().clone() for key, value in tensors.items()}, folder / "checkpoint.safetensors"
    )
    content = {"progress": vars(progress), "numpy": rng.bit_generator.state}
    (folder / "progress.json").write_text(json.dumps(content), encoding="utf-8")


def resume(
    folder: Path, parts: dict[str, nn.Module], optimiser: torch.optim.Optimizer, rng: np.random.Generator
) -> TrainingProgress | None:
    """Take up a checkpoint, if there is a whole one."""
    try:
        content: dict[str, Any] = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    tensors = load_file(folder / "checkpoint.safetensors")
    for name, part in parts.items():
        own = {key.removeprefix(f"{name}."): value for key, value in tensors.items() if key.startswith(f"{name}.")}
        try:
            part.load_state_dict(own)
        except RuntimeError:  # torch lists the weights that do not fit
            raise UsageError(f"{folder} is of a training with other sizes or text; remove it, or write elsewhere") from None
    state = optimiser.state_dict()
    for key, value in tensors.items():
        if key.startswith("optimiser."):
            _, number, what = key.split(".")
            state["state"].setdefault(int(number), {})[what] = value
    optimiser.load_state_dict(state)
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    rng.bit_generator.state = content["numpy"]
    return TrainingProgress(**content["progress"])
