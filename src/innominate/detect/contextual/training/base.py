"""From plain text to an encoder that taggers start from: a vocabulary, numbered texts, hidden words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.detect.contextual.byte_pairs import BytePairs, count_words, learn_byte_pairs, load_byte_pairs, save_byte_pairs
from innominate.detect.contextual.model import CARD
from innominate.detect.contextual.training.encoder import Guesser, Shape
from innominate.detect.contextual.training.pretraining import (
    PROGRESS,
    WEIGHTS,
    Recipe,
    number_texts,
    pretrain,
    save_checkpoint,
)
from innominate.detect.contextual.training.restore import restore_net
from innominate.detect.contextual.training.student import Student

_SMALLEST = 20  # windows of text, below which nothing can be learnt


@dataclass(frozen=True, slots=True)
class BaseSettings:
    """The size of an encoder and how it learns; what `--set` may name."""

    parts: int = 24_000
    layers: int = 12
    width: int = 512
    heads: int = 8
    window: int = 384
    steps: int = 6_000
    batch: int = 320
    rate: float = 2e-3
    optimiser: str = "muon"

    def shape(self, vocabulary: BytePairs) -> Shape:
        """The network; as many rows of parts as a GPU likes."""
        return Shape(-(-len(vocabulary) // 64) * 64, self.layers, self.width, self.heads, self.window)

    def recipe(self, seed: int) -> Recipe:
        """The training."""
        return Recipe(self.steps, self.batch, self.rate, optimiser=self.optimiser, seed=seed)


def train_base(
    texts: Mapping[str, Sequence[str]],
    folder: Path,
    settings: BaseSettings,
    *,
    seed: int = 1,
    before: Path | None = None,
    watch: Callable[[int, float, float], None] = lambda step, loss, share: None,
) -> None:
    """Teach an encoder from texts, one list for each language; goes on where the folder says that a training was.

    `before` is another base, or a contextual model whose encoder reads on: a hospital's own notes after everybody's text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if before and not (folder / WEIGHTS).exists():
        shape = copy_start(before, folder)
        vocabulary = load_byte_pairs(folder)
    else:
        vocabulary = load_byte_pairs(folder) if (folder / WEIGHTS).exists() else learn_vocabulary(texts, settings.parts)
        save_byte_pairs(vocabulary, folder)
        shape = settings.shape(vocabulary)
    numbered = {name: number_texts(lines, vocabulary.encode_text) for name, lines in texts.items() if lines}
    short = [name for name, numbers in numbered.items() if len(numbers) < _SMALLEST * shape.window]
    if short or not numbered:
        raise UsageError(f"too little text to learn from ({', '.join(short) or 'none'}): give at least some pages of it")
    pretrain(shape, numbered, folder, settings.recipe(seed), watch=watch)


def learn_vocabulary(texts: Mapping[str, Sequence[str]], parts: int) -> BytePairs:
    """A vocabulary for all languages together."""
    return learn_byte_pairs(count_words(line for lines in texts.values() for line in lines), parts)


def copy_start(before: Path, folder: Path) -> Shape:
    """Put the encoder of another base or model into a folder, at the beginning of its training."""
    folder.mkdir(parents=True, exist_ok=True)
    save_byte_pairs(load_byte_pairs(before), folder)
    if not (before / CARD).exists():
        for name in (WEIGHTS, "encoder.json"):
            (folder / name).write_bytes((before / name).read_bytes())
        (folder / PROGRESS).write_text('{"share": 0.0}', encoding="utf-8")
        return read_shape(folder)
    net = restore_net(before)
    if isinstance(net, Student):
        raise UsageError(f"{before}: a student has no encoder to go on with; start from a teacher")
    save_checkpoint(Guesser(net.encoder), folder, 0.0)
    return net.encoder.shape


def read_shape(folder: Path) -> Shape:
    """The shape that a base was written with."""
    import json

    return Shape(**json.loads((folder / "encoder.json").read_text(encoding="utf-8")))


def with_settings(settings: BaseSettings, given: Mapping[str, Any]) -> BaseSettings:
    """Settings with some of them changed; an unknown one is an error."""
    try:
        return replace(settings, **given)
    except TypeError:
        known = ", ".join(BaseSettings.__slots__)
        raise UsageError(f"unknown setting among {', '.join(given)}; there are: {known}") from None
