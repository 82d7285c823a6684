"""A trained network as a folder: `model.toml`, `vocabulary.json`, `weights.safetensors`, `model.onnx`. Never pickle."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from innominate.detect.models.cards import load_card, write_card
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.settings import NeuralSettings, settings_of
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.vocabulary import Vocabulary, read_lists, write_lists

FORMAT = 1
FAMILY = "neural"


@dataclass(frozen=True)
class NeuralModel:
    """Everything but the weights of the layers."""

    settings: NeuralSettings
    tagset: Tagset
    vocabulary: Vocabulary
    chain: Chain
    card: dict[str, Any] = field(default_factory=dict)


def load_model(folder: Path) -> NeuralModel:
    """Read a model, and say clearly when this version cannot."""
    content = load_card(folder, format=FORMAT, made_by="innominate train bilstm-crf")
    settings = settings_of(content, content["kind"])
    tagset = Tagset(tuple(content["labels"]), settings.network.scheme)
    vocabulary = Vocabulary(*map(tuple, read_lists(folder)))
    return NeuralModel(settings, tagset, vocabulary, _chain(folder), content["card"])


def _chain(folder: Path) -> Chain:
    from safetensors.numpy import load_file

    tensors = load_file(folder / "chain.safetensors")
    return Chain(*(tensors[name].astype(np.float32) for name in ("transitions", "start", "end")))


def save_model(model: NeuralModel, folder: Path) -> None:
    """Write what `load_model` reads."""
    from safetensors.numpy import save_file

    write_lists(folder, [model.vocabulary.words, model.vocabulary.chars, model.vocabulary.shapes])
    chain = {name: getattr(model.chain, name).astype(np.float32) for name in ("transitions", "start", "end")}
    save_file(chain, folder / "chain.safetensors")
    network = {name: value for name, value in asdict(model.settings.network).items() if name != "kind"}
    tables = {"network": network, "recipe": asdict(model.settings.recipe), "card": model.card}
    head = {"format": FORMAT, "family": FAMILY, "kind": model.settings.network.kind, "lang": model.card.get("lang", "")}
    head["labels"] = list(model.tagset.labels)
    write_card(folder, {**head, **tables})
