"""Teaching a word-level language model, and reading notes with it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from innominate.core import Document, UsageError
from innominate.detect.neural.nets.word_language_model import Memory, WordLanguageModel, WordLmShape, cutoffs_of
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.words import EDGE, WAYS, layered
from innominate.detect.neural.training.checkpoint import Progress, resume, save
from innominate.detect.neural.training.language_model import side_by_side
from innominate.detect.neural.training.lessons import Lesson
from innominate.detect.neural.training.steps import TrainingError
from innominate.detect.neural.vocabulary import Vocabulary

_PIECES = 50_000  # read side by side; bounds the memory


@dataclass(frozen=True)
class WordLmRecipe:
    """The sizes of a word-level language model and how it learns."""

    hidden: int = 512
    projection: int = 128
    layers: int = 2
    letter: int = 16
    filters: int = 40
    widths: tuple[int, ...] = (1, 2, 3, 4, 5)
    words: int = 30_000  # the most frequent of a text are guessed
    seen: int = 2  # a word seen fewer times is not guessed
    dropout: float = 0.1
    epochs: int = 10
    batch: int = 64  # parts of the text read side by side
    length: int = 50  # pieces between two steps
    rate: float = 0.002
    clip: float = 1.0
    seed: int = 1

    @property
    def shape(self) -> WordLmShape:
        """The sizes alone."""
        return WordLmShape(self.hidden, self.projection, self.layers, self.letter, self.filters, self.widths)


@dataclass(frozen=True)
class RawText:
    """Notes as numbers of their distinct pieces: four bytes a piece, however long the words are."""

    distinct: tuple[str, ...]
    notes: tuple[NDArray[np.int32], ...]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> RawText:
        """Read a stream of notes once; each stands between two line breaks.

        >>> RawText.of([Document("n", "tos y tos")]).notes[0].tolist()
        [0, 1, 2, 1, 0]
        """
        numbers: dict[str, int] = {EDGE: 0}
        notes = []
        for document in documents:
            read = (document.text[start:end] for start, end in pieces(document.text))
            found = [numbers.setdefault(piece, len(numbers)) for piece in read]
            if found:
                notes.append(np.array([0, *found, 0], np.int32))
        if not notes:
            raise UsageError("there is no text to read: is it the right folder?")
        return cls(tuple(numbers), tuple(notes))

    def vocabulary(self, recipe: WordLmRecipe) -> Vocabulary:
        """The words to guess and the characters to read."""
        counts = np.bincount(np.concatenate(self.notes), minlength=len(self.distinct))
        found = Vocabulary.counted(Counter(dict(zip(self.distinct, counts.tolist(), strict=True))), seen=recipe.seen)
        return Vocabulary(found.words[: recipe.words + 2], found.chars, ())


@dataclass(frozen=True)
class WordLm:
    """A network and what it knows as words and characters."""

    vocabulary: Vocabulary
    net: WordLanguageModel

    @property
    def layers(self) -> int:
        """Layers that can be mixed: those of the LSTMs, and the words themselves."""
        return self.net.shape.layers + 1

    @property
    def size(self) -> int:
        """Numbers in each layer, both directions together."""
        return 2 * self.net.shape.projection

    def with_layers(self, lessons: Sequence[Lesson], documents: Sequence[Document], device: str) -> list[Lesson]:
        """Add to every note what the model makes of each piece, in all its layers."""
        self.net.to(device).eval()
        order = sorted(range(len(lessons)), key=lambda index: len(lessons[index].places))
        found: dict[int, Lesson] = {}
        while order:
            longest = [len(lessons[index].places) + 2 for index in order]
            count = max(1, sum((row + 1) * length <= _PIECES for row, length in enumerate(longest)))
            some, order = order[:count], order[count:]
            texts = [
                (EDGE, *(documents[index].text[start:end] for start, end in lessons[index].places), EDGE) for index in some
            ]
            for index, layers in zip(some, _layers(texts, self, device), strict=True):
                found[index] = replace(lessons[index], layers=layers)
        return [found[index] for index in range(len(lessons))]


def new_word_lm(vocabulary: Vocabulary, recipe: WordLmRecipe) -> WordLm:
    """A model that knows nothing."""
    torch.manual_seed(recipe.seed)
    words = len(vocabulary.words)
    cutoffs = cutoffs_of(words)
    return WordLm(
        vocabulary,
        WordLanguageModel(recipe.shape, len(vocabulary.chars), words, cutoffs=cutoffs, dropout=recipe.dropout),
    )


def grown(model: WordLm, more: Vocabulary, recipe: WordLmRecipe) -> WordLm:
    """The same model with more words to guess and more characters, of which it knows nothing yet."""
    known = model.vocabulary
    words, chars = (tuple(dict.fromkeys((*old, *new))) for old, new in ((known.words, more.words), (known.chars, more.chars)))
    torch.manual_seed(recipe.seed)
    old = model.net
    net = WordLanguageModel(old.shape, len(chars), len(words), cutoffs=old.cutoffs, dropout=recipe.dropout)
    with torch.no_grad():
        learnt = old.state_dict()
        for name, value in net.state_dict().items():
            value[: len(learnt[name])].copy_(learnt[name])  # new rows come after those that were there
    return WordLm(Vocabulary(words, chars, ()), net)


def teach_words(
    model: WordLm,
    text: RawText,
    recipe: WordLmRecipe,
    *,
    device: str = "cpu",
    folder: Path | None = None,
    watch: Callable[[int, dict[str, float]], None] = lambda epoch, losses: None,
) -> Progress:
    """Let a model guess each next and each previous word of all notes; with a `folder` it can be stopped and go on."""
    rng = np.random.default_rng(recipe.seed)
    torch.manual_seed(recipe.seed)
    net = model.net.to(device).train()
    encoded = model.vocabulary.encode(text.distinct)
    tables = [torch.from_numpy(each).to(device).long() for each in (encoded.chars, encoded.words)]
    optimiser = torch.optim.AdamW(net.parameters(), recipe.rate, weight_decay=1e-4)
    progress = (_resumed(folder, net, optimiser, rng) if folder else None) or Progress()
    pieces = sum(map(len, text.notes))
    batch = max(1, min(recipe.batch, pieces // (recipe.length + 1)))  # a small text has fewer parts
    total = recipe.epochs * max(1, pieces // (batch * recipe.length))
    while progress.epoch < recipe.epochs:
        memory = {way: net.blank(batch) for way in WAYS}
        losses = []
        for parts in _both_ways(text.notes, batch, recipe.length, rng):
            rate = recipe.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, progress.step / total)))
            for group in optimiser.param_groups:
                group["lr"] = rate
            losses.append(_step(net, optimiser, parts, tables, memory, clip=recipe.clip, device=device))
            progress.step += 1
        ahead, behind = torch.stack(losses).mean(0).tolist()
        if not math.isfinite(ahead + behind):
            raise TrainingError(f"the loss is no number any more; learn more slowly: --set rate={recipe.rate / 4:g}")
        progress.epoch += 1
        progress.history.append({"epoch": progress.epoch, "ahead": ahead, "behind": behind})
        watch(progress.epoch, {"ahead": ahead, "behind": behind})
        if folder:
            save(folder, {"net": net}, optimiser, rng, progress)
    net.eval()
    return progress


def _resumed(folder: Path, net: nn.Module, optimiser: torch.optim.Optimizer, rng: np.random.Generator) -> Progress | None:
    try:
        return resume(folder, {"net": net}, optimiser, rng)
    except RuntimeError:  # torch lists the weights that do not fit
        raise UsageError(f"{folder} is of a training with other sizes or text; remove it, or write elsewhere") from None


def _both_ways(
    notes: Sequence[NDArray[np.int32]], batch: int, length: int, rng: np.random.Generator
) -> Iterator[dict[str, Tensor]]:
    ahead = side_by_side(notes, batch, length, rng)
    behind = side_by_side([note[::-1] for note in notes], batch, length, rng)
    for pair in zip(ahead, behind, strict=True):
        yield dict(zip(WAYS, pair, strict=True))


def _step(
    net: WordLanguageModel,
    optimiser: torch.optim.Optimizer,
    parts: dict[str, Tensor],
    tables: Sequence[Tensor],
    memory: dict[str, Memory],
    *,
    clip: float,
    device: str,
) -> Tensor:
    """Learn from a part of the text in each direction; the memory is changed in place."""
    optimiser.zero_grad(set_to_none=True)
    losses = []
    for way, part in parts.items():
        given = part.to(device, non_blocking=True).long()
        chars, words = (table[given] for table in tables)
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
            loss, memory[way] = net.loss(way, chars, words, memory[way])
        losses.append(loss)
    both = torch.stack(losses)
    both.mean().backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), clip)
    optimiser.step()
    return both.detach()


@torch.no_grad()
def _layers(texts: Sequence[Sequence[str]], model: WordLm, device: str) -> Iterator[NDArray[np.float16]]:
    encoded = [model.vocabulary.encode(text).chars for text in texts]
    chars = np.zeros((2, len(texts), max(map(len, texts)), encoded[0].shape[1]), np.int64)
    for row, each in enumerate(encoded):
        chars[0, row, : len(each)] = each
        chars[1, row, : len(each)] = each[::-1]
    net = model.net
    with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
        vectors, turned = (net.spelling(torch.from_numpy(side).to(device)) for side in chars)
        ahead, behind = (
            net.ways[way](side, *net.blank(len(texts)))[0] for way, side in zip(WAYS, (vectors, turned), strict=True)
        )
    read = [each.half().cpu().numpy() for each in (vectors, ahead, behind)]
    for row, text in enumerate(texts):
        mine = [each[row, : len(text)] for each in read]
        yield layered(mine[0], mine[1], mine[2][::-1])[1:-1].astype(np.float16)
