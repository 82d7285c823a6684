"""Teaching the two character language models, and reading notes with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from innominate.core import Document
from innominate.detect.neural.nets.language_model import LanguageModel
from innominate.detect.neural.readers.alphabet import Alphabet
from innominate.detect.neural.training.lessons import Lesson
from innominate.detect.neural.training.steps import TrainingError

_CHARACTERS = 400_000  # read side by side; bounds the memory


@dataclass(frozen=True)
class LmRecipe:
    """How a language model learns; the sizes are those of Akbik 2018, made smaller where it costs little."""

    hidden: int = 1024
    letter: int = 100
    dropout: float = 0.1
    epochs: int = 10
    batch: int = 100  # parts of the text read side by side
    length: int = 250  # characters between two steps
    rate: float = 0.002
    clip: float = 0.25
    seed: int = 1


@dataclass(frozen=True)
class LanguageModels:
    """One that reads ahead, one that reads backwards, and what they know as characters."""

    alphabet: Alphabet
    ahead: LanguageModel
    behind: LanguageModel

    @property
    def size(self) -> int:
        """Numbers that both say of a piece."""
        return self.ahead.lstm.hidden_size + self.behind.lstm.hidden_size


Watch = Callable[[int, float], None]


def new_models(alphabet: Alphabet, recipe: LmRecipe) -> LanguageModels:
    """Two models that know nothing."""
    torch.manual_seed(recipe.seed)
    ahead, behind = (
        LanguageModel(len(alphabet), letter=recipe.letter, hidden=recipe.hidden, dropout=recipe.dropout) for _ in "ab"
    )
    return LanguageModels(alphabet, ahead, behind)


def teach(
    model: LanguageModel,
    texts: Sequence[NDArray[np.int64]],
    recipe: LmRecipe,
    *,
    device: str = "cpu",
    watch: Watch = lambda epoch, loss: None,
) -> LanguageModel:
    """Let one model guess each next character of all texts, in `epochs` rounds."""
    rng = np.random.default_rng(recipe.seed)
    model.to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), recipe.rate, weight_decay=1e-4)
    batch = max(1, min(recipe.batch, sum(map(len, texts)) // (recipe.length + 1)))  # a small text has fewer parts
    total = recipe.epochs * max(1, sum(map(len, texts)) // (batch * recipe.length))
    step = 0
    for number in range(recipe.epochs):
        state, losses = None, []
        for part in side_by_side(texts, batch, recipe.length, rng):
            rate = recipe.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, step / total)))
            for group in optimiser.param_groups:
                group["lr"] = rate
            loss, state = _step(model, optimiser, part.to(device), state, clip=recipe.clip, device=device)
            losses.append(loss)
            step += 1
        mean = float(torch.stack(losses).mean())
        if not math.isfinite(mean):
            raise TrainingError(f"the loss is no number any more; learn more slowly: --set rate={recipe.rate / 4:g}")
        watch(number + 1, mean)
    return model.eval()


def side_by_side(
    texts: Sequence[NDArray[np.integer[Any]]], batch: int, length: int, rng: np.random.Generator
) -> Iterator[Tensor]:
    """All texts in a new order as one stream, cut into `batch` parts that are read side by side."""
    stream = np.concatenate([texts[index] for index in rng.permutation(len(texts))])
    columns = len(stream) // batch
    rows = torch.from_numpy(stream[: columns * batch].reshape(batch, columns))
    for begin in range(0, columns - 1, length):
        yield rows[:, begin : begin + length + 1]


def _step(
    model: LanguageModel, optimiser: torch.optim.Optimizer, part: Tensor, state: Any, *, clip: float, device: str
) -> tuple[Tensor, Any]:
    optimiser.zero_grad(set_to_none=True)
    with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
        loss, state = model.loss(part, state)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimiser.step()
    return loss.detach(), state


def teach_both(
    models: LanguageModels,
    documents: Sequence[Document],
    recipe: LmRecipe,
    *,
    device: str = "cpu",
    watch: Callable[[str, int, float], None] = lambda way, epoch, loss: None,
) -> None:
    """Teach the two models the same notes, one of them backwards."""
    texts = [models.alphabet.encode(document.text) for document in documents]
    teach(models.ahead, texts, recipe, device=device, watch=lambda epoch, loss: watch("ahead", epoch, loss))
    turned = [text[::-1].copy() for text in texts]
    teach(models.behind, turned, recipe, device=device, watch=lambda epoch, loss: watch("behind", epoch, loss))


def with_states(lessons: Sequence[Lesson], documents: Sequence[Document], models: LanguageModels, device: str) -> list[Lesson]:
    """Add to every note what the two language models make of each piece."""
    order = sorted(range(len(lessons)), key=lambda index: len(documents[index].text))
    found: dict[int, Lesson] = {}
    models.ahead.to(device).eval()
    models.behind.to(device).eval()
    while order:
        some = _together(order, documents)
        del order[: len(some)]
        texts = [models.alphabet.encode(documents[index].text) for index in some]
        for index, states in zip(some, _states(texts, [lessons[index] for index in some], models, device), strict=True):
            found[index] = replace(lessons[index], states=states)
    return [found[index] for index in range(len(lessons))]


def _together(order: Sequence[int], documents: Sequence[Document]) -> list[int]:
    """The next notes, as many as fit into memory side by side (the last one is the longest)."""
    some: list[int] = []
    for index in order:
        if some and (len(some) + 1) * len(documents[index].text) > _CHARACTERS:
            break
        some.append(index)
    return some


@torch.no_grad()
def _states(
    texts: Sequence[NDArray[np.int64]], lessons: Sequence[Lesson], models: LanguageModels, device: str
) -> Iterator[NDArray[np.float16]]:
    """For each piece, the forward state after its last character and the backward state before its first."""
    longest = max(map(len, texts))
    chars = np.zeros((2, len(texts), longest), np.int64)
    for row, text in enumerate(texts):
        chars[0, row, : len(text)] = text
        chars[1, row, : len(text)] = text[::-1]
    with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
        ahead, _ = models.ahead(torch.from_numpy(chars[0]).to(device))
        behind, _ = models.behind(torch.from_numpy(chars[1]).to(device))
    for row, (text, lesson) in enumerate(zip(texts, lessons, strict=True)):
        places = torch.tensor(lesson.places, dtype=torch.int64).reshape(-1, 2).to(device)
        read = torch.cat([ahead[row, places[:, 1] + 1], behind[row, len(text) - 1 - places[:, 0]]], 1)
        yield read.half().cpu().numpy()
