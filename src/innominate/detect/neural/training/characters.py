"""From raw notes to a folder of two character language models, and back."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

import innominate
from innominate.core import Document, UsageError
from innominate.detect.models.cards import CARD, write_card
from innominate.detect.neural.export import export_language_model
from innominate.detect.neural.nets.language_model import LanguageModel
from innominate.detect.neural.readers.alphabet import Alphabet
from innominate.detect.neural.readers.characters import FAMILY, FOLDER, FORMAT, WAYS, load_charlm_card
from innominate.detect.neural.training.language_model import LanguageModels, LmRecipe, new_models, teach_both

WEIGHTS = "weights.safetensors"
Watch = Callable[[str, int, float], None]


def fit_charlm(
    recipe: LmRecipe,
    documents: Sequence[Document],
    folder: Path,
    *,
    before: Path | None = None,
    device: str = "",
    watch: Watch = lambda way, epoch, loss: None,
) -> dict[str, float]:
    """Teach two language models and write their folder; return the last loss of each, in nats per character.

    `before` is a folder of models that have already read something else: general text first, notes after.
    """
    if not any(document.text for document in documents):
        raise UsageError("there is no text to read: is it the right folder?")
    models = load_charlm(before) if before else new_models(Alphabet.of(document.text for document in documents), recipe)
    recipe = replace(recipe, hidden=models.ahead.lstm.hidden_size, letter=models.ahead.embed.embedding_dim)
    last: dict[str, float] = {}

    def seen(way: str, epoch: int, loss: float) -> None:
        last[way] = loss
        watch(way, epoch, loss)

    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    began = time.monotonic()
    teach_both(models, documents, recipe, device=device, watch=seen)
    card = {
        "innominate": innominate.__version__,
        "notes": len(documents),
        "characters": sum(len(document.text) for document in documents),
        "continues": before.name if before else "",
        "loss_ahead": round(last["ahead"], 4),
        "loss_behind": round(last["behind"], 4),
        "seconds": round(time.monotonic() - began),
        "trained": time.strftime("%Y-%m-%d"),
        **asdict(recipe),
    }
    write_charlm(models, card, folder)
    return last


def write_charlm(models: LanguageModels, card: dict[str, Any], folder: Path) -> None:
    """Write the description, the weights, and the two graphs that are served."""
    folder.mkdir(parents=True, exist_ok=True)
    weights: dict[str, Any] = {}
    for way in WAYS:
        net = getattr(models, way).cpu().eval()
        weights |= {f"{way}.{name}": value.detach().contiguous() for name, value in net.state_dict().items()}
        export_language_model(net, folder / f"{way}.onnx")
    save_file(weights, folder / WEIGHTS)
    head = {"format": FORMAT, "family": FAMILY, "letters": models.alphabet.letters, "hidden": models.ahead.lstm.hidden_size}
    write_card(folder, {**head, "card": card})


def load_charlm(folder: Path) -> LanguageModels:
    """Read language models to train with."""
    alphabet, hidden = load_charlm_card(folder)
    weights = load_file(folder / WEIGHTS)
    found = []
    for way in WAYS:
        own = {name.removeprefix(f"{way}."): value for name, value in weights.items() if name.startswith(f"{way}.")}
        net = LanguageModel(len(alphabet), letter=own["embed.weight"].shape[1], hidden=hidden)
        net.load_state_dict(own)
        found.append(net.eval())
    return LanguageModels(alphabet, *found)


def copy_served(folder: Path, model: Path, name: str = FOLDER) -> None:
    """Put what is served of language models into the folder of a model that reads through them."""
    shutil.rmtree(model / name, ignore_errors=True)  # eight-bit graphs of others would be served instead
    (model / name).mkdir(parents=True)
    for path in folder.iterdir():
        if path.name in {CARD, "vocabulary.json"} or path.suffix == ".onnx":
            shutil.copyfile(path, model / name / path.name)
