"""Borrowing an encoder that somebody else has trained: it reads notes for a network that learns, and stays as it is."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file

import innominate
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import export_encoder
from innominate.detect.neural.nets.borrowed_encoder import BorrowedEncoder, EncoderShape
from innominate.detect.neural.readers.encoder import FAMILY, FORMAT, GRAPH, EncoderCard, EncoderReader, load_encoder_card
from innominate.detect.neural.training import bert_files
from innominate.detect.neural.training.steps import WEIGHTS, run_with_torch


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
    shape = bert_files.read_shape(source, layers)
    pieces = bert_files.read_word_pieces(source, shape.words)
    net = BorrowedEncoder(shape)
    net.load_state_dict(bert_files.read_weights(source, net.state_dict()))
    card = {
        "innominate": innominate.__version__,
        "borrowed": source.name,
        "sha256": hashlib.sha256((source / bert_files.WEIGHTS).read_bytes()).hexdigest(),
        "on": time.strftime("%Y-%m-%d"),
    }
    _write(Borrowed(EncoderCard(pieces, asdict(shape)), net.eval()), card, folder)
    return {**card, **asdict(shape)}


def _write(encoder: Borrowed, card: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    export_encoder(encoder.net, folder / f"{GRAPH}.onnx")
    save_file({name: value.contiguous() for name, value in encoder.net.state_dict().items()}, folder / WEIGHTS)
    pieces = encoder.card.pieces
    (folder / "vocabulary.json").write_text(json.dumps(pieces.words, ensure_ascii=False), encoding="utf-8")
    tables = {"shape": encoder.card.sizes, "writing": {"lower": pieces.lower, "bare": pieces.bare}, "card": card}
    write_card(folder, {"format": FORMAT, "family": FAMILY, **tables})


def load_borrowed(folder: Path) -> Borrowed:
    """Read what `borrow` wrote, to train with."""
    card = load_encoder_card(folder)
    net = BorrowedEncoder(EncoderShape(**card.sizes))
    net.load_state_dict(load_file(folder / WEIGHTS))
    return Borrowed(card, net.eval())
