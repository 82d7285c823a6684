"""A network learns to tag: each word gets the likeliest of the tags that its corpus allows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from innominate.detect.contextual.byte_pairs import BEGIN, HIDDEN, PAD
from innominate.detect.contextual.training.lessons import NOTHING, Windows
from innominate.detect.contextual.training.nets import Student, Tagger

_IMPOSSIBLE = -1e4


@dataclass(frozen=True, slots=True)
class TaggingRecipe:
    """How a tagger learns."""

    rate: float = 3e-4
    decay: float = 0.05
    parts: int = 24_000  # in a batch
    warm: float = 0.06
    hidden: float = 0.0  # share of the parts that are hidden in every second window, so that neighbours tell what a word is
    seed: int = 1


def train_tagger(
    tagger: Student | Tagger,
    epochs: Sequence[Windows],
    allowed: NDArray[np.bool_],
    recipe: TaggingRecipe,
    *,
    watch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> None:
    """Teach a tagger in place; each epoch brings its own windows, exchanged and roughened anew."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    tagger.to(device).train()
    optimiser = torch.optim.AdamW(group_weights(tagger, recipe.decay), recipe.rate, (0.9, 0.98), fused=device == "cuda")
    table = torch.from_numpy(np.where(allowed, 0.0, _IMPOSSIBLE).astype(np.float32)).to(device)
    total = sum(count_batches(windows, recipe.parts) for windows in epochs)
    step = 0
    for number, windows in enumerate(epochs, start=1):
        losses = []
        for rows in shuffle_rows(windows, recipe.parts, rng):
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate * rate_at(step / total, recipe.warm)
            parts, choices, weights = send_rows(windows, rows, device)
            with torch.autocast(device, torch.bfloat16, enabled=is_quick_in_half(device)):
                scores = tagger.score_words(hide_parts(parts, recipe.hidden), choices != NOTHING)
            loss = choice_loss(scores, choices, weights, table)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.detach())
            step += 1
        watch(number, float(torch.stack(losses).mean()))


def is_quick_in_half(device: str) -> bool:
    """Whether 16-bit products are quicker than 32-bit ones: on GPUs, and on processors that have instructions for them."""
    return device == "cuda" or bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def hide_parts(parts: Tensor, share: float) -> Tensor:
    """Hide a share of the parts in every second window, about."""
    if not share:
        return parts
    windows = torch.rand(len(parts), 1, device=parts.device) < 0.5
    chosen = windows & (torch.rand(parts.shape, device=parts.device) < share) & (parts != PAD) & (parts != BEGIN)
    return parts.masked_fill(chosen, HIDDEN)


def send_rows(windows: Windows, rows: NDArray[np.int64], device: str) -> tuple[Tensor, Tensor, Tensor]:
    """Parts, choices and weights of some windows on the device, as long as the longest of them."""
    longest = int((windows.parts[rows] != PAD).sum(1).max())
    return (
        torch.from_numpy(windows.parts[rows, :longest].astype(np.int32)).to(device, non_blocking=True),
        torch.from_numpy(windows.choices[rows, :longest].astype(np.int64)).to(device, non_blocking=True),
        torch.from_numpy(windows.weights[rows]).to(device, non_blocking=True),
    )


def choice_loss(scores: Tensor, choices: Tensor, weights: Tensor, table: Tensor) -> Tensor:
    """Minus the logarithm of what the allowed tags of each word are given together."""
    there = choices != NOTHING
    chosen = scores.float()
    allowed = chosen + table[choices[there]]
    losses = chosen.logsumexp(1) - allowed.logsumexp(1)
    weights = weights.unsqueeze(1).expand_as(choices)[there]
    return (losses * weights).sum() / weights.sum()


def shuffle_rows(windows: Windows, parts: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Windows of like length together, as many as have so many parts; the groups in random order."""
    lengths = (windows.parts != PAD).sum(1)
    order = np.argsort(lengths + rng.uniform(0, 40, len(lengths)))
    groups = cut_groups(lengths[order], parts)
    for number in rng.permutation(len(groups)):
        yield order[groups[number][0] : groups[number][1]]


def cut_groups(lengths: NDArray[np.int64], parts: int) -> list[tuple[int, int]]:
    """Ranges of rows, lengths rising, each with about so many parts once padded."""
    groups, begin = [], 0
    longest = 1
    for end, length in enumerate(lengths):
        longest = max(longest, int(length))
        if (end + 1 - begin) * longest > parts and end > begin:
            groups.append((begin, end))
            begin, longest = end, int(length)
    return [*groups, (begin, len(lengths))]


def count_batches(windows: Windows, parts: int) -> int:
    """How many batches an epoch has, about."""
    return len(cut_groups(np.sort((windows.parts != PAD).sum(1)), parts))


def group_weights(net: nn.Module, decay: float) -> list[dict[str, object]]:
    """Matrices decay, vectors do not."""
    matrices = [weight for weight in net.parameters() if weight.dim() >= 2]
    vectors = [weight for weight in net.parameters() if weight.dim() < 2]
    return [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]


def rate_at(share: float, warm: float) -> float:
    """Of the highest rate: up, then along a cosine to nothing."""
    share = min(share, 1.0)
    return share / warm if share < warm else 0.5 * (1 + math.cos(math.pi * (share - warm) / (1 - warm)))
