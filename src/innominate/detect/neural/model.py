"""A trained network as a folder: `model.toml`, `vocabulary.json`, `weights.safetensors`, `model.onnx`. Never pickle."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from innominate.core import UsageError
from innominate.detect.models.cards import load_card, write_card
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.settings import NeuralSettings, settings_of
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.vocabulary import Vocabulary

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
    try:
        words, chars, shapes = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} is no neural model: {type(error).__name__}; copy the whole folder") from None
    settings = settings_of(content, content["kind"])
    tagset = Tagset(tuple(content["labels"]), settings.network.scheme)
    return NeuralModel(
        settings, tagset, Vocabulary(tuple(words), tuple(chars), tuple(shapes)), _chain(folder), content["card"]
    )


def _chain(folder: Path) -> Chain:
    from safetensors.numpy import load_file

    tensors = load_file(folder / "chain.safetensors")
    return Chain(*(tensors[name].astype(np.float32) for name in ("transitions", "start", "end")))


def save_model(model: NeuralModel, folder: Path) -> None:
    """Write what `load_model` reads."""
    from dataclasses import asdict

    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [model.vocabulary.words, model.vocabulary.chars, model.vocabulary.shapes]
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    chain = {name: getattr(model.chain, name).astype(np.float32) for name in ("transitions", "start", "end")}
    save_file(chain, folder / "chain.safetensors")
    network = {name: value for name, value in asdict(model.settings.network).items() if name != "kind"}
    tables = {"network": network, "recipe": asdict(model.settings.recipe), "card": model.card}
    head = {"format": FORMAT, "family": FAMILY, "kind": model.settings.network.kind, "lang": model.card.get("lang", "")}
    head["labels"] = list(model.tagset.labels)
    write_card(folder, {**head, **tables})
