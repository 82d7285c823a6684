"""How well a network does on dev: exact entities, with and without their label."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from innominate.core import Score
from innominate.detect.neural.settings import Network
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.lessons import NoteLesson, in_batches
from innominate.detect.neural.training.steps import send_to_device
from innominate.detect.neural.windows import windows


def dev_scores(
    net: nn.Module, dev: Sequence[NoteLesson], tagset: Tagset, network: Network, *, device: str
) -> dict[str, float]:
    """F1 of entities with label (`ner`) and without (`span`), over all notes."""
    ner, span = Score(0, 0, 0), Score(0, 0, 0)
    for each, numbers in zip(dev, best_tags(net, dev, network, device), strict=True):
        gold, found = set(each.entities), set(tagset.decode(numbers.tolist()))
        ner += _compare_entities(gold, found)
        span += _compare_entities({entity[:2] for entity in gold}, {entity[:2] for entity in found})
    return {"ner": ner.f(1), "span": span.f(1)}


def _compare_entities(gold: Set[object], found: Set[object]) -> Score:
    return Score(len(gold & found), len(found - gold), len(gold - found))


@torch.no_grad()
def best_tags(net: nn.Module, lessons: Sequence[NoteLesson], network: Network, device: str) -> list[NDArray[np.int64]]:
    """The best tags of each note, through windows."""
    net.eval()
    views = [
        (number, view)
        for number, each in enumerate(lessons)
        for view in windows(len(each.encoded), network.reads, network.overlap)
    ]
    parts = [lessons[number].part(view.begin, view.end) for number, view in views]
    found = [np.zeros(len(each.encoded), np.int64) for each in lessons]
    for batch in in_batches(parts, 128):
        ready = send_to_device(batch, device)
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
            emissions = net.emissions(ready)  # type: ignore[operator]
        tags = net.best(emissions.float(), ready["mask"]).cpu().numpy()  # type: ignore[operator]
        for row, index in enumerate(batch["index"]):
            number, view = views[index]
            found[number][view.keep_from : view.keep_to] = tags[row, view.keep_from - view.begin : view.keep_to - view.begin]
    return found
