"""Teaching character language models, and reading notes with them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch

from innominate.detect.neural.nets.language_model import LanguageModel, states
from innominate.detect.neural.training.lessons import Lesson

UNKNOWN = 0  # number of characters that are not known


def alphabet(texts: Iterable[str], seen: int = 3) -> dict[str, int]:
    """Number the characters that are seen often enough."""
    counts = Counter(letter for text in texts for letter in text)
    return {letter: number for number, letter in enumerate(sorted(letter for letter, n in counts.items() if n >= seen), 1)}


def numbers(text: str, known: dict[str, int]) -> np.ndarray:
    """A text between two line breaks, as numbers."""
    return np.fromiter((known.get(letter, UNKNOWN) for letter in f"\n{text}\n"), np.int64)


def teach(
    model: LanguageModel,
    texts: Sequence[np.ndarray],
    *,
    seed: int,
    epochs: int,
    batch: int = 100,
    length: int = 250,
    rate: float = 0.002,
    device: str = "cpu",
    watch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> LanguageModel:
    """Read all texts as one stream, cut into `batch` parts that are read side by side, the state carried over."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    model.to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), rate, weight_decay=1e-4)
    total = sum(map(len, texts)) // batch
    steps = epochs * math.ceil(total / length)
    step = 0
    for number in range(epochs):
        order = rng.permutation(len(texts))
        stream = torch.from_numpy(np.concatenate([texts[index] for index in order])[: total * batch].reshape(batch, total))
        state, losses = None, []
        for begin in range(0, total - 1, length):
            for group in optimiser.param_groups:
                group["lr"] = rate * 0.5 * (1 + math.cos(math.pi * step / steps))
            part = stream[:, begin : begin + length + 1].to(device)
            optimiser.zero_grad(set_to_none=True)
            with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                loss, state = model.loss(part, state)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            optimiser.step()
            losses.append(loss.detach())
            step += 1
        watch(number + 1, float(torch.stack(losses).mean()))
    return model.eval()


@torch.no_grad()
def with_states(lesson: Lesson, text: np.ndarray, forward: LanguageModel, backward: LanguageModel, device: str) -> Lesson:
    """Add what two language models make of each piece."""
    places = torch.tensor(lesson.places, dtype=torch.int64).reshape(-1, 2)
    found = states(forward, backward, torch.from_numpy(text).to(device), places.to(device))
    return Lesson(lesson.id, lesson.places, lesson.encoded, lesson.tags, lesson.entities, found.half().cpu().numpy())
