"""An encoder that somebody else has trained, as BERT computes it (Devlin 2019); it is read, never taught."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class EncoderShape:
    """The sizes of an encoder."""

    words: int  # word pieces that it knows
    depth: int  # layers above the word pieces themselves
    size: int
    heads: int
    wide: int  # of the feed-forward part
    window: int  # word pieces read at once
    read: int  # how many of the last layers are given, the word pieces themselves being the first
    epsilon: float = 1e-12  # of the normalisations


class BorrowedLayer(nn.Module):
    """Attention and a feed-forward network, normalised after each."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query, self.key, self.value, self.mix = (nn.Linear(shape.size, shape.size) for _ in range(4))
        self.between, self.after = (nn.LayerNorm(shape.size, shape.epsilon) for _ in range(2))
        self.widen, self.narrow = nn.Linear(shape.size, shape.wide), nn.Linear(shape.wide, shape.size)

    def forward(self, states: Tensor) -> Tensor:
        """Windows x word pieces x size to the same; windows are full, so nothing is hidden."""
        asked = (part(states).unflatten(2, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value))
        seen = nn.functional.scaled_dot_product_attention(*asked)
        states = self.between(states + self.mix(seen.transpose(1, 2).flatten(2)))
        thought: Tensor = self.after(states + self.narrow(nn.functional.gelu(self.widen(states))))
        return thought


class BorrowedEncoder(nn.Module):
    """Word pieces, positions, and layers one above the other."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.size)
        self.positions = nn.Embedding(shape.window, shape.size)
        self.normal = nn.LayerNorm(shape.size, shape.epsilon)
        self.layers = nn.ModuleList(BorrowedLayer(shape) for _ in range(shape.depth))

    def forward(self, numbers: Tensor) -> Tensor:
        """Windows x word pieces to windows x word pieces x (layers x size): the last layers that are read, side by side."""
        places = torch.arange(numbers.shape[1], device=numbers.device)
        found = [self.normal(self.words(numbers) + self.positions(places))]
        for layer in self.layers:
            found.append(layer(found[-1]))
        return torch.cat(found[len(found) - self.shape.read :], 2)
