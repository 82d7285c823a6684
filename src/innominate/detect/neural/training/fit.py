"""From annotated notes to a model folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

import innominate
from innominate.core import Document, Score, UsageError
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.export import example_of, export, quantise
from innominate.detect.neural.model import Model, save_model
from innominate.detect.neural.nets.build import build
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.settings import Settings
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.checkpoint import Progress
from innominate.detect.neural.training.lessons import lesson
from innominate.detect.neural.training.loop import Trainer
from innominate.detect.neural.vocabulary import Vocabulary

Watch = Callable[[Progress, int], None]


def fit(
    settings: Settings,
    train: Sequence[Document],
    dev: Sequence[Document],
    folder: Path,
    *,
    unlabelled: Sequence[Document] = (),
    rare: int = 0,
    device: str = "",
    watch: Watch = lambda progress, epochs: None,
) -> Progress:
    """Train a network and write its folder; labels with fewer than `rare` mentions are left out (seed, section 5.3)."""
    if settings.network.language_model:
        raise UsageError(
            f"{settings.network.kind} reads character language models, which cannot be trained by this command yet"
        )
    counts = Counter(span.label for document in train for span in document.spans)
    labels = tuple(sorted(label for label, count in counts.items() if count >= max(1, rare)))
    if not labels:
        raise UsageError("the training notes hold no span: is it the right folder, in a format with annotations?")
    tagset = Tagset(labels, settings.network.scheme)
    texts = ([document.text[start:end] for start, end in pieces(document.text)] for document in (*train, *unlabelled))
    vocabulary = Vocabulary.of(texts, seen=settings.network.seen)
    torch.manual_seed(settings.recipe.seed)
    net = build(settings.network, vocabulary, len(tagset.tags))
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    trainer = Trainer(net, settings, tagset, folder / "checkpoint", device, watch)
    lessons, checks, more = ([lesson(each, vocabulary, tagset) for each in group] for group in (train, dev, unlabelled))
    best, progress = trainer.fit(lessons, checks, more)
    card = {
        "innominate": innominate.__version__,
        "torch": torch.__version__,
        "notes": len(train),
        "dev_notes": len(dev),
        "seed": settings.recipe.seed,
        "dev_ner_f1": round(progress.best, 4),
        "epochs": progress.epoch,
        "seconds": round(progress.seconds),
        "trained": time.strftime("%Y-%m-%d"),
    }
    write(best, Model(settings, tagset, vocabulary, chain_of(best, len(tagset.tags)), card), folder)
    return progress


def chain_of(net: nn.Module, tags: int) -> Chain:
    """The learnt transitions, or none."""
    crf: Any = getattr(net, "crf", None)
    if crf is None:
        return Chain.free(tags)
    return Chain(
        *(getattr(crf, name).detach().cpu().float().numpy().astype(np.float32) for name in ("transitions", "start", "end"))
    )


def write(net: nn.Module, model: Model, folder: Path) -> None:
    """Write the folder of a model: the description, the weights, and the graph that is served."""
    save_model(model, folder)
    save_file(
        {name: value.detach().cpu().contiguous() for name, value in net.state_dict().items()}, folder / "weights.safetensors"
    )
    export(net, folder / "model.onnx", example_of())


def make_small(folder: Path, dev: Sequence[Document], cost: float = 0.001) -> float:
    """Put eight-bit weights in place of the graph if dev F1 falls by less than `cost`; return the fall."""

    def f1() -> float:
        total = Score(0, 0, 0)
        found = NeuralDetector(folder.resolve()).detect_many(dev)
        for document, spans in zip(dev, found, strict=True):
            gold, system = set(document.spans), set(spans)
            total += Score(len(gold & system), len(system - gold), len(gold - system))
        return total.f(1)

    from innominate.detect.neural import detector

    small = folder / "model.int8.onnx"
    before = f1()
    quantise(folder / "model.onnx", small)
    detector._loaded.cache_clear()
    fall = before - f1()
    detector._loaded.cache_clear()
    if fall >= cost:
        small.unlink()
    return fall
