"""A transformer encoder over word parts: normalised before each step, with rotary positions (Su 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from innominate.detect.contextual.byte_pairs import PAD


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of an encoder."""

    parts: int  # of the vocabulary
    layers: int = 12
    width: int = 512
    heads: int = 8
    window: int = 384  # parts that are read together


class Matrix(nn.Module):
    """A matrix product. Its weight is stored as it is multiplied, so that the served graph keeps its name (`restore.py`)."""

    def __init__(self, inputs: int, outputs: int, *, bias: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inputs, outputs) * inputs**-0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, given: Tensor) -> Tensor:
        """Multiply."""
        product = given @ self.weight
        return product if self.bias is None else product + self.bias


class Layer(nn.Module):
    """Attention, then a feed-forward network."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.before, self.between = nn.LayerNorm(shape.width, bias=False), nn.LayerNorm(shape.width, bias=False)
        self.ask = Matrix(shape.width, 3 * shape.width)
        self.mix = Matrix(shape.width, shape.width)
        self.widen = Matrix(shape.width, 4 * shape.width)
        self.narrow = Matrix(4 * shape.width, shape.width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, turns: tuple[Tensor, Tensor], there: Tensor | None) -> Tensor:
        """`turns` rotate queries and keys by their places; `there` is false where nothing is to be seen."""
        query, key, value = self.ask(self.before(states)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        seen = functional.scaled_dot_product_attention(rotate(query, *turns), rotate(key, *turns), value, there)
        states = states + self.dropout(self.mix(seen.transpose(1, 2).flatten(2)))
        thought: Tensor = states + self.dropout(self.narrow(functional.gelu(self.widen(self.between(states)))))
        return thought


class Encoder(nn.Module):
    """Word parts in, one state for each out."""

    cos: Tensor
    sin: Tensor

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.parts, shape.width, padding_idx=PAD)
        self.first = nn.LayerNorm(shape.width, bias=False)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.width, bias=False)
        self.dropout = nn.Dropout(dropout)
        cos, sin = measure_turns(shape.window, shape.width // shape.heads)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self._begin()

    def forward(self, parts: Tensor, there: Tensor | None = None) -> Tensor:
        """`parts` is windows x parts; `there` says which of them are no padding."""
        turns = (self.cos[: parts.shape[1]], self.sin[: parts.shape[1]])
        states = self.dropout(self.first(self.embed(parts)))
        mask = None if there is None else there[:, None, None, :]
        for layer in self.layers:
            states = layer(states, turns, mask)
        read: Tensor = self.last(states)
        return read

    def _begin(self) -> None:
        nn.init.normal_(self.embed.weight, std=0.02)
        for name, weight in self.named_parameters():
            if name.endswith(("mix.weight", "narrow.weight")):  # so that depth does not blow up the sum
                weight.data.mul_((2 * len(self.layers)) ** -0.5)


class Guesser(nn.Module):
    """What an encoder learns from text alone: which part stood where one is hidden."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.think = Matrix(encoder.shape.width, encoder.shape.width)
        self.norm = nn.LayerNorm(encoder.shape.width, bias=False)
        self.bias = nn.Parameter(torch.zeros(encoder.shape.parts))

    def forward(self, parts: Tensor, chosen: Tensor) -> Tensor:
        """Scores of all parts at the chosen places (windows x chosen)."""
        states = self.encoder(parts)
        states = states.gather(1, chosen.unsqueeze(2).expand(-1, -1, states.shape[2]))
        states = self.norm(functional.gelu(self.think(states)))
        return functional.linear(states, self.encoder.embed.weight.to(states.dtype), self.bias.to(states.dtype))


def measure_turns(window: int, size: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the angle by which each pair of numbers turns at each place."""
    slow = 10_000.0 ** (-torch.arange(0, size, 2, dtype=torch.float32) / size)
    angles = torch.arange(window, dtype=torch.float32)[:, None] * slow
    return angles.cos(), angles.sin()


def rotate(given: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn the two halves of each state against each other."""
    one, two = given.chunk(2, dim=-1)
    cos, sin = cos.to(given.dtype), sin.to(given.dtype)
    return torch.cat((one * cos - two * sin, two * cos + one * sin), dim=-1)
