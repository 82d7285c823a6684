"""The networks: an encoder over word parts, a teacher that tags with it, a small student that reads words (Hinton 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from innominate.detect.contextual.byte_pairs import PAD
from innominate.detect.contextual.reading import LENGTHS, SLOTS

_AWAY = -1e4  # added to what attention makes of a place where nothing is


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of an encoder."""

    parts: int  # of the vocabulary
    layers: int = 12
    width: int = 512
    heads: int = 8
    window: int = 384  # parts that are read together

    @property
    def looks(self) -> int:
        """Width of attention, all heads together."""
        return self.width

    @property
    def inner(self) -> int:
        """Width of the feed-forward network."""
        return 4 * self.width


@dataclass(frozen=True, slots=True)
class StudentShape:
    """The size of a student."""

    parts: int
    tags: int
    layers: int = 6
    width: int = 256
    heads: int = 4
    looks: int = 128
    inner: int = 640
    window: int = 256  # words


class Matrix(nn.Module):
    """A matrix product. Its weight is stored as it is multiplied, so that the served graph keeps its name (`graphs.py`)."""

    def __init__(self, inputs: int, outputs: int, *, bias: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inputs, outputs) * inputs**-0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, given: Tensor) -> Tensor:
        """Multiply."""
        product = given @ self.weight
        return product if self.bias is None else product + self.bias


