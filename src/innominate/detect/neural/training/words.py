"""From raw notes to the folder of a word-level language model, and back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

import innominate
from innominate.core import Document
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import export_word_language_model
from innominate.detect.neural.nets.word_language_model import WordLanguageModel, WordLmShape
from innominate.detect.neural.readers.words import FAMILY, FORMAT, load_word_lm_card
from innominate.detect.neural.training.word_language_model import (
    RawText,
    WordLm,
    WordLmRecipe,
    grown,
    new_word_lm,
    teach_words,
)

WEIGHTS = "weights.safetensors"
Watch = Callable[[int, dict[str, float]], None]


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
    model = grown(load_wordlm(before), vocabulary, recipe) if before else new_word_lm(vocabulary, recipe)
    recipe = replace(recipe, **asdict(model.net.shape))
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    began = time.monotonic()
    progress = teach_words(model, text, recipe, device=device, folder=folder / "checkpoint", watch=watch)
    card = {
        "innominate": innominate.__version__,
        "notes": len(text.notes),
        "pieces": sum(map(len, text.notes)),
        "continues": before.name if before else "",
        "loss_ahead": round(progress.history[-1]["ahead"], 4),
        "loss_behind": round(progress.history[-1]["behind"], 4),
        "seconds": round(time.monotonic() - began),
        "trained": time.strftime("%Y-%m-%d"),
        **asdict(recipe),
    }
    write_wordlm(model, card, folder)
    return card


def write_wordlm(model: WordLm, card: dict[str, Any], folder: Path) -> None:
    """Write the description, the weights, and the three graphs that are served."""
    folder.mkdir(parents=True, exist_ok=True)
    net = model.net.cpu().eval()
    export_word_language_model(net, folder)
    save_file({name: value.detach().contiguous() for name, value in net.state_dict().items()}, folder / WEIGHTS)
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
