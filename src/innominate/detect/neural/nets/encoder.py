"""A small transformer over pieces, with a CRF; it can first learn from text alone by guessing hidden words."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from innominate.detect.neural.nets.crf import Crf
from innominate.detect.neural.nets.labelling import Batch, Labelling
from innominate.detect.neural.nets.layers import NetworkInputs
from innominate.detect.neural.settings import Network
from innominate.detect.neural.vocabulary import Vocabulary

_LONGEST = 512
_GUESSED = 0.15  # share of the words that are guessed (Devlin 2019)
_SHOWN = 0.1  # share of these that are not hidden, because none will be hidden later


class TransformerLayer(nn.Module):
    """Attention and a feed-forward network, normalised before each (written out so that ONNX keeps its shapes open)."""

    def __init__(self, size: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(size), nn.LayerNorm(size)
        self.ask, self.mix = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.think = nn.Sequential(nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, away: Tensor) -> Tensor:
        """`away` is a large negative number where there is no piece to look at."""
        parts = self.ask(self.before(states)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        looks = (query @ key.transpose(2, 3) / math.sqrt(query.shape[3]) + away).softmax(3)
        seen = (self.dropout(looks) @ value).transpose(1, 2).flatten(2)
        states = states + self.dropout(self.mix(seen))
        thought: Tensor = states + self.dropout(self.think(self.between(states)))
        return thought


class EncoderTagger(Labelling):
    """Inputs, positions, transformer layers, one score per tag."""

    def __init__(self, network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> None:
        super().__init__()
        self.inputs = NetworkInputs(network, vocabulary, states)
        self.project = nn.Linear(self.inputs.size, network.hidden)
        self.positions = nn.Embedding(_LONGEST, network.hidden)
        self.layers = nn.ModuleList(
            TransformerLayer(network.hidden, network.heads, network.dropout) for _ in range(network.layers)
        )
        self.after = nn.LayerNorm(network.hidden)
        self.dropout = nn.Dropout(network.dropout)
        self.out = nn.Linear(network.hidden, tags)
        self.guess = nn.Linear(network.hidden, len(vocabulary.words))
        self.crf = Crf(tags) if network.crf else None

    def read(self, words: Tensor, chars: Tensor, shapes: Tensor, lengths: Tensor, **more: Tensor) -> Tensor:
        """Return the states of the last layer."""
        places = torch.arange(words.shape[1], device=words.device)
        read = self.project(self.inputs(words, chars, shapes, **more)) + self.positions(places)
        absent = places.unsqueeze(0) >= lengths.to(words.device).unsqueeze(1)
        away = absent[:, None, None, :].to(read.dtype) * -10_000
        read = self.dropout(read)
        for layer in self.layers:
            read = layer(read, away)
        states_after: Tensor = self.dropout(self.after(read))
        return states_after

    def forward(self, words: Tensor, chars: Tensor, shapes: Tensor, lengths: Tensor, **more: Tensor) -> Tensor:
        """Return emissions: windows x pieces x tags."""
        scores: Tensor = self.out(self.read(words, chars, shapes, lengths, **more))
        return scores

    def masked_loss(self, batch: Batch) -> Tensor:
        """Learn from text alone: guess some of the words, most of them hidden with their characters and shapes.

        As many of each window, so that every batch has one shape and a GPU can replay its steps.
        """
        words, chars, shapes, there = batch["words"], batch["chars"], batch["shapes"], batch["mask"]
        dice = torch.rand(words.shape, device=words.device).masked_fill(~there, -1.0)
        chosen = dice.topk(max(1, round(_GUESSED * words.shape[1])), 1).indices
        shown = torch.rand(chosen.shape, device=words.device) < _SHOWN
        hidden = torch.zeros_like(there).scatter(1, chosen, ~shown) & there
        masked = [torch.where(hidden, torch.ones_like(given), given) for given in (words, shapes)]
        read = self.read(masked[0], torch.where(hidden.unsqueeze(2), 0, chars), masked[1], batch["lengths"])
        guesses = self.guess(read.gather(1, chosen.unsqueeze(2).expand(-1, -1, read.shape[2])))
        wanted = words.gather(1, chosen).long().masked_fill(~there.gather(1, chosen), -100)
        return nn.functional.cross_entropy(guesses.float().flatten(0, 1), wanted.flatten(), ignore_index=-100)
