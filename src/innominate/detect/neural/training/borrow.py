"""Borrowing an encoder that somebody else has trained: it reads notes for a network that learns, and stays as it is."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

import innominate
from innominate.core import Document
from innominate.detect.models.cards import write_card
from innominate.detect.neural.export import export_encoder
from innominate.detect.neural.nets.borrowed_encoder import BorrowedEncoder, EncoderShape
from innominate.detect.neural.readers.encoder import FAMILY, FORMAT, GRAPH, EncoderCard, EncoderReader, load_encoder_card
from innominate.detect.neural.training import bert_files
from innominate.detect.neural.training.lessons import Lesson

WEIGHTS = "weights.safetensors"


@dataclass(frozen=True)
class Borrowed:
    """An encoder and what is known of it."""

    card: EncoderCard
    net: BorrowedEncoder

    @property
    def layers(self) -> int:
        """Layers that can be mixed."""
        return self.card.layers

    @property
    def size(self) -> int:
        """Numbers in each layer."""
        return self.card.size

    def with_layers(self, lessons: Sequence[Lesson], documents: Sequence[Document], device: str) -> list[Lesson]:
        """Add to every note what the encoder makes of each piece."""
        net = self.net.to(device).eval()

        @torch.no_grad()
        def run(numbers: NDArray[np.int64]) -> NDArray[np.float16]:
            with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                layers: NDArray[np.float16] = net(torch.from_numpy(numbers).to(device)).half().cpu().numpy()
            return layers

        found = EncoderReader(self.card, run).read([each.text for each in documents], [each.places for each in lessons])
        return [replace(each, layers=layers) for each, layers in zip(lessons, found, strict=True)]


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
