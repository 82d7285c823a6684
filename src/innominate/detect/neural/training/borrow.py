"""Borrowing an encoder that somebody else has trained: it reads notes for a network that learns, and stays as it is.

It comes in the files that encoders of the BERT family are passed on in: config.json, tokenizer.json or vocab.txt,
model.safetensors.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

import innominate
from innominate.core import UsageError
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import export_encoder
from innominate.detect.neural.nets.borrowed_encoder import BorrowedEncoder, EncoderShape
from innominate.detect.neural.readers.encoder import (
    FAMILY,
    FORMAT,
    GRAPH,
    OVERLAP,
    EncoderCard,
    EncoderReader,
    load_encoder_card,
)
from innominate.detect.neural.readers.word_pieces import BEGIN, END, UNKNOWN, WordPieces
from innominate.detect.neural.training.steps import WEIGHTS, run_with_torch, write_weights
from innominate.detect.neural.vocabulary import write_lists

_THEIRS = "model.safetensors"
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


@dataclass(frozen=True)
class Borrowed:
    """An encoder and what is known of it."""

    card: EncoderCard
    net: BorrowedEncoder

    def reader(self, device: str) -> EncoderReader:
        """What reads notes with it."""
        return EncoderReader(self.card, run_with_torch(self.net, device))


def borrow(source: Path, folder: Path, layers: int = 0) -> dict[str, Any]:
    """Read the encoder of `source` and write a folder that networks can read through; return its card.

    `layers` is how many of the last ones are given; by default all of them, and the word pieces themselves.
    """
    shape = read_shape(source, layers)
    pieces = read_word_pieces(source, shape.words)
    net = BorrowedEncoder(shape)
    net.load_state_dict(read_weights(source, net.state_dict()))
    card = {
        "innominate": innominate.__version__,
        "borrowed": source.name,
        "sha256": hashlib.sha256((source / _THEIRS).read_bytes()).hexdigest(),
        "on": time.strftime("%Y-%m-%d"),
    }
    _write(Borrowed(EncoderCard(pieces, asdict(shape)), net.eval()), card, folder)
    return {**card, **asdict(shape)}


def _write(encoder: Borrowed, card: dict[str, Any], folder: Path) -> None:
    pieces = encoder.card.pieces
    write_lists(folder, pieces.words)
    export_encoder(encoder.net, folder / f"{GRAPH}.onnx")
    write_weights(encoder.net, folder)
    tables = {"shape": encoder.card.sizes, "writing": {"lower": pieces.lower, "bare": pieces.bare}, "card": card}
    write_card(folder, {"format": FORMAT, "family": FAMILY, **tables})


def load_borrowed(folder: Path) -> Borrowed:
    """Read what `borrow` wrote, to train with."""
    card = load_encoder_card(folder)
    net = BorrowedEncoder(EncoderShape(**card.sizes))
    net.load_state_dict(load_file(folder / WEIGHTS))
    return Borrowed(card, net.eval())


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
        raise UsageError(f"{source}: {_THEIRS} has no {error}; {_NO_BERT}") from None
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
        tensors = load_file(source / _THEIRS)
    except (OSError, SafetensorError) as error:
        advice = "weights are read as safetensors, never pickled (pytorch_model.bin)"
        raise UsageError(f"{source}: {_THEIRS} cannot be read: {type(error).__name__}; {advice}") from None
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
        wanted = f"an encoder is a folder with config.json, {_THEIRS}, and tokenizer.json or vocab.txt"
        raise UsageError(f"{path} cannot be read: {type(error).__name__}; {wanted}") from None
