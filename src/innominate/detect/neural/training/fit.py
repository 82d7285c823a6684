"""From annotated notes to a model folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import nn

import innominate
from innominate.core import Document, Score, UsageError
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.detector import NeuralDetector, forget_loaded
from innominate.detect.neural.export import example_of, export, quantise
from innominate.detect.neural.model import Model, save_model
from innominate.detect.neural.nets.build import build
from innominate.detect.neural.nets.encoder import Encoder
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.reader import FOLDER
from innominate.detect.neural.settings import Settings
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.charlm import copy_served, load_charlm
from innominate.detect.neural.training.checkpoint import Progress
from innominate.detect.neural.training.language_model import LanguageModels, with_states
from innominate.detect.neural.training.lessons import Lesson, lesson, text_swapped, texts_of
from innominate.detect.neural.training.loop import Trainer
from innominate.detect.neural.training.pretraining import pretrain
from innominate.detect.neural.vectors import read_vectors
from innominate.detect.neural.vocabulary import Vocabulary

Watch = Callable[[Progress, int], None]


@dataclass(frozen=True)
class Sources:
    """What a network learns from: annotated notes, notes that say when to stop, and what else there is."""

    train: Sequence[Document]
    dev: Sequence[Document]
    unlabelled: Sequence[Document] = ()
    language_model: Path | None = None  # of kinds that read through one


def fit(
    settings: Settings,
    train: Sequence[Document],
    dev: Sequence[Document],
    folder: Path,
    *,
    unlabelled: Sequence[Document] = (),
    language_model: Path | None = None,
    vectors: Path | None = None,
    rare: int = 0,
    about: Mapping[str, str] | None = None,
    device: str = "",
    watch: Watch = lambda progress, epochs: None,
) -> Progress:
    """Train a network and write its folder; labels with fewer than `rare` mentions are left out (seed, section 5.3).

    `about` goes into the card: the language, the taxonomy.
    """
    sources = Sources(train, dev, unlabelled, language_model)
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    tagset = Tagset(_labels(sources.train, rare), settings.network.scheme)
    texts = _pieces_of((*sources.train, *sources.unlabelled))
    vocabulary = Vocabulary.of(texts, seen=settings.network.seen)
    models = _language_models(settings, sources)
    given = read_vectors(vectors, vocabulary.words) if vectors else None
    if given:
        settings = settings.with_options({"words": str(given.size)})
    torch.manual_seed(settings.recipe.seed)
    net = build(settings.network, vocabulary, len(tagset.tags), models.size if models else 0)
    if given:
        _begin_with(net, given.filled(np.random.default_rng(settings.recipe.seed)))
    read = [
        _lessons(group, vocabulary, tagset, models, device)
        for group in (sources.train, sources.dev, sources.unlabelled, *_variants(settings, sources.train))
    ]
    if settings.recipe.pretrain and isinstance(net, Encoder) and not (folder / "checkpoint").exists():
        pretrain(net, [*read[0], *read[2]], settings, settings.recipe.pretrain, device=device)
    trainer = Trainer(net, settings, tagset, folder / "checkpoint", device, watch)
    best, progress = trainer.fit(read[0], read[1], read[2], read[3:])
    card = {**(about or {}), **_card(settings, sources, progress)}
    model = Model(settings, tagset, vocabulary, chain_of(best, len(tagset.tags)), card)
    write(best, model, folder, models.size if models else 0)
    if language_model:
        copy_served(language_model, folder)
    return progress


def _labels(train: Sequence[Document], rare: int) -> tuple[str, ...]:
    counts = Counter(span.label for document in train for span in document.spans)
    labels = tuple(sorted(label for label, count in counts.items() if count >= max(1, rare)))
    if not labels:
        raise UsageError("the training notes hold no span: is it the right folder, in a format with annotations?")
    return labels


def _pieces_of(documents: Sequence[Document]) -> Iterator[list[str]]:
    return ([document.text[start:end] for start, end in pieces(document.text)] for document in documents)


def _language_models(settings: Settings, sources: Sources) -> LanguageModels | None:
    kind = settings.network.kind
    if settings.network.language_model and not sources.language_model:
        raise UsageError(f"{kind} reads through character language models: train them with `innominate train charlm`, "
                         "and give their folder by --language-model")  # fmt: skip
    if sources.language_model and not settings.network.language_model:
        raise UsageError(f"{kind} reads no language model; leave --language-model out, or train flair")
    return load_charlm(sources.language_model) if sources.language_model else None


def _variants(settings: Settings, train: Sequence[Document]) -> list[list[Document]]:
    """Copies of the notes with other mentions; made once, because reading them through language models takes long."""
    recipe = settings.recipe
    if not settings.network.language_model or not recipe.swap:
        return []
    rng, mentions = np.random.default_rng(recipe.seed), texts_of(train)
    return [[text_swapped(each, mentions, recipe.swap, rng) for each in train] for _ in range(recipe.variants)]


def _lessons(
    documents: Sequence[Document], vocabulary: Vocabulary, tagset: Tagset, models: LanguageModels | None, device: str
) -> list[Lesson]:
    read = [lesson(document, vocabulary, tagset) for document in documents]
    return with_states(read, documents, models, device) if models else read


def _begin_with(net: Any, vectors: NDArray[np.float32]) -> None:
    with torch.no_grad():
        net.inputs.words.weight.copy_(torch.from_numpy(vectors))


def _card(settings: Settings, sources: Sources, progress: Progress) -> dict[str, Any]:
    return {
        "innominate": innominate.__version__,
        "torch": torch.__version__,
        "notes": len(sources.train),
        "dev_notes": len(sources.dev),
        "unlabelled_notes": len(sources.unlabelled),
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


def write(net: nn.Module, model: Model, folder: Path, states: int = 0) -> None:
    """Write the folder of a model: the description, the weights, and the graph that is served."""
    save_model(model, folder)
    save_file(
        {name: value.detach().cpu().contiguous() for name, value in net.state_dict().items()}, folder / "weights.safetensors"
    )
    export(net, folder / "model.onnx", example_of(states=states))


def make_small(folder: Path, dev: Sequence[Document], cost: float = 0.001) -> float:
    """Put eight-bit weights in place of the graphs where dev F1 falls by less than `cost`; return the fall."""
    before = _f1(folder, dev)
    fall = 0.0
    for graph in [folder / "model.onnx", *sorted((folder / FOLDER).glob("*.onnx"))]:
        small = graph.with_suffix(".int8.onnx")
        quantise(graph, small)
        now = before - _f1(folder, dev)
        if now < cost:
            fall = now
        else:
            small.unlink()
    return fall


def _f1(folder: Path, dev: Sequence[Document]) -> float:
    forget_loaded()
    total = Score(0, 0, 0)
    for document, spans in zip(dev, NeuralDetector(folder.resolve()).detect_many(dev), strict=True):
        gold, system = set(document.spans), set(spans)
        total += Score(len(gold & system), len(system - gold), len(gold - system))
    forget_loaded()
    return total.f(1)
