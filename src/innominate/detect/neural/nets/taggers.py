"""The networks that tag: BiLSTMs with softmax or CRF, and cross-view training over them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from innominate.detect.neural.nets.crf import Crf
from innominate.detect.neural.nets.layers import Batch, BiLstm, LockedDropout, NetworkInputs
from innominate.detect.neural.settings import Network
from innominate.detect.neural.vocabulary import Vocabulary


class Labelling(nn.Module):
    """A network whose `forward` gives one score per tag (windows x pieces x tags); with a CRF over them, or a softmax."""

    crf: Crf | None

    def __init__(self, network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> None:
        super().__init__()
        self.inputs = NetworkInputs(network, vocabulary, states)
        self.dropout = LockedDropout(network.dropout)

    def loss(self, batch: Batch, smoothing: float = 0.0) -> Tensor:
        """Learn from gold tags."""
        emissions = self(batch)
        if self.crf is not None:
            return self.crf.loss(emissions, batch["tags"], batch["mask"])
        return cross_entropy(emissions, batch, smoothing)

    def best(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """The best tags."""
        return self.crf.best(emissions, mask) if self.crf is not None else emissions.argmax(2) * mask


def cross_entropy(emissions: Tensor, batch: Batch, smoothing: float = 0.0) -> Tensor:
    """Softmax loss over the pieces that are there."""
    tags = batch["tags"].masked_fill(~batch["mask"], -100)  # not selected by the mask: that would wait for the GPU
    flat = emissions.float().flatten(0, 1)
    return nn.functional.cross_entropy(flat, tags.flatten(), ignore_index=-100, label_smoothing=smoothing)


class BiLstmTagger(Labelling):
    """Inputs, BiLSTM layers, one score per tag, and a CRF where the kind has one."""

    def __init__(self, network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> None:
        super().__init__(network, vocabulary, tags, states)
        sizes = [self.inputs.size, *[2 * network.hidden] * (network.layers - 1)]
        self.layers = nn.ModuleList(BiLstm(size, network.hidden) for size in sizes)
        self.out = nn.Linear(2 * network.hidden, tags)
        self.crf = Crf(tags) if network.crf else None

    def forward(self, batch: Batch) -> Tensor:
        """Return emissions."""
        read = self.dropout(self.inputs(batch))
        for layer in self.layers:
            read = self.dropout(layer(read, batch["lengths"]))
        scores: Tensor = self.out(read)
        return scores


class Predictor(nn.Module):
    """A hidden layer and one score per tag."""

    def __init__(self, size: int, hidden: int, tags: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, tags))

    def forward(self, states: Tensor) -> Tensor:
        """Score tags."""
        scores: Tensor = self.layers(states)
        return scores


class CrossView(Labelling):
    """Two BiLSTM layers; the primary predictor reads both, four others one direction of the first (Clark 2018).

    Those that see a part of the text learn from the one that sees all of it.
    """

    def __init__(self, network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> None:
        super().__init__(network, vocabulary, tags, states)
        second = network.second or network.hidden
        self.first = BiLstm(self.inputs.size, network.hidden)
        self.second = BiLstm(2 * network.hidden, second)
        self.primary = Predictor(2 * network.hidden + 2 * second, second, tags)
        self.crf = Crf(tags) if network.crf else None
        self.views = nn.ModuleDict(
            {name: Predictor(network.hidden, second, tags) for name in ("ahead", "behind", "future", "past")}
        )

    def _read(self, batch: Batch) -> tuple[Tensor, Tensor]:
        states = self.dropout(self.inputs(batch))
        first = self.first(states, batch["lengths"])
        return first, self.second(self.dropout(first), batch["lengths"])

    def forward(self, batch: Batch) -> Tensor:
        """Return what the primary predictor says."""
        first, second = self._read(batch)
        scores: Tensor = self.primary(self.dropout(torch.cat([first, second], 2)))
        return scores

    def measure_unlabelled_loss(self, batch: Batch, dropout: float) -> Tensor:
        """Learn from the primary predictor, which itself learns nothing here: KL, summed over the four views."""
        self.eval()
        with torch.no_grad():
            emissions = self(batch).float()
            teacher = emissions.softmax(2) if self.crf is None else self.crf.marginals(emissions, batch["mask"])
        self.train()
        rate, self.dropout.rate = self.dropout.rate, dropout
        first, _ = self._read(batch)
        first = self.dropout(first)
        self.dropout.rate = rate
        ahead, behind = first.chunk(2, 2)
        mask = batch["mask"]
        loss = _divergence(teacher, self.views["ahead"](ahead), mask) + _divergence(
            teacher, self.views["behind"](behind), mask
        )
        # `future` reads up to a piece and guesses the tag of the next; `past` the other way round.
        loss = loss + _divergence(teacher[:, 1:], self.views["future"](ahead)[:, :-1], mask[:, 1:])
        return loss + _divergence(teacher[:, :-1], self.views["past"](behind)[:, 1:], mask[:, 1:])


def _divergence(teacher: Tensor, student: Tensor, mask: Tensor) -> Tensor:
    """KL(teacher || student) per piece."""
    away = torch.nn.functional.kl_div(student.float().log_softmax(2), teacher, reduction="none").sum(2)
    return (away * mask).sum() / mask.sum()


def build(network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> Labelling:
    """Make a network with random weights; `states` is the size of what character language models say of a piece."""
    return (CrossView if network.views else BiLstmTagger)(network, vocabulary, tags, states)
