"""Before it learns to tag, an encoder may learn from text alone: it guesses words that are hidden from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch

from innominate.detect.neural.nets.encoder import Encoder
from innominate.detect.neural.settings import Settings
from innominate.detect.neural.training.lessons import Lesson, epoch
from innominate.detect.neural.training.loop import tensors

_WARM = 5  # epochs in which the rate grows


def pretrain(
    net: Encoder,
    lessons: Sequence[Lesson],
    settings: Settings,
    epochs: int,
    *,
    device: str = "cpu",
    watch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> None:
    """Teach a network in place."""
    net.to(device).train()
    recipe = settings.recipe
    rng = np.random.default_rng(recipe.seed)
    optimiser = torch.optim.AdamW(net.parameters(), recipe.rate, weight_decay=0.01)
    for number in range(epochs):
        losses = []
        rate = recipe.rate * min(1.0, (number + 0.5) / _WARM) * 0.5 * (1 + math.cos(math.pi * number / epochs))
        for group in optimiser.param_groups:
            group["lr"] = rate
        for batch in epoch(lessons, settings.network.window, recipe.batch, rng):
            optimiser.zero_grad(set_to_none=True)
            with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                loss = net.masked_loss(tensors(batch, device))
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(net.parameters(), recipe.clip)
            optimiser.step()
            losses.append(loss.detach())
        watch(number + 1, float(torch.stack(losses).mean()))
