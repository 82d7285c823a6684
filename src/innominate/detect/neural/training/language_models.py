"""What trainings of language models share: text as a stream, steps at a falling rate, cards, and reading with torch."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import innominate
from innominate.detect.models.cards import CARD
from innominate.detect.neural.training.steps import TrainingError

WEIGHTS = "weights.safetensors"


class LmSteps:
    """Teaches a network a text of so many characters or pieces; the rate falls along a cosine."""

    def __init__(self, net: nn.Module, recipe: Any, size: int, device: str) -> None:
        self.net, self.recipe, self.device = net.to(device).train(), recipe, device
        self.optimiser = torch.optim.AdamW(net.parameters(), recipe.rate, weight_decay=1e-4)
        self.batch = max(1, min(recipe.batch, size // (recipe.length + 1)))  # a small text has fewer parts
        self.total = recipe.epochs * max(1, size // (self.batch * recipe.length))

    def precision(self) -> AbstractContextManager[Any]:
        """In which losses are computed."""
        return torch.autocast("cuda", torch.bfloat16, enabled=self.device == "cuda")

    def learn(self, loss: Tensor, step: int) -> Tensor:
        """Make a loss, or the mean of several, smaller; return it."""
        self.optimiser.zero_grad(set_to_none=True)
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, step / self.total)))
        loss.mean().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.clip)
        self.optimiser.step()
        return loss.detach()

    def mean(self, losses: Sequence[Tensor]) -> Tensor:
        """The mean of an epoch, if it is a number."""
        mean = torch.stack(list(losses)).mean(0)
        if not mean.isfinite().all():
            raise TrainingError(f"the loss is no number any more; learn more slowly: --set rate={self.recipe.rate / 4:g}")
        return mean


def parts_side_by_side(
    texts: Sequence[NDArray[np.integer[Any]]], batch: int, length: int, rng: np.random.Generator
) -> Iterator[Tensor]:
    """All texts in a new order as one stream, cut into `batch` parts that are read side by side."""
    stream = np.concatenate([texts[index] for index in rng.permutation(len(texts))])
    columns = len(stream) // batch
    rows = torch.from_numpy(stream[: columns * batch].reshape(batch, columns))
    for begin in range(0, columns - 1, length):
        yield rows[:, begin : begin + length + 1]


def best_device() -> str:
    """Where it is quickest to learn."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def describe_language_model(
    recipe: Any, losses: dict[str, float], *, before: Path | None, began: float, **counts: int
) -> dict[str, Any]:
    """The table `card` of a language model."""
    return {
        "innominate": innominate.__version__,
        **counts,
        "continues": before.name if before else "",
        **{f"loss_{way}": round(loss, 4) for way, loss in losses.items()},
        "seconds": round(time.monotonic() - began),
        "trained": time.strftime("%Y-%m-%d"),
        **asdict(recipe),
    }


def run_with_torch(net: nn.Module, device: str) -> Callable[..., Any]:
    """A network as readers want it, from arrays to arrays, as if it was served."""
    net = net.to(device).eval()

    @torch.no_grad()
    def run(*given: NDArray[Any]) -> Any:
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
            found = net(*(torch.from_numpy(np.ascontiguousarray(each)).to(device) for each in given))
        several = tuple(each.float().cpu().numpy() for each in (found if isinstance(found, tuple) else (found,)))
        return several if isinstance(found, tuple) else several[0]

    return run


def copy_served(folder: Path, to: Path) -> None:
    """Put what is served of language models into a folder of the model that reads through them."""
    shutil.rmtree(to, ignore_errors=True)  # eight-bit graphs of others would be served instead
    to.mkdir(parents=True)
    for path in folder.iterdir():
        if path.name in {CARD, "vocabulary.json"} or path.suffix == ".onnx":
            shutil.copyfile(path, to / path.name)
