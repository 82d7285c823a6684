"""One step of learning, plain or captured: on a GPU the thousand small kernels of a step are recorded once and replayed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor, nn

from innominate.core import InnominateError
from innominate.detect.neural.training.lessons import Arrays

WEIGHTS = "weights.safetensors"  # of a network that has learnt, in its folder
Batch = dict[str, Tensor]
Loss = Callable[[Batch], Tensor]


class TrainingError(InnominateError):
    """A training that cannot go on, with advice."""


class Steps:
    """Makes one loss smaller, a batch at a time."""

    def __init__(self, net: nn.Module, optimiser: torch.optim.Optimizer, loss: Loss, clip: float, *, device: str) -> None:
        self.net, self.optimiser, self.loss, self.clip, self.device = net, optimiser, loss, clip, device

    def __call__(self, batch: Batch) -> Tensor:
        """Learn from a batch; return the loss."""
        try:
            return self._learn(batch)
        except torch.OutOfMemoryError:
            size = len(batch["words"])
            raise TrainingError(
                f"not enough memory for a batch of {size} windows; halve it: --set batch={max(1, size // 2)}"
            ) from None

    def set_rate(self, rate: float) -> None:
        """Change how fast it learns."""
        for group in self.optimiser.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def _learn(self, batch: Batch) -> Tensor:
        self.optimiser.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device == "cuda", cache_enabled=False):
            loss = self.loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)
        self.optimiser.step()
        return loss.detach()


class CapturedSteps(Steps):
    """The same on a GPU, for batches that all have one shape: launching kernels costs more than running them."""

    graph: Any = None

    def _learn(self, batch: Batch) -> Tensor:
        if self.graph is None:
            self._capture(batch)
        for name, values in self.static.items():
            values.copy_(batch[name], non_blocking=True)
        self.graph.replay()
        return self.result.detach().clone()

    def _capture(self, batch: Batch) -> None:
        self.static = {name: values.to(self.device).clone() for name, values in batch.items()}
        saved = {name: value.detach().clone() for name, value in self.net.state_dict().items()}
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # libraries choose their kernels before the recording
            for _ in range(3):
                super()._learn(self.static)
        torch.cuda.current_stream().wait_stream(side)
        self.optimiser.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        # On a stream of its own: matrix products keep their scratch memory by stream, and jobs may run side by side.
        with torch.cuda.graph(self.graph, stream=side):
            self.result = super()._learn(self.static)
        self._forget(saved)

    def _forget(self, saved: dict[str, Tensor]) -> None:
        """Undo what the steps before the recording taught."""
        with torch.no_grad():
            for name, value in self.net.state_dict().items():
                value.copy_(saved[name])
            for state in self.optimiser.state.values():
                for value in state.values():
                    if isinstance(value, Tensor):
                        value.zero_()


def write_weights(net: nn.Module, folder: Path) -> None:
    """Write what a network has learnt, to learn on from."""
    save_file({name: value.detach().cpu().contiguous() for name, value in net.state_dict().items()}, folder / WEIGHTS)


def best_device() -> str:
    """Where it is quickest to learn."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def send_to_device(batch: Arrays, device: str) -> Batch:
    """Send a batch to the device."""
    return {name: torch.from_numpy(values).to(device, non_blocking=True) for name, values in batch.items()}


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
