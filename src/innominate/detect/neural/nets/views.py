"""Cross-view training: predictors that see a part of the text learn from the one that sees all of it (Clark 2018)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from innominate.detect.neural.nets.crf import Crf
from innominate.detect.neural.nets.labelling import Batch, Labelling, beside
from innominate.detect.neural.nets.layers import BiLstm, LockedDropout, NetworkInputs
from innominate.detect.neural.settings import Network
from innominate.detect.neural.vocabulary import Vocabulary


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
    """Two BiLSTM layers; the primary predictor reads both, the four others one direction of the first."""

    def __init__(self, network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> None:
        super().__init__()
        second = network.second or network.hidden
        self.inputs = NetworkInputs(network, vocabulary, states)
        self.dropout = LockedDropout(network.dropout)
        self.first = BiLstm(self.inputs.size, network.hidden)
        self.second = BiLstm(2 * network.hidden, second)
        self.primary = Predictor(2 * network.hidden + 2 * second, second, tags)
        self.crf = Crf(tags) if network.crf else None
        self.views = nn.ModuleDict(
            {name: Predictor(network.hidden, second, tags) for name in ("ahead", "behind", "future", "past")}
        )

    def _read(self, batch: Batch) -> tuple[Tensor, Tensor]:
        states = self.dropout(self.inputs(batch["words"], batch["chars"], batch["shapes"], **beside(batch)))
        first = self.first(states, batch["lengths"])
        return first, self.second(self.dropout(first), batch["lengths"])

    def forward(self, words: Tensor, chars: Tensor, shapes: Tensor, lengths: Tensor, **more: Tensor) -> Tensor:
        """Return what the primary predictor says."""
        first, second = self._read({"words": words, "chars": chars, "shapes": shapes, "lengths": lengths, **more})
        scores: Tensor = self.primary(self.dropout(torch.cat([first, second], 2)))
        return scores

    def unlabelled_loss(self, batch: Batch, dropout: float) -> Tensor:
        """Learn from the primary predictor, which itself learns nothing here: KL, summed over the four views."""
        self.eval()
        with torch.no_grad():
            emissions = self.emissions(batch).float()
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
