"""A word-level language model in both directions, over words that are read by their characters (Peters 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from innominate.detect.neural.nets.layers import Letters
from innominate.detect.neural.readers.words import WAYS
from innominate.detect.neural.settings import Network

Memory = tuple[Tensor, Tensor]  # what the LSTMs carry over: layers x texts x hidden, twice


@dataclass(frozen=True, slots=True)
class WordLmShape:
    """The sizes of a model; two of 512 with 128 between them where Peters 2018 has 4,096 and 512."""

    hidden: int = 512
    projection: int = 128
    layers: int = 2
    letter: int = 16
    filters: int = 40
    widths: tuple[int, ...] = (1, 2, 3, 4, 5)


class Spelling(nn.Module):
    """A word's vector from its characters: convolutions, a highway layer, a projection. Both directions share it."""

    def __init__(self, shape: WordLmShape, chars: int) -> None:
        super().__init__()
        network = Network(letters="cnn", letter=shape.letter, filters=shape.filters, widths=shape.widths)
        self.letters = Letters(network, chars)
        self.gate, self.other = (nn.Linear(self.letters.size, self.letters.size) for _ in "ab")
        self.narrow = nn.Linear(self.letters.size, shape.projection)

    def forward(self, chars: Tensor) -> Tensor:
        """Texts x words x letters to texts x words x projection."""
        read = self.letters(chars)
        passed = torch.sigmoid(self.gate(read))
        vectors: Tensor = self.narrow(passed * torch.relu(self.other(read)) + (1 - passed) * read)
        return vectors


class Direction(nn.Module):
    """LSTM layers, each with a projection after it, and a shortcut past every one but the first.

    The projection stands outside the recurrence, because the LSTM of ONNX has none inside.
    """

    def __init__(self, shape: WordLmShape, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.lstms = nn.ModuleList(nn.LSTM(shape.projection, shape.hidden, batch_first=True) for _ in range(shape.layers))
        self.narrow = nn.ModuleList(nn.Linear(shape.hidden, shape.projection) for _ in range(shape.layers))

    def forward(self, vectors: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return all layers side by side, the last at the end, and the memory after them."""
        read, layers, memories = vectors, [], []
        for number, (lstm, narrow) in enumerate(zip(self.lstms, self.narrow, strict=True)):
            states, memory = lstm(self.dropout(read), (h[number : number + 1], c[number : number + 1]))
            read = narrow(states) + read if number else narrow(states)
            layers.append(read)
            memories.append(memory)
        after_h, after_c = (torch.cat([memory[which] for memory in memories]) for which in (0, 1))
        return torch.cat(layers, 2), after_h, after_c


class WordLanguageModel(nn.Module):
    """Guesses the next word from those before it and the word before from those after it.

    One adaptive softmax (Grave 2017) serves both: frequent words are quick to score, rare ones have smaller vectors.
    """

    def __init__(self, shape: WordLmShape, chars: int, words: int, *, cutoffs: list[int], dropout: float = 0.1) -> None:
        super().__init__()
        self.shape, self.cutoffs = shape, cutoffs
        self.spelling = Spelling(shape, chars)
        self.ways = nn.ModuleDict({way: Direction(shape, dropout) for way in WAYS})
        self.dropout = nn.Dropout(dropout)
        self.guess = nn.AdaptiveLogSoftmaxWithLoss(shape.projection, words, cutoffs, div_value=2.0)

    def blank(self, texts: int) -> Memory:
        """The memory before the first word."""
        zeros = torch.zeros(self.shape.layers, texts, self.shape.hidden, device=self.guess.head.weight.device)
        return zeros, zeros.clone()

    def loss(self, way: str, chars: Tensor, words: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """Nats per word of guessing each next one; the memory is carried over but not its history."""
        layers, h, c = self.ways[way](self.spelling(chars[:, :-1]), *memory)
        last = self.dropout(layers[:, :, -self.shape.projection :]).flatten(0, 1)
        with torch.autocast(last.device.type, enabled=False):  # the softmax mixes its parts in one precision
            loss: Tensor = self.guess(last.float(), words[:, 1:].flatten()).loss
        return loss, (h.detach(), c.detach())


def cutoffs_of(words: int) -> list[int]:
    """Where the adaptive softmax cuts the list of words, which begins with the frequent ones.

    >>> cutoffs_of(30_000), cutoffs_of(100), cutoffs_of(3)
    ([2000, 10000], [25, 50], [1])
    """
    wanted = (min(2_000, words // 4), min(10_000, words // 2))
    return sorted({cut for cut in wanted if 0 < cut < words} or {1})
