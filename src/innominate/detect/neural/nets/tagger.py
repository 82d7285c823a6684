"""The BiLSTM taggers: with softmax or CRF, with or without language models and parts of speech."""

from __future__ import annotations

from torch import Tensor, nn

from innominate.detect.neural.nets.crf import Crf
from innominate.detect.neural.nets.labelling import Labelling
from innominate.detect.neural.nets.layers import BiLstm, LockedDropout, NetworkInputs
from innominate.detect.neural.settings import Network
from innominate.detect.neural.vocabulary import Vocabulary


class BiLstmTagger(Labelling):
    """Inputs, BiLSTM layers, one score per tag, and a CRF where the kind has one."""

    def __init__(self, network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> None:
        super().__init__()
        self.inputs = NetworkInputs(network, vocabulary, states)
        self.dropout = LockedDropout(network.dropout)
        sizes = [self.inputs.size, *[2 * network.hidden] * (network.layers - 1)]
        self.layers = nn.ModuleList(BiLstm(size, network.hidden) for size in sizes)
        self.out = nn.Linear(2 * network.hidden, tags)
        self.crf = Crf(tags) if network.crf else None

    def forward(self, words: Tensor, chars: Tensor, shapes: Tensor, lengths: Tensor, **more: Tensor) -> Tensor:
        """Return emissions: windows x pieces x tags."""
        read = self.dropout(self.inputs(words, chars, shapes, **more))
        for layer in self.layers:
            read = self.dropout(layer(read, lengths))
        scores: Tensor = self.out(read)
        return scores
