"""Teaching language models, over characters and over words, from raw notes to their folder, and back."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor, nn

import innominate
from innominate.core import Document, UsageError
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import LettersGraph, export_language_model, export_word_language_model
from innominate.detect.neural.nets.language_models import CharLanguageModel, Memory, WordLanguageModel, WordLmShape, cutoffs_of
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers import characters, words
from innominate.detect.neural.readers.characters import Alphabet, CharacterReader, load_charlm_card
from innominate.detect.neural.readers.graphs import EDGE, WAYS
from innominate.detect.neural.readers.words import WordLmCard, WordReader, load_word_lm_card
from innominate.detect.neural.training.checkpoint import TrainingProgress, resume, save
from innominate.detect.neural.training.steps import WEIGHTS, TrainingError, best_device, run_with_torch, write_weights
from innominate.detect.neural.vocabulary import Vocabulary, write_lists

LossWatch = Callable[[int, dict[str, float]], None]  # the epoch, and the losses by direction
Guess = Callable[[str, Tensor, Memory], tuple[Tensor, Memory]]  # the loss of a part that is read in one direction
_NO_TEXT = "there is no text to read: is it the right folder?"


@dataclass(frozen=True)
class LmRecipe:
    """How a language model learns."""

    dropout: float = 0.1
    epochs: int = 10
    batch: int = 64  # parts of the text read side by side
    length: int = 50  # characters or pieces between two steps
    rate: float = 0.002
    clip: float = 1.0
    seed: int = 1


@dataclass(frozen=True)
class CharLmRecipe(LmRecipe):
    """The sizes are those of Akbik 2018, made smaller where it costs little."""

    hidden: int = 1024
    letter: int = 100
    batch: int = 100
    length: int = 250
    clip: float = 0.25


@dataclass(frozen=True)
class WordLmRecipe(LmRecipe):
    """The sizes of a word-level language model, and what it guesses."""

    hidden: int = 512
    projection: int = 128
    layers: int = 2
    letter: int = 16
    filters: int = 40
    widths: tuple[int, ...] = (1, 2, 3, 4, 5)
    words: int = 30_000  # the most frequent of a text are guessed
    seen: int = 2  # a word seen fewer times is not guessed

    @property
    def shape(self) -> WordLmShape:
        """The sizes alone."""
        return WordLmShape(self.hidden, self.projection, self.layers, self.letter, self.filters, self.widths)


@dataclass(frozen=True)
class CharLms:
    """One that reads ahead, one that reads backwards, and what they know as characters."""

    alphabet: Alphabet
    nets: dict[str, CharLanguageModel]  # by way

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
        return CharacterReader(self.alphabet, self.hidden, *(run_with_torch(self.nets[way], device) for way in WAYS))


def new_charlms(alphabet: Alphabet, recipe: CharLmRecipe) -> CharLms:
    """Two models that know nothing."""
    torch.manual_seed(recipe.seed)
    sizes: dict[str, Any] = {"letter": recipe.letter, "hidden": recipe.hidden, "dropout": recipe.dropout}
    return CharLms(alphabet, {way: CharLanguageModel(len(alphabet), **sizes) for way in WAYS})


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
            raise UsageError(_NO_TEXT)
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


def teach(
    net: nn.Module,
    guess: Guess,
    notes: Mapping[str, Sequence[NDArray[np.integer[Any]]]],
    recipe: LmRecipe,
    *,
    device: str = "cpu",
    folder: Path | None = None,
    watch: LossWatch = lambda epoch, losses: None,
) -> TrainingProgress:
    """Let a network guess what comes next in all notes, as they are read in each direction; the rate falls along a cosine.

    With a `folder` it can be stopped and go on.
    """
    net.to(device).train()
    blank: Callable[[int], Memory] = net.blank  # type: ignore[assignment]
    rng = np.random.default_rng(recipe.seed)
    optimiser = torch.optim.AdamW(net.parameters(), recipe.rate, weight_decay=1e-4)
    size = sum(map(len, next(iter(notes.values()))))
    batch = max(1, min(recipe.batch, size // (recipe.length + 1)))  # a small text has fewer parts
    total = recipe.epochs * max(1, size // (batch * recipe.length))
    progress = (resume(folder, {"net": net}, optimiser, rng) if folder else None) or TrainingProgress()
    while progress.epoch < recipe.epochs:
        memory = {way: blank(batch) for way in notes}
        losses = []
        streams = [cut_stream(texts, batch, rng) for texts in notes.values()]
        for begin in range(0, streams[0].shape[1] - 1, recipe.length):
            both = []
            for way, stream in zip(notes, streams, strict=True):
                part = stream[:, begin : begin + recipe.length + 1].to(device, non_blocking=True).long()
                with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                    loss, memory[way] = guess(way, part, memory[way])
                both.append(loss)
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, progress.step / total)))
            optimiser.zero_grad(set_to_none=True)
            torch.stack(both).mean().backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), recipe.clip)
            optimiser.step()
            losses.append(torch.stack(both).detach())
            progress.step += 1
        means = dict(zip(notes, torch.stack(losses).mean(0).tolist(), strict=True))
        if not all(map(math.isfinite, means.values())):
            raise TrainingError(f"the loss is no number any more; learn more slowly: --set rate={recipe.rate / 4:g}")
        progress.epoch += 1
        progress.history.append({"epoch": progress.epoch, **means})
        watch(progress.epoch, means)
        if folder:
            save(folder, {"net": net}, optimiser, rng, progress=progress)
    net.eval()
    return progress


def cut_stream(texts: Sequence[NDArray[np.integer[Any]]], batch: int, rng: np.random.Generator) -> Tensor:
    """All texts in a new order as one stream, cut into `batch` parts that are read side by side."""
    stream = np.concatenate([texts[index] for index in rng.permutation(len(texts))])
    columns = len(stream) // batch
    return torch.from_numpy(stream[: columns * batch].reshape(batch, columns))


def teach_characters(
    models: CharLms,
    way: str,
    texts: Sequence[NDArray[np.int64]],
    recipe: CharLmRecipe,
    *,
    device: str = "cpu",
    watch: LossWatch = lambda epoch, losses: None,
) -> TrainingProgress:
    """Let the model of one direction guess each next character of all texts, or each previous one."""
    net = models.nets[way]
    turned = [text[:: -1 if way == "behind" else 1].copy() for text in texts]
    return teach(net, lambda _, part, memory: net.loss(part, memory), {way: turned}, recipe, device=device, watch=watch)


def teach_words(
    model: WordLm,
    text: RawText,
    recipe: WordLmRecipe,
    *,
    device: str = "cpu",
    folder: Path | None = None,
    watch: LossWatch = lambda epoch, losses: None,
) -> TrainingProgress:
    """Let a model guess each next and each previous word of all notes."""
    torch.manual_seed(recipe.seed)
    encoded = model.vocabulary.encode(text.distinct)
    chars, numbers = (torch.from_numpy(each).to(device).long() for each in (encoded.chars, encoded.words))
    notes = {"ahead": text.notes, "behind": [note[::-1] for note in text.notes]}

    def guess(way: str, part: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        return model.net.loss(way, chars[part], numbers[part], memory)

    return teach(model.net, guess, notes, recipe, device=device, folder=folder, watch=watch)


def fit_charlm(
    recipe: CharLmRecipe,
    documents: Iterable[Document],
    folder: Path,
    *,
    before: Path | None = None,
    device: str = "",
    watch: LossWatch = lambda epoch, losses: None,
) -> dict[str, Any]:
    """Teach two language models and write their folder; return its card, with the last losses in nats per character.

    `before` is a folder of models that have already read something else: general text first, notes after.
    """
    read = [document.text for document in documents]
    if not any(read):
        raise UsageError(_NO_TEXT)
    models = load_charlm(before) if before else new_charlms(Alphabet.of(read), recipe)
    recipe = replace(recipe, hidden=models.hidden, letter=models.nets["ahead"].embed.embedding_dim)
    began, last = time.monotonic(), {}
    texts = [models.alphabet.encode(text) for text in read]
    for way in WAYS:
        done = teach_characters(models, way, texts, recipe, device=device or best_device(), watch=watch)
        last[way] = done.history[-1][way]
    counts = {"notes": len(read), "characters": sum(map(len, read))}
    card = describe_language_model(recipe, last, before=before, began=began, **counts)
    write_charlm(models, card, folder)
    return card


def fit_wordlm(
    recipe: WordLmRecipe,
    documents: Iterable[Document],
    folder: Path,
    *,
    before: Path | None = None,
    device: str = "",
    watch: LossWatch = lambda epoch, losses: None,
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
    net = model.net.cpu().eval()
    write_lists(folder, [model.vocabulary.words, model.vocabulary.chars])
    export_word_language_model(net, folder)
    write_weights(net, folder)
    head = {"format": words.FORMAT, "family": words.FAMILY, "cutoffs": net.cutoffs}
    write_card(folder, {**head, "shape": asdict(net.shape), "card": card})


def write_charlm(models: CharLms, card: dict[str, Any], folder: Path) -> None:
    """Write the description, the weights, and the two graphs that are served."""
    folder.mkdir(parents=True, exist_ok=True)
    for way, net in models.nets.items():
        export_language_model(net.cpu().eval(), folder / f"{way}.onnx")
    write_weights(nn.ModuleDict(models.nets), folder)
    head = {"format": characters.FORMAT, "family": characters.FAMILY, "letters": models.alphabet.letters}
    write_card(folder, {**head, "hidden": models.hidden, "card": card})


def load_charlm(folder: Path) -> CharLms:
    """Read language models to train with."""
    alphabet, hidden = load_charlm_card(folder)
    weights = load_file(folder / WEIGHTS)
    recipe = CharLmRecipe(hidden=hidden, letter=weights["ahead.embed.weight"].shape[1])
    models = new_charlms(alphabet, recipe)
    nn.ModuleDict(models.nets).eval().load_state_dict(weights)
    return models


def load_wordlm(folder: Path) -> WordLm:
    """Read a language model to train with."""
    card = load_word_lm_card(folder)
    shape = WordLmShape(**{**card.sizes, "widths": tuple(card.sizes["widths"])})
    net = WordLanguageModel(shape, len(card.vocabulary.chars), len(card.vocabulary.words), cutoffs=card.cutoffs)
    net.load_state_dict(load_file(folder / WEIGHTS))
    return WordLm(card.vocabulary, net.eval())


def describe_language_model(
    recipe: Any, losses: dict[str, float], *, before: Path | None, began: float, **counts: int
) -> dict[str, Any]:
    """The table `card` of a language model."""
    return {
        "innominate": innominate.__version__,
        **counts,
        "continues": before.name if before else "",
        **{f"loss_{way}": round(loss, 4) for way, loss in losses.items()},
        "seconds": round(time.monotonic() - began),
        "trained": time.strftime("%Y-%m-%d"),
        **asdict(recipe),
    }
