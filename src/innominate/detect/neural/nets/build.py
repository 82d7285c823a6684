"""From settings to a network."""

from __future__ import annotations

from torch import nn

from innominate.detect.neural.nets.tagger import BiLstmTagger
from innominate.detect.neural.nets.views import CrossView
from innominate.detect.neural.settings import Network
from innominate.detect.neural.vocabulary import Vocabulary


def build(network: Network, vocabulary: Vocabulary, tags: int, states: int = 0) -> nn.Module:
    """Make a network with random weights; `states` is the size of what language models say of a piece."""
    return (CrossView if network.views else BiLstmTagger)(network, vocabulary, tags, states)
