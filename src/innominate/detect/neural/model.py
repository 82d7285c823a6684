"""A trained network as a folder: `model.toml`, `vocabulary.json`, `weights.safetensors`, `model.onnx`. Never pickle."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from innominate.core import UsageError
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.settings import Settings, settings_of
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.vocabulary import Vocabulary

FORMAT = 1
FAMILY = "neural"


@dataclass(frozen=True)
class Model:
    """Everything but the weights of the layers."""

    settings: Settings
    tagset: Tagset
    vocabulary: Vocabulary
    chain: Chain
    card: dict[str, Any] = field(default_factory=dict)


def load_model(folder: Path) -> Model:
    """Read a model, and say clearly when this version cannot."""
    try:
        content = tomllib.loads((folder / "model.toml").read_text(encoding="utf-8"))
        words, chars, shapes = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, ValueError) as error:
        advice = "train one with: innominate train bilstm-crf"
        raise UsageError(f"{folder} is no neural model: {type(error).__name__}; {advice}") from None
    if content.get("format") != FORMAT:
        made_by = content.get("card", {}).get("innominate", "unknown")
        raise UsageError(
            f"{folder}: the model has format {content.get('format')}, this version of Innominate reads format {FORMAT}; "
            f"train it again, or use the version that trained it ({made_by})"
        )
    settings = settings_of(content, content["kind"])
    tagset = Tagset(tuple(content["labels"]), settings.network.scheme)
    return Model(settings, tagset, Vocabulary(tuple(words), tuple(chars), tuple(shapes)), _chain(folder), content["card"])


def _chain(folder: Path) -> Chain:
    from safetensors.numpy import load_file

    tensors = load_file(folder / "chain.safetensors")
    return Chain(*(tensors[name].astype(np.float32) for name in ("transitions", "start", "end")))


def save_model(model: Model, folder: Path) -> None:
    """Write what `load_model` reads."""
    from dataclasses import asdict

    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [model.vocabulary.words, model.vocabulary.chars, model.vocabulary.shapes]
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    chain = {name: getattr(model.chain, name).astype(np.float32) for name in ("transitions", "start", "end")}
    save_file(chain, folder / "chain.safetensors")
    tables = {"network": asdict(model.settings.network), "recipe": asdict(model.settings.recipe), "card": model.card}
    head = {"format": FORMAT, "family": FAMILY, "kind": model.settings.network.kind, "lang": model.card.get("lang", "")}
    head["labels"] = list(model.tagset.labels)
    (folder / "model.toml").write_text(as_toml(head, tables), encoding="utf-8")


def as_toml(head: dict[str, Any], tables: dict[str, dict[str, Any]]) -> str:
    """Write values, then tables.

    >>> print(as_toml({"format": 1}, {"card": {"lang": "sv"}}), end="")
    format = 1
    <BLANKLINE>
    [card]
    lang = "sv"
    """
    lines = [f"{name} = {_value(value)}" for name, value in head.items()]
    for table, values in tables.items():
        lines += ["", f"[{table}]", *(f"{name} = {_value(value)}" for name, value in values.items() if name != "kind")]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    # JSON writes strings, numbers, true, false and lists as TOML does.
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
