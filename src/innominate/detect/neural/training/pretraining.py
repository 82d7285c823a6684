"""Before it learns to tag, an encoder may learn from text alone: it guesses words that are hidden from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from innominate.detect.neural.nets.encoder import EncoderTagger
from innominate.detect.neural.settings import NeuralSettings
from innominate.detect.neural.training.lessons import NoteLesson, epoch
from innominate.detect.neural.training.steps import CapturedSteps, Steps, send_to_device

_WARM = 0.05  # share of the epochs in which the rate grows
_DECAY = 0.01


def pretrain(
    net: EncoderTagger,
    lessons: Sequence[NoteLesson],
    settings: NeuralSettings,
    epochs: int,
    *,
    device: str = "cpu",
    watch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> None:
    """Teach a network in place."""
    net.to(device).train()
    recipe, on_gpu = settings.recipe, device == "cuda"
    rng = np.random.default_rng(recipe.seed)
    rate: Any = torch.tensor(recipe.rate, device=device) if on_gpu else recipe.rate
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=_DECAY, capturable=on_gpu)
    learn = (CapturedSteps if on_gpu else Steps)(net, optimiser, net.masked_loss, recipe.clip, device=device)
    for number in range(epochs):
        losses = []
        learn.set_rate(recipe.rate * _share(number / epochs))
        for batch in epoch(lessons, settings.network.window, recipe.batch, rng, even=on_gpu):
            losses.append(learn(send_to_device(batch, device)))
        watch(number + 1, float(torch.stack(losses).mean()))


def _share(done: float) -> float:
    """Of the highest rate: it grows at first, then falls along a cosine."""
    return min(1.0, done / _WARM + 0.2) * 0.5 * (1 + math.cos(math.pi * done))
