"""A small network that reads words instead of their parts, and learns from a large one (Hinton 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from innominate.detect.contextual.byte_pairs import PAD
from innominate.detect.contextual.slots import LENGTHS, SLOTS
from innominate.detect.contextual.training.encoder import Matrix, measure_turns, rotate


@dataclass(frozen=True, slots=True)
class StudentShape:
    """The size of a student."""

    parts: int
    tags: int
    layers: int = 6
    width: int = 256
    heads: int = 4
    looks: int = 128  # width of attention, all heads together
    inner: int = 640
    window: int = 256  # words


class StudentLayer(nn.Module):
    """Attention and a narrow feed-forward network."""

    def __init__(self, shape: StudentShape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.before, self.between = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.ask, self.mix = Matrix(shape.width, 3 * shape.looks, bias=True), Matrix(shape.looks, shape.width, bias=True)
        self.widen, self.narrow = Matrix(shape.width, shape.inner, bias=True), Matrix(shape.inner, shape.width, bias=True)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, turns: tuple[Tensor, Tensor], away: Tensor) -> Tensor:
        """`away` is a large negative number where no word is."""
        parts = self.ask(self.before(states)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        query, key, value = rotate(parts[0], *turns), rotate(parts[1], *turns), parts[2]
        looks = (query @ key.transpose(2, 3) * query.shape[3] ** -0.5 + away).softmax(3)
        states = states + self.dropout(self.mix((looks @ value).transpose(1, 2).flatten(2)))
        thought: Tensor = states + self.dropout(self.narrow(functional.relu(self.widen(self.between(states)))))
        return thought


class Student(nn.Module):
    """Words as slots of parts in, one score a tag out."""

    cos: Tensor
    sin: Tensor

    def __init__(self, shape: StudentShape, teacher_width: int = 512, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.parts, shape.width, padding_idx=PAD)
        self.places = nn.Parameter(torch.ones(SLOTS, shape.width) + 0.2 * torch.randn(SLOTS, shape.width))  # of parts in words
        self.lengths = nn.Embedding(LENGTHS, shape.width)
        self.first = nn.LayerNorm(shape.width)
        self.layers = nn.ModuleList(StudentLayer(shape, dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.width)
        self.dropout = nn.Dropout(dropout)
        self.out = Matrix(shape.width, shape.tags, bias=True)
        self.imitate = Matrix(shape.width, teacher_width, bias=True)  # only while it learns
        cos, sin = measure_turns(shape.window, shape.looks // shape.heads)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        nn.init.normal_(self.embed.weight, std=0.05)
        nn.init.normal_(self.lengths.weight, std=0.05)

    def read(self, slots: Tensor, lengths: Tensor) -> Tensor:
        """States of words; `slots` is windows x words x slots, `lengths` the number of parts of each word, 0 where none is."""
        words = (self.embed(slots) * self.places).sum(2) + self.lengths(lengths)
        turns = (self.cos[: slots.shape[1]], self.sin[: slots.shape[1]])
        away = (lengths == 0)[:, None, None, :].to(words.dtype) * -1e4
        states = self.dropout(self.first(words))
        for layer in self.layers:
            states = layer(states, turns, away)
        read: Tensor = self.last(states)
        return read

    def forward(self, slots: Tensor, lengths: Tensor) -> Tensor:
        """Scores: windows x words x tags."""
        scores: Tensor = self.out(self.read(slots, lengths))
        return scores

    def score_words(self, parts: Tensor, begins: Tensor) -> Tensor:
        """Scores of all words of some windows, one after the other; no window has more words than the student reads."""
        slots, lengths, _ = gather_words(parts, begins, min(self.shape.window, int(begins.sum(1).max())))
        scores: Tensor = self(slots, lengths)[lengths > 0]
        return scores

    def imitate_words(self, parts: Tensor, begins: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all words, and what the student makes of its teacher's states there."""
        slots, lengths, _ = gather_words(parts, begins, self.shape.window)
        read = self.read(slots, lengths)[lengths > 0]
        return self.out(read), self.imitate(read)


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
