"""What every tagging network does with the scores of its tags."""

from __future__ import annotations

from torch import Tensor, nn

from innominate.detect.neural.nets.crf import Crf

Batch = dict[str, Tensor]
_BESIDE = ("states", "layers", "parts")


def beside(batch: Batch) -> Batch:
    """What a batch says of pieces beside words, characters and shapes: language models and parts of speech."""
    return {name: batch[name] for name in _BESIDE if name in batch}


class Labelling(nn.Module):
    """A network whose `forward` gives one score per tag; with a CRF over them, or a softmax."""

    crf: Crf | None

    def emissions(self, batch: Batch) -> Tensor:
        """The scores of a batch: windows x pieces x tags."""
        scores: Tensor = self(batch["words"], batch["chars"], batch["shapes"], batch["lengths"], **beside(batch))
        return scores

    def loss(self, batch: Batch, smoothing: float = 0.0) -> Tensor:
        """Learn from gold tags."""
        emissions = self.emissions(batch)
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
