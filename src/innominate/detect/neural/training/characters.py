"""Teaching the two character language models, from raw notes to their folder, and back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from innominate.core import Document, UsageError
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import StatefulGraph, export_language_model
from innominate.detect.neural.nets.language_model import LanguageModel
from innominate.detect.neural.readers.alphabet import Alphabet
from innominate.detect.neural.readers.characters import FAMILY, FORMAT, WAYS, CharacterReader, load_charlm_card
from innominate.detect.neural.training.language_models import (
    WEIGHTS,
    LmSteps,
    best_device,
    describe_language_model,
    parts_side_by_side,
    run_with_torch,
)


@dataclass(frozen=True)
class CharLmRecipe:
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
class CharLms:
    """One that reads ahead, one that reads backwards, and what they know as characters."""

    alphabet: Alphabet
    nets: dict[str, LanguageModel]  # by way

    @property
    def hidden(self) -> int:
        """Numbers that one of them says of a piece."""
        return self.nets["ahead"].lstm.hidden_size

    @property
    def size(self) -> int:
        """Numbers that both say of a piece."""
        return 2 * self.hidden

    def reader(self, device: str) -> CharacterReader:
        """What reads notes with them."""
        return CharacterReader(
            self.alphabet, self.hidden, *(run_with_torch(StatefulGraph(self.nets[way]), device) for way in WAYS)
        )


def new_charlms(alphabet: Alphabet, recipe: CharLmRecipe) -> CharLms:
    """Two models that know nothing."""
    torch.manual_seed(recipe.seed)
    nets = {
        way: LanguageModel(len(alphabet), letter=recipe.letter, hidden=recipe.hidden, dropout=recipe.dropout) for way in WAYS
    }
    return CharLms(alphabet, nets)


def teach_charlm(
    net: LanguageModel,
    texts: Sequence[NDArray[np.int64]],
    recipe: CharLmRecipe,
    *,
    device: str = "cpu",
    watch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> None:
    """Let one model guess each next character of all texts, in `epochs` rounds."""
    rng = np.random.default_rng(recipe.seed)
    steps = LmSteps(net, recipe, sum(map(len, texts)), device)
    step = 0
    for number in range(recipe.epochs):
        state, losses = None, []
        for part in parts_side_by_side(texts, steps.batch, recipe.length, rng):
            with steps.precision():
                loss, state = net.loss(part.to(device), state)
            losses.append(steps.learn(loss, step))
            step += 1
        watch(number + 1, float(steps.mean(losses)))
    net.eval()


def fit_charlm(
    recipe: CharLmRecipe,
    documents: Sequence[Document],
    folder: Path,
    *,
    before: Path | None = None,
    device: str = "",
    watch: Callable[[str, int, float], None] = lambda way, epoch, loss: None,
) -> dict[str, float]:
    """Teach two language models and write their folder; return the last loss of each, in nats per character.

    `before` is a folder of models that have already read something else: general text first, notes after.
    """
    if not any(document.text for document in documents):
        raise UsageError("there is no text to read: is it the right folder?")
    models = load_charlm(before) if before else new_charlms(Alphabet.of(document.text for document in documents), recipe)
    recipe = replace(recipe, hidden=models.hidden, letter=models.nets["ahead"].embed.embedding_dim)
    began, last = time.monotonic(), dict.fromkeys(WAYS, 0.0)
    texts = [models.alphabet.encode(document.text) for document in documents]
    for way, turn in zip(WAYS, (1, -1), strict=True):

        def seen(epoch: int, loss: float, way: str = way) -> None:
            last[way] = loss
            watch(way, epoch, loss)

        turned = [text[::turn].copy() for text in texts]
        teach_charlm(models.nets[way], turned, recipe, device=device or best_device(), watch=seen)
    counts = {"notes": len(documents), "characters": sum(len(document.text) for document in documents)}
    write_charlm(models, describe_language_model(recipe, last, before=before, began=began, **counts), folder)
    return last


def write_charlm(models: CharLms, card: dict[str, Any], folder: Path) -> None:
    """Write the description, the weights, and the two graphs that are served."""
    folder.mkdir(parents=True, exist_ok=True)
    weights: dict[str, Any] = {}
    for way, net in models.nets.items():
        weights |= {f"{way}.{name}": value.contiguous() for name, value in net.cpu().eval().state_dict().items()}
        export_language_model(net, folder / f"{way}.onnx")
    save_file(weights, folder / WEIGHTS)
    head = {"format": FORMAT, "family": FAMILY, "letters": models.alphabet.letters, "hidden": models.hidden}
    write_card(folder, {**head, "card": card})


def load_charlm(folder: Path) -> CharLms:
    """Read language models to train with."""
    alphabet, hidden = load_charlm_card(folder)
    weights = load_file(folder / WEIGHTS)
    nets = {way: LanguageModel(len(alphabet), letter=weights[f"{way}.embed.weight"].shape[1], hidden=hidden) for way in WAYS}
    for way, net in nets.items():
        net.load_state_dict(
            {name.removeprefix(f"{way}."): value for name, value in weights.items() if name.startswith(f"{way}.")}
        )
        net.eval()
    return CharLms(alphabet, nets)
