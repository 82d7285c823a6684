"""Layers that the networks share."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from innominate.detect.neural.readers.parts_of_speech import TAGS
from innominate.detect.neural.settings import Network
from innominate.detect.neural.vocabulary import Vocabulary

Batch = dict[str, Tensor]  # windows in arrays: words, chars, shapes, lengths, and what else is read of each piece


class LockedDropout(nn.Module):
    """Hides the same components at every piece of a window (variational dropout)."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, states: Tensor) -> Tensor:
        """Drop components while training."""
        if not self.training or not self.rate:
            return states
        kept = torch.empty(states.shape[0], 1, states.shape[2], device=states.device, dtype=states.dtype)
        return states * kept.bernoulli_(1 - self.rate) / (1 - self.rate)


class Letters(nn.Module):
    """Reads the characters of a piece, by convolutions (Ma and Hovy 2016) or by an LSTM (Lample 2016)."""

    def __init__(self, network: Network, chars: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(chars, network.letter, padding_idx=0)
        self.by_lstm = network.letters == "lstm"
        if self.by_lstm:
            self.lstm = nn.LSTM(network.letter, network.filters, batch_first=True, bidirectional=True)
            self.size = 2 * network.filters
        else:
            self.widths = nn.ModuleList(
                nn.Conv1d(network.letter, network.filters, width, padding=width // 2) for width in network.widths
            )
            self.size = network.filters * len(network.widths)

    def forward(self, chars: Tensor) -> Tensor:
        """Windows x pieces x letters to windows x pieces x size."""
        windows, pieces, letters = chars.shape
        states = self.embed(chars.reshape(windows * pieces, letters))
        if self.by_lstm:
            _, (hidden, _) = self.lstm(states)
            read = torch.cat([hidden[0], hidden[1]], 1)
        else:
            states = states.transpose(1, 2)
            read = torch.cat([torch.relu(conv(states)).amax(2) for conv in self.widths], 1)
        return read.reshape(windows, pieces, self.size)


class Mixture(nn.Module):
    """One vector of a piece from all layers of a language model: learnt weights that sum to one, and a scale (Peters 2018).

    Each layer is normalised first, because the words themselves are much larger numbers than the states of an LSTM.
    """

    def __init__(self, layers: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.weights = nn.Parameter(torch.zeros(layers))
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, layers: Tensor) -> Tensor:
        """Windows x pieces x (layers x size) to windows x pieces x size."""
        apart = layers.to(self.weights.dtype).chunk(len(self.weights), 2)  # no new shape: ONNX keeps the number of pieces open
        even = [nn.functional.layer_norm(layer, (self.size,)) for layer in apart]
        mixed = [share * layer for share, layer in zip(self.weights.softmax(0), even, strict=True)]
        return self.scale * torch.stack(mixed).sum(0)


class NetworkInputs(nn.Module):
    """Words, characters and shapes side by side, with what language models and parts of speech say where they are read."""

    def __init__(self, network: Network, vocabulary: Vocabulary, states: int = 0) -> None:
        super().__init__()
        self.word_dropout = network.word_dropout
        self.words = nn.Embedding(len(vocabulary.words), network.words, padding_idx=0) if network.words else None
        self.letters = Letters(network, len(vocabulary.chars)) if network.letters != "none" else None
        self.shapes = nn.Embedding(len(vocabulary.shapes), network.shapes, padding_idx=0) if network.shapes else None
        self.mixture = Mixture(network.lm_layers, network.lm_size) if network.lm_layers else None
        self.parts = nn.Embedding(len(TAGS) + 1, network.parts, padding_idx=0) if network.parts else None
        self.size = network.words + network.shapes + network.lm_size + network.parts + states
        self.size += self.letters.size if self.letters else 0

    def forward(self, batch: Batch) -> Tensor:
        """Put together what a batch says of each piece; characters may have been read before, as `spelt`."""
        known = []
        if self.words is not None:
            words = batch["words"]
            if self.training and self.word_dropout:
                hidden = torch.rand(words.shape, device=words.device) < self.word_dropout
                words = torch.where(hidden & (words > 0), torch.ones_like(words), words)
            known.append(self.words(words))
        if self.letters is not None:
            known.append(batch["spelt"] if "spelt" in batch else self.letters(batch["chars"]))
        if self.shapes is not None:
            known.append(self.shapes(batch["shapes"]))
        if self.mixture is not None:
            known.append(self.mixture(batch["layers"]))
        if self.parts is not None:
            known.append(self.parts(batch["parts"]))
        if "states" in batch:
            known.append(batch["states"].to(known[0].dtype if known else torch.float32))
        return torch.cat(known, 2)


class BiLstm(nn.Module):
    """A bidirectional LSTM that begins at the end of each window on its way back.

    Two one-way LSTMs and a reversal by index instead of packed sequences: exports to ONNX as it is.
    """

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.ahead = nn.LSTM(size, hidden, batch_first=True)
        self.behind = nn.LSTM(size, hidden, batch_first=True)
        with torch.no_grad():  # remember from the start (Jozefowicz 2015)
            for lstm in (self.ahead, self.behind):
                bias: Any = lstm.bias_ih_l0
                bias[hidden : 2 * hidden].fill_(1.0)

    def forward(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Read windows in both directions."""
        places = torch.arange(states.shape[1], device=states.device).unsqueeze(0)
        ends = lengths.to(states.device).unsqueeze(1)
        back = torch.where(places < ends, ends - 1 - places, places).unsqueeze(2)
        ahead, _ = self.ahead(states)
        behind, _ = self.behind(states.gather(1, back.expand(-1, -1, states.shape[2])))
        return torch.cat([ahead, behind.gather(1, back.expand(-1, -1, behind.shape[2]))], 2)
