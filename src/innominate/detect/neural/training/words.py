"""Teaching a word-level language model, from raw notes to its folder, and back."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from innominate.core import Document, UsageError
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import LettersGraph, export_word_language_model
from innominate.detect.neural.nets.word_language_model import WordLanguageModel, WordLmShape, cutoffs_of
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.words import EDGE, FAMILY, FORMAT, WAYS, WordLmCard, WordReader, load_word_lm_card
from innominate.detect.neural.training.checkpoint import TrainingProgress, resume, save
from innominate.detect.neural.training.language_models import (
    WEIGHTS,
    LmSteps,
    best_device,
    describe_language_model,
    parts_side_by_side,
    run_with_torch,
)
from innominate.detect.neural.vocabulary import Vocabulary

Watch = Callable[[int, dict[str, float]], None]


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

    def __len__(self) -> int:
        return sum(map(len, self.notes))

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
    def card(self) -> WordLmCard:
        """What is known of it without its weights."""
        return WordLmCard(self.vocabulary, asdict(self.net.shape), self.net.cutoffs)

    def reader(self, device: str) -> WordReader:
        """What reads notes with it."""
        parts = (LettersGraph(self.net.spelling), *(self.net.ways[way] for way in WAYS))
        return WordReader(self.card, *(run_with_torch(part, device) for part in parts))


def new_word_lm(vocabulary: Vocabulary, recipe: WordLmRecipe) -> WordLm:
    """A model that knows nothing."""
    torch.manual_seed(recipe.seed)
    chars, words = len(vocabulary.chars), len(vocabulary.words)
    net = WordLanguageModel(recipe.shape, chars, words, cutoffs=cutoffs_of(words), dropout=recipe.dropout)
    return WordLm(vocabulary, net)


def with_more_words(model: WordLm, more: Vocabulary, recipe: WordLmRecipe) -> WordLm:
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
    watch: Watch = lambda epoch, losses: None,
) -> TrainingProgress:
    """Let a model guess each next and each previous word of all notes; with a `folder` it can be stopped and go on."""
    rng = np.random.default_rng(recipe.seed)
    torch.manual_seed(recipe.seed)
    net, steps = model.net, LmSteps(model.net, recipe, len(text), device)
    encoded = model.vocabulary.encode(text.distinct)
    chars, words = (torch.from_numpy(each).to(device).long() for each in (encoded.chars, encoded.words))
    progress = (_resumed(folder, steps, rng) if folder else None) or TrainingProgress()
    while progress.epoch < recipe.epochs:
        memory = {way: net.blank(steps.batch) for way in WAYS}
        losses = []
        sides = [
            parts_side_by_side([note[::turn] for note in text.notes], steps.batch, recipe.length, rng) for turn in (1, -1)
        ]
        for parts in zip(*sides, strict=True):
            both = []
            for way, part in zip(WAYS, parts, strict=True):
                given = part.to(device, non_blocking=True).long()
                with steps.precision():
                    loss, memory[way] = net.loss(way, chars[given], words[given], memory[way])
                both.append(loss)
            losses.append(steps.learn(torch.stack(both), progress.step))
            progress.step += 1
        means = dict(zip(WAYS, steps.mean(losses).tolist(), strict=True))
        progress.epoch += 1
        progress.history.append({"epoch": progress.epoch, **means})
        watch(progress.epoch, means)
        if folder:
            save(folder, {"net": net}, steps.optimiser, rng, progress=progress)
    net.eval()
    return progress


def _resumed(folder: Path, steps: LmSteps, rng: np.random.Generator) -> TrainingProgress | None:
    try:
        return resume(folder, {"net": steps.net}, steps.optimiser, rng)
    except RuntimeError:  # torch lists the weights that do not fit
        raise UsageError(f"{folder} is of a training with other sizes or text; remove it, or write elsewhere") from None


def fit_wordlm(
    recipe: WordLmRecipe,
    documents: Iterable[Document],
    folder: Path,
    *,
    before: Path | None = None,
    device: str = "",
    watch: Watch = lambda epoch, losses: None,
) -> dict[str, Any]:
    """Teach a language model and write its folder; return its card, with the last losses in nats per word.

    `before` is the folder of a model that has already read something else: general text first, notes after.
    """
    text = RawText.of(documents)
    vocabulary = text.vocabulary(recipe)
    model = with_more_words(load_wordlm(before), vocabulary, recipe) if before else new_word_lm(vocabulary, recipe)
    recipe = replace(recipe, **asdict(model.net.shape))
    began = time.monotonic()
    progress = teach_words(model, text, recipe, device=device or best_device(), folder=folder / "checkpoint", watch=watch)
    last = {way: progress.history[-1][way] for way in WAYS}
    card = describe_language_model(recipe, last, before=before, began=began, notes=len(text.notes), pieces=len(text))
    write_wordlm(model, card, folder)
    return card


def write_wordlm(model: WordLm, card: dict[str, Any], folder: Path) -> None:
    """Write the description, the weights, and the three graphs that are served."""
    folder.mkdir(parents=True, exist_ok=True)
    net = model.net.cpu().eval()
    export_word_language_model(net, folder)
    save_file({name: value.contiguous() for name, value in net.state_dict().items()}, folder / WEIGHTS)
    lists = [model.vocabulary.words, model.vocabulary.chars]
    (folder / "vocabulary.json").write_text(json.dumps(lists, ensure_ascii=False), encoding="utf-8")
    head = {"format": FORMAT, "family": FAMILY, "cutoffs": net.cutoffs}
    write_card(folder, {**head, "shape": asdict(net.shape), "card": card})


def load_wordlm(folder: Path) -> WordLm:
    """Read a language model to train with."""
    card = load_word_lm_card(folder)
    shape = WordLmShape(**{**card.sizes, "widths": tuple(card.sizes["widths"])})
    net = WordLanguageModel(shape, len(card.vocabulary.chars), len(card.vocabulary.words), cutoffs=card.cutoffs)
    net.load_state_dict(load_file(folder / WEIGHTS))
    return WordLm(card.vocabulary, net.eval())
