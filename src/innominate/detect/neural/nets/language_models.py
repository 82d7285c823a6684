"""Language models in both directions: over characters (Akbik 2018), and over words, read by their letters (Peters 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from innominate.detect.neural.nets.layers import Letters
from innominate.detect.neural.readers.graphs import WAYS
from innominate.detect.neural.settings import Network

Memory = tuple[Tensor, Tensor]  # what LSTMs carry over: layers x texts x hidden, twice


class CharLanguageModel(nn.Module):
    """Character vectors, one LSTM, one score per character: one direction. A backward model reads reversed text."""

    def __init__(self, chars: int, *, letter: int = 100, hidden: int = 1024, dropout: float = 0.1) -> None:
        super().__init__()
        self.embed = nn.Embedding(chars, letter)
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(letter, hidden, batch_first=True)
        self.out = nn.Linear(hidden, chars)
        for values in (self.embed.weight, self.out.weight):
            nn.init.uniform_(values, -0.1, 0.1)

    def blank(self, texts: int) -> Memory:
        """The memory before the first character."""
        zeros = torch.zeros(1, texts, self.lstm.hidden_size, device=self.embed.weight.device)
        return zeros, zeros.clone()

    def forward(self, chars: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the states after each character, and the memory to carry on from."""
        states, (after_h, after_c) = self.lstm(self.dropout(self.embed(chars)), (h, c))
        return states, after_h, after_c

    def loss(self, chars: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """Guess each next character; the memory is carried over but not its history."""
        read, h, c = self(chars[:, :-1], *memory)
        guessed = self.out(self.dropout(read)).float()
        loss = nn.functional.cross_entropy(guessed.flatten(0, 1), chars[:, 1:].flatten())
        return loss, (h.detach(), c.detach())


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
