"""A network learns from teachers, one or several: on notes, and on plain text of which nobody has said what it holds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from innominate.detect.contextual.byte_pairs import BEGIN, PAD
from innominate.detect.contextual.training.lessons import NOTHING, Windows
from innominate.detect.contextual.training.nets import Student, Tagger, gather_words
from innominate.detect.contextual.training.tagger import group_weights, rate_at

BEGINS_WORD = 0x8000  # the bit of a numbered text that says that a word begins


@dataclass(frozen=True, slots=True)
class DistillingRecipe:
    """How a student learns."""

    steps: int = 4000
    seconds: float = math.inf
    windows: int = 192  # in a batch, as many of plain text as of notes
    rate: float = 2e-3
    decay: float = 0.02
    states: float = 1.0  # weight of the teacher's states
    heat: float = 2.0
    seed: int = 1


def distil(
    teachers: Sequence[Tagger],
    learner: Student | Tagger,
    notes: Sequence[Windows],
    texts: Mapping[str, NDArray[np.uint16]],
    recipe: DistillingRecipe,
    *,
    watch: Callable[[int, float, float], None] = lambda step, loss, share: None,
) -> None:
    """Teach a student, or a teacher that is to know what all of them know, in place."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(recipe.seed)
    for teacher in teachers:
        teacher.to(device).eval()
    learner.to(device).train()
    optimiser = torch.optim.AdamW(group_weights(learner, recipe.decay), recipe.rate, (0.9, 0.98), fused=device == "cuda")
    batches = draw_windows(notes, texts, teachers[0].encoder.shape.window, recipe, device)
    began = time.monotonic()
    share, losses = 0.0, []
    for step in range(recipe.steps):
        share = max(step / recipe.steps, (time.monotonic() - began) / recipe.seconds)
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * rate_at(share, 0.03)
        parts, begins = next(batches)
        loss = imitation_loss(teachers, learner, parts, begins, recipe)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.detach())
        if len(losses) == 50:
            watch(step + 1, float(torch.stack(losses).mean()), share)
            losses.clear()


def keep_words(learner: Student | Tagger, begins: Tensor) -> Tensor:
    """The words that the learner reads: a student has room for so many in a window."""
    return begins & (begins.long().cumsum(1) <= learner.shape.window) if isinstance(learner, Student) else begins


def imitation_loss(
    teachers: Sequence[Tagger], learner: Student | Tagger, parts: Tensor, begins: Tensor, recipe: DistillingRecipe
) -> Tensor:
    """How far the learner's scores are from what the teachers say on average, and its states from the first one's."""
    device, hot = parts.device.type, recipe.heat
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        with torch.no_grad():
            read = keep_words(learner, begins)
            states = [teacher.encoder(parts, parts != PAD)[read] for teacher in teachers]
            said = [(teacher.out(state).float() / hot).softmax(1) for teacher, state in zip(teachers, states, strict=True)]
        scores, likeness = imitate_words(learner, parts, begins)
    wanted = torch.stack(said).mean(0)
    apart = functional.kl_div((scores.float() / hot).log_softmax(1), wanted, reduction="none").sum(1)
    loss = hot * hot * apart.mean()
    if likeness is not None:
        seen = functional.layer_norm(states[0].float(), states[0].shape[-1:])
        loss = loss + recipe.states * (likeness.float() - seen).square().mean()
    return loss


def imitate_words(learner: Student | Tagger, parts: Tensor, begins: Tensor) -> tuple[Tensor, Tensor | None]:
    """Scores of all words, and what a student makes of its teacher's states there; those are not for a teacher to imitate."""
    if isinstance(learner, Tagger):
        return learner.score_words(parts, begins), None
    slots, lengths, _ = gather_words(parts, begins, learner.shape.window)
    read = learner.read(slots, lengths)[lengths > 0]
    return learner.out(read), learner.imitate(read)


def draw_windows(
    notes: Sequence[Windows], texts: Mapping[str, NDArray[np.uint16]], size: int, recipe: DistillingRecipe, device: str
) -> Iterator[tuple[Tensor, Tensor]]:
    """Windows of notes, with as many of plain text if there is any; parts, and where words begin."""
    rng = np.random.default_rng(recipe.seed)
    streams = list(texts.values())
    mine = recipe.windows // 2 if streams else recipe.windows
    while True:
        for epoch in notes:
            order = rng.permutation(len(epoch.parts))
            for begin in range(0, len(order) - mine + 1, mine):
                rows = order[begin : begin + mine]
                parts, begins = [epoch.parts[rows].astype(np.int32)], [epoch.choices[rows] != NOTHING]
                for stream in (streams[number] for number in rng.integers(0, len(streams), recipe.windows - mine)):
                    at = int(rng.integers(0, len(stream) - size))
                    window = stream[at : at + size]
                    parts.append((window & (BEGINS_WORD - 1)).astype(np.int32)[None])
                    begins.append((window & BEGINS_WORD).astype(bool)[None])
                    parts[-1][0, 0] = BEGIN
                    begins[-1][0, 0] = False
                yield (
                    torch.from_numpy(np.concatenate(parts)).to(device, non_blocking=True),
                    torch.from_numpy(np.concatenate(begins)).to(device, non_blocking=True),
                )