class Layer(nn.Module):
    """Attention, then a feed-forward network, each normalised before. A student's has biases, and bends by ReLU."""

    def __init__(self, shape: Shape | StudentShape, dropout: float) -> None:
        super().__init__()
        self.heads, bias = shape.heads, isinstance(shape, StudentShape)
        self.bend = functional.relu if bias else functional.gelu
        self.before, self.between = (nn.LayerNorm(shape.width, bias=bias) for _ in range(2))
        self.ask, self.mix = Matrix(shape.width, 3 * shape.looks, bias=bias), Matrix(shape.looks, shape.width, bias=bias)
        self.widen, self.narrow = Matrix(shape.width, shape.inner, bias=bias), Matrix(shape.inner, shape.width, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, turns: tuple[Tensor, Tensor], away: Tensor | None) -> Tensor:
        """`turns` rotate queries and keys by their places; `away` is a large negative number where nothing is to be seen."""
        query, key, value = self.ask(self.before(states)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        away = None if away is None else away.to(query.dtype)
        seen = functional.scaled_dot_product_attention(rotate(query, *turns), rotate(key, *turns), value, away)
        states = states + self.dropout(self.mix(seen.transpose(1, 2).flatten(2)))
        thought: Tensor = states + self.dropout(self.narrow(self.bend(self.widen(self.between(states)))))
        return thought


class Stack(nn.Module):
    """Layers one above the other, with rotary positions (Su 2021)."""

    cos: Tensor
    sin: Tensor

    def __init__(self, shape: Shape | StudentShape, dropout: float) -> None:
        super().__init__()
        bias = isinstance(shape, StudentShape)
        self.embed = nn.Embedding(shape.parts, shape.width, padding_idx=PAD)
        self.first, self.last = (nn.LayerNorm(shape.width, bias=bias) for _ in range(2))
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.dropout = nn.Dropout(dropout)
        cos, sin = measure_turns(shape.window, shape.looks // shape.heads)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def climb(self, vectors: Tensor, there: Tensor | None) -> Tensor:
        """The states above all layers; `there` is false where nothing is, or None where all is full."""
        turns = (self.cos[: vectors.shape[1]], self.sin[: vectors.shape[1]])
        away = None if there is None else (~there)[:, None, None, :].to(vectors.dtype) * _AWAY
        states = self.dropout(self.first(vectors))
        for layer in self.layers:
            states = layer(states, turns, away)
        read: Tensor = self.last(states)
        return read


class Encoder(Stack):
    """Word parts in, one state for each out."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__(shape, dropout)
        self.shape = shape
        nn.init.normal_(self.embed.weight, std=0.02)
        for name, weight in self.named_parameters():
            if name.endswith(("mix.weight", "narrow.weight")):  # so that depth does not blow up the sum
                weight.data.mul_((2 * len(self.layers)) ** -0.5)

    def forward(self, parts: Tensor, there: Tensor | None = None) -> Tensor:
        """`parts` is windows x parts; `there` says which of them are no padding."""
        return self.climb(self.embed(parts), there)


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


class Tagger(nn.Module):
    """An encoder and one score a tag at each part; those at the first parts of words count."""

    def __init__(self, encoder: Encoder, tags: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.out = Matrix(encoder.shape.width, tags, bias=True)

    @property
    def shape(self) -> Shape:
        """The size of the encoder."""
        return self.encoder.shape

    def forward(self, parts: Tensor) -> Tensor:
        """Scores: windows x parts x tags."""
        scores: Tensor = self.out(self.dropout(self.encoder(parts, parts != PAD)))
        return scores

    def score_words(self, parts: Tensor, begins: Tensor) -> Tensor:
        """Scores of all words of some windows, one after the other."""
        scores: Tensor = self(parts)[begins]
        return scores


class Student(Stack):
    """Words as slots of parts in, one score a tag out."""

    def __init__(self, shape: StudentShape, teacher_width: int = 512, dropout: float = 0.0) -> None:
        super().__init__(shape, dropout)
        self.shape = shape
        self.places = nn.Parameter(torch.ones(SLOTS, shape.width) + 0.2 * torch.randn(SLOTS, shape.width))  # of parts in words
        self.lengths = nn.Embedding(LENGTHS, shape.width)
        self.out = Matrix(shape.width, shape.tags, bias=True)
        self.imitate = Matrix(shape.width, teacher_width, bias=True)  # only while it learns
        nn.init.normal_(self.embed.weight, std=0.05)
        nn.init.normal_(self.lengths.weight, std=0.05)

    def read(self, slots: Tensor, lengths: Tensor) -> Tensor:
        """States of words; `slots` is windows x words x slots, `lengths` the number of parts of each word, 0 where none is."""
        return self.climb((self.embed(slots) * self.places).sum(2) + self.lengths(lengths), lengths > 0)

    def forward(self, slots: Tensor, lengths: Tensor) -> Tensor:
        """Scores: windows x words x tags."""
        scores: Tensor = self.out(self.read(slots, lengths))
        return scores

    def score_words(self, parts: Tensor, begins: Tensor) -> Tensor:
        """Scores of all words of some windows, one after the other; no window has more words than the student reads."""
        slots, lengths, _ = gather_words(parts, begins, min(self.shape.window, int(begins.sum(1).max())))
        scores: Tensor = self(slots, lengths)[lengths > 0]
        return scores


def gather_words(parts: Tensor, begins: Tensor, words: int) -> tuple[Tensor, Tensor, Tensor]:
    """Slots and lengths of words from flat parts, and where each word begins; `begins` is true at first parts."""
    there = parts != PAD
    index = begins.long().cumsum(1) - 1  # the word of each part
    inside = there & (index >= 0) & (index < words)
    places = torch.arange(parts.shape[1], device=parts.device).expand_as(parts)
    spot = index.clamp(0, words - 1)
    lengths = torch.zeros(parts.shape[0], words, dtype=torch.long, device=parts.device)
    lengths.scatter_add_(1, spot, inside.long())
    firsts = torch.zeros_like(lengths)
    chosen = begins & inside
    firsts.scatter_add_(1, spot, places * chosen)
    offset = places - firsts.gather(1, spot)
    behind = lengths.gather(1, spot) - 1 - offset
    half = SLOTS // 2
    slot = torch.where(lengths.gather(1, spot) <= SLOTS, offset, torch.where(offset < half, offset, SLOTS - 1 - behind))
    keep = inside & (slot >= 0) & (slot < SLOTS) & ((offset < half) | (behind < half) | (lengths.gather(1, spot) <= SLOTS))
    flat = torch.zeros(parts.shape[0], words * SLOTS, dtype=torch.long, device=parts.device)
    flat.scatter_add_(1, (spot * SLOTS + slot.clamp(0, SLOTS - 1)), parts.long() * keep)
    return flat.view(-1, words, SLOTS), lengths.clamp(max=LENGTHS - 1), firsts


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
