"""The files that encoders of the BERT family are passed on in: config.json, tokenizer.json or vocab.txt, model.safetensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from innominate.core import UsageError
from innominate.detect.neural.nets.borrowed_encoder import EncoderShape
from innominate.detect.neural.readers.encoder import OVERLAP
from innominate.detect.neural.readers.word_pieces import BEGIN, END, UNKNOWN, WordPieces

WEIGHTS = "model.safetensors"
_WINDOW = 256  # word pieces; more at once is slower, and says little more of a name
_COMPUTES = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
_INPUTS = {  # our names and theirs
    "words": "embeddings.word_embeddings",
    "positions": "embeddings.position_embeddings",
    "normal": "embeddings.LayerNorm",
}
_FIRST_TEXT = "embeddings.token_type_embeddings.weight"
_LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "between": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "after": "output.LayerNorm",
}
_OLD = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
_NO_BERT = "only encoders of the BERT family can be borrowed"


def read_shape(source: Path, layers: int) -> EncoderShape:
    """The sizes, if the folder holds an encoder as BERT is one; `layers` of the last ones are read, or all."""
    config = _json(source / "config.json")
    for name, wanted in _COMPUTES.items():
        if (has := config.get(name, wanted)) != wanted:
            raise UsageError(f"{source}: config.json says {name} = {has!r}; only encoders with {wanted!r} can be borrowed")
    try:
        depth, window = config["num_hidden_layers"], min(_WINDOW, config["max_position_embeddings"])
        shape = EncoderShape(
            words=config["vocab_size"],
            depth=depth,
            size=config["hidden_size"],
            heads=config["num_attention_heads"],
            wide=config["intermediate_size"],
            window=window,
            read=layers or depth + 1,
            epsilon=config.get("layer_norm_eps", 1e-12),
        )
    except KeyError as error:
        raise UsageError(f"{source}: config.json says nothing of {error}; {_NO_BERT}") from None
    if not 0 < shape.read <= depth + 1:
        raise UsageError(f"{source} has {depth + 1} layers, the word pieces themselves included; {layers} cannot be read")
    if window - 2 <= OVERLAP:
        raise UsageError(f"{source} reads {window} word pieces at once; it has to read more than {OVERLAP + 2}")
    return shape


def read_word_pieces(source: Path, most: int) -> WordPieces:
    """The list of word pieces, and how text is written before it is split: of tokenizer.json, or of the two older files."""
    if (source / "tokenizer.json").exists():
        content = _json(source / "tokenizer.json")
        model, writing = content.get("model", {}), content.get("normalizer") or {}
        if model.get("type", "WordPiece") != "WordPiece" or writing.get("type", "BertNormalizer") != "BertNormalizer":
            raise UsageError(f"{source}: tokenizer.json splits words in another way than BERT does; {_NO_BERT}")
        words, lower = _in_order(model.get("vocab", {})), writing.get("lowercase", True)
    else:
        path = source / "tokenizer_config.json"
        writing = _json(path) if path.exists() else {}
        words, lower = _text(source / "vocab.txt").removesuffix("\n").split("\n"), writing.get("do_lower_case", True)
    bare = writing.get("strip_accents")  # by default accents go where capitals go
    found = WordPieces(tuple(words), lower, lower if bare is None else bare)
    if missing := [mark for mark in (BEGIN, END, UNKNOWN) if mark not in found.numbers]:
        raise UsageError(f"{source}: its vocabulary has no {', '.join(missing)}; {_NO_BERT}")
    if len(words) > most:
        raise UsageError(f"{source}: {len(words)} word pieces, but {most} by config.json; the files are of two models")
    return found


def _in_order(numbers: Mapping[str, int]) -> list[str]:
    """Words by their numbers; one that is left out stays empty.

    >>> _in_order({"dr": 2, "vu": 0})
    ['vu', '', 'dr']
    """
    words = [""] * (max(numbers.values(), default=-1) + 1)
    for word, number in numbers.items():
        words[number] = word
    return words


def read_weights(source: Path, ours: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Their weights by our names. There is one text at a time, so what marks the first of two is added to the positions."""
    theirs, found = _tensors(source), {}
    try:
        for name, like in ours.items():
            found[name] = theirs[their_name(name)].float()[: len(like)].clone()
        found["positions.weight"] += theirs[_FIRST_TEXT][0].float()
    except KeyError as error:
        raise UsageError(f"{source}: {WEIGHTS} has no {error}; {_NO_BERT}") from None
    if wrong := [name for name, like in ours.items() if found[name].shape != like.shape]:
        raise UsageError(
            f"{source}: {their_name(wrong[0])} has another size than config.json says; the files are of two models"
        )
    return found


def their_name(name: str) -> str:
    """What BERT calls a weight of ours.

    >>> their_name("layers.3.mix.bias"), their_name("words.weight")
    ('encoder.layer.3.attention.output.dense.bias', 'embeddings.word_embeddings.weight')
    """
    *where, part, kind = name.split(".")
    return f"encoder.layer.{where[1]}.{_LAYER[part]}.{kind}" if where else f"{_INPUTS[part]}.{kind}"


def _tensors(source: Path) -> dict[str, Tensor]:
    """All tensors, without the prefix of models that do more than encode, and with the names of today."""
    try:
        tensors = load_file(source / WEIGHTS)
    except (OSError, SafetensorError) as error:
        advice = "weights are read as safetensors, never pickled (pytorch_model.bin)"
        raise UsageError(f"{source}: {WEIGHTS} cannot be read: {type(error).__name__}; {advice}") from None
    return {_name_of_today(name.removeprefix("bert.")): value for name, value in tensors.items()}


def _name_of_today(name: str) -> str:
    return next((name.removesuffix(was) + now for was, now in _OLD.items() if name.endswith(was)), name)


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(_text(path))
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise UsageError(f"{path} is no JSON object; copy the folder of the encoder again")
    return content


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        wanted = f"an encoder is a folder with config.json, {WEIGHTS}, and tokenizer.json or vocab.txt"
        raise UsageError(f"{path} cannot be read: {type(error).__name__}; {wanted}") from None
