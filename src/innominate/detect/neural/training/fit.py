"""From annotated notes to a model folder."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import innominate
from innominate.core import Document, Score, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.dial.threshold import spans_of
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.export import example_of, export, quantise
from innominate.detect.neural.model import NeuralModel, save_model
from innominate.detect.neural.nets.taggers import build
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.characters import FOLDER
from innominate.detect.neural.readers.encoder import GRAPH as ENCODER_GRAPH
from innominate.detect.neural.readers.words import FOLDER as WORD_FOLDER
from innominate.detect.neural.serving import forget_loaded, load_served, read_marginals
from innominate.detect.neural.settings import NeuralSettings, TrainingRecipe, Watch
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.checkpoint import TrainingProgress
from innominate.detect.neural.training.lessons import NoteLesson, mentions_by_label, with_other_mentions
from innominate.detect.neural.training.loop import NetworkTrainer, Rounds
from innominate.detect.neural.training.readers import Beside, load_readers
from innominate.detect.neural.training.steps import best_device, write_weights
from innominate.detect.neural.vectors import read_vectors, words_of
from innominate.detect.neural.vocabulary import Vocabulary
from innominate.labels import with_labels
from innominate.text.language import languages_of

HISTORY = "training.json"
Reads = Callable[[Sequence[Document]], list[NoteLesson]]


def fit(
    settings: NeuralSettings,
    train: Sequence[Document],
    dev: Sequence[Document],
    folder: Path,
    *,
    unlabelled: Sequence[Document] = (),
    language_model: Path | None = None,
    word_lm: Path | None = None,
    parts_of_speech: str = "",
    vectors: Path | None = None,
    rare: int = 0,
    about: Mapping[str, str] | None = None,
    device: str = "",
    watch: Callable[[TrainingProgress, int], None] = lambda progress, epochs: None,
) -> TrainingProgress:
    """Train a network and write its folder; labels with fewer than `rare` mentions are left out (seed, section 5.3).

    `about` goes into the card: the language, the taxonomy.
    """
    beside = Beside(language_model, word_lm, parts_of_speech or settings.network.parts_of_speech)
    device = device or best_device()
    tagset = Tagset(_labels(train, rare), settings.network.scheme)
    texts = (document.text for document in (*train, *unlabelled))
    cut = ([text[start:end] for start, end in pieces(text)] for text in texts)
    vocabulary = Vocabulary.of(cut, seen=settings.network.seen)
    settings, readers = load_readers(settings, beside)
    if vectors:
        vocabulary = vocabulary.with_words(words_of(vectors, settings.recipe.vector_words))
    given = read_vectors(vectors, vocabulary.words) if vectors else None
    if given:
        settings = settings.with_options({"words": str(given.size)})
    torch.manual_seed(settings.recipe.seed)
    net = build(settings.network, vocabulary, len(tagset.tags), readers.states)
    if given:
        begin_with(net, given.fill_rows(np.random.default_rng(settings.recipe.seed)))

    def lessons(notes: Sequence[Document]) -> list[NoteLesson]:
        return readers.lessons(notes, vocabulary, tagset, device)

    read = [lessons(notes) for notes in (train, dev, unlabelled)]
    trainer = NetworkTrainer(net, settings, tagset, folder / "checkpoint", device, watch)
    recipe = settings.recipe
    others = rounds_with_other_mentions(recipe, train, lessons, once=readers.are_slow) if recipe.swap else None
    best, progress = trainer.fit(read[0], read[1], read[2], others)
    counts = {"notes": len(train), "dev_notes": len(dev), "unlabelled_notes": len(unlabelled)}
    card = {**(about or {}), **_card(settings, counts, progress)}
    model = NeuralModel(settings, tagset, vocabulary, chain_of(best, len(tagset.tags)), card)
    write(best, model, folder, readers.states)
    beside.copy_served(folder)
    return progress


def fit_in_folder(
    settings: NeuralSettings,
    train: Sequence[Document],
    dev: Sequence[Document],
    folder: Path,
    *,
    watch: Watch,
    unlabelled: Sequence[Document] = (),
    **about: Any,
) -> None:
    """Train on notes as detectors see them, say in the card what they are, and make the weights small."""
    shown, held_out, more = ([as_seen(note) for note in notes] for notes in (train, dev, unlabelled))
    progress = fit(
        settings,
        shown,
        held_out,
        folder,
        unlabelled=more,
        about=_language_and_taxonomy(shown),
        watch=lambda state, _: watch.epoch(state.history[-1]),
        **about,
    )
    (folder / HISTORY).write_text(json.dumps(progress.history), encoding="utf-8")
    watch.shrunk(make_small(folder, held_out))


def _language_and_taxonomy(notes: Sequence[Document]) -> dict[str, str]:
    """The language of the notes and the taxonomy of their labels, for the card; empty where there is not one."""
    found = languages_of(notes)
    lang = found.pop() if len(found) == 1 else ""
    known = with_labels({span.label for note in notes for span in note.spans}, lang)
    return {"lang": lang, "taxonomy": known.name if known else ""}


def _labels(train: Sequence[Document], rare: int) -> tuple[str, ...]:
    counts = Counter(span.label for document in train for span in document.spans)
    labels = tuple(sorted(label for label, count in counts.items() if count >= max(1, rare)))
    if not labels:
        raise UsageError("the training notes hold no span: is it the right folder, in a format with annotations?")
    return labels


def rounds_with_other_mentions(recipe: TrainingRecipe, train: Sequence[Document], lessons: Reads, *, once: bool) -> Rounds:
    """The notes of each epoch, with mentions that have changed places. Where they take long to read, a few are made `once`."""
    mentions = mentions_by_label(train)

    def others(_epoch: int, rng: np.random.Generator) -> list[NoteLesson]:
        return lessons([with_other_mentions(each, mentions, recipe.swap, rng) for each in train])

    if not once:
        return others
    rng = np.random.default_rng(recipe.seed)
    rounds = [lessons(train), *(others(0, rng) for _ in range(recipe.variants))]
    return lambda epoch, _rng: rounds[epoch % len(rounds)]


def begin_with(net: Any, vectors: NDArray[np.float32]) -> None:
    """Give a network the vectors of its words."""
    with torch.no_grad():
        net.inputs.words.weight.copy_(torch.from_numpy(vectors))


def _card(settings: NeuralSettings, counts: Mapping[str, int], progress: TrainingProgress) -> dict[str, Any]:
    return {
        "innominate": innominate.__version__,
        "torch": torch.__version__,
        **counts,
        "seed": settings.recipe.seed,
        "dev_ner_f1": round(progress.best, 4),
        "epochs": progress.epoch,
        "seconds": round(progress.seconds),
        "trained": time.strftime("%Y-%m-%d"),
    }


def chain_of(net: nn.Module, tags: int) -> Chain:
    """The learnt transitions, or none."""
    crf: Any = getattr(net, "crf", None)
    if crf is None:
        return Chain.free(tags)
    return Chain(
        *(getattr(crf, name).detach().cpu().float().numpy().astype(np.float32) for name in ("transitions", "start", "end"))
    )


def write(net: nn.Module, model: NeuralModel, folder: Path, states: int = 0) -> None:
    """Write the folder of a model: the description, the weights, and the graph that is served."""
    save_model(model, folder)
    (folder / "model.int8.onnx").unlink(missing_ok=True)  # of a training before, in the same folder
    write_weights(net, folder)
    network = model.settings.network
    export(net, folder / "model.onnx", example_of(states=states, layers=network.lm_layers * network.lm_size))


def make_small(folder: Path, dev: Sequence[Document], cost: float = 0.001) -> float:
    """Put eight-bit weights in place of the graphs where dev F1 falls by less than `cost`; return the fall."""
    before = _f1(folder, dev)
    fall = 0.0
    beside = [path for name in (FOLDER, WORD_FOLDER) for path in sorted((folder / name).glob("*.onnx"))]
    for graph in [folder / "model.onnx", *beside]:
        small = graph.with_suffix(".int8.onnx")
        quantise(graph, small, by_column=graph.stem == ENCODER_GRAPH)
        now = before - _f1(folder, dev)
        if now < cost:
            fall = now
        else:
            small.unlink()
    return fall


def _f1(folder: Path, dev: Sequence[Document]) -> float:
    forget_loaded()
    total = Score(0, 0, 0)
    for document, found in zip(dev, read_marginals(*load_served(folder.resolve(), 1), dev), strict=True):
        gold, system = set(document.spans), set(spans_of(found, found.best, ""))
        total += Score(len(gold & system), len(system - gold), len(gold - system))
    forget_loaded()
    return total.f(1)
