"""The shipped model learns from a hospital's own notes: minutes on a CPU with a hundred of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from innominate.core import Document, UsageError
from innominate.detect.contextual.byte_pairs import BytePairs
from innominate.detect.contextual.model import OWN, load_contextual_model
from innominate.detect.contextual.training.graphs import project_head, restore_net, write_model
from innominate.detect.contextual.training.lessons import (
    TagChoices,
    Windows,
    cut_windows,
    exact_marking,
    make_lesson,
    stack_windows,
)
from innominate.detect.contextual.training.nets import Student
from innominate.detect.contextual.training.tagger import TaggingRecipe, train_tagger
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.lessons import mentions_by_label, with_other_mentions
from innominate.labels import mapping, with_labels


@dataclass(frozen=True, slots=True)
class Adapting:
    """How a model is adapted."""

    epochs: int = 20
    rate: float = 1e-3  # of a student; a teacher learns at a fifth of it
    swap: float = 0.3  # share of the mentions that are exchanged for others of the same label in each epoch
    parts: int = 6_000  # in a batch
    seed: int = 1


def adapt(
    start: Path,
    train: Sequence[Document],
    folder: Path,
    how: Adapting,
    *,
    about: Mapping[str, Any] | None = None,
    watch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> None:
    """Teach the model of `start` from annotated notes and write it into `folder`; the labels are those of the notes."""
    if folder.resolve() == start.resolve():
        raise UsageError(f"{folder} is the model to start from; choose another folder for -o")
    model = load_contextual_model(start)
    labels = choose_labels(train, model.labels)
    known = with_labels(labels)
    taxonomy = model.taxonomy if labels == model.labels else known.name if known else ""
    torch.manual_seed(how.seed)
    net = restore_net(start, 0 if labels == model.labels else 1 + 2 * len(labels))
    if labels != model.labels:
        project_head(restore_net(start).out, net.out, old_columns(labels, taxonomy, model.tagset))
    window, rate = (256, how.rate) if isinstance(net, Student) else (net.shape.window, how.rate / 5)
    epochs, allowed = make_epochs(train, model.vocabulary, Tagset(labels, "IOB2"), how, window=window)
    train_tagger(net, epochs, allowed, TaggingRecipe(rate=rate, parts=how.parts, seed=how.seed), watch=watch)
    card = {"adapted": {**asdict(how), **(about or {})}}
    write_model(net.eval(), folder, model.vocabulary, labels=labels, card=card, taxonomy=taxonomy)


def choose_labels(train: Sequence[Document], known: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of the notes; where all of them are the model's own, all of the model's."""
    found = tuple(sorted({span.label for note in train for span in note.spans}))
    if not found:
        raise UsageError("no note has an annotated span, so there is nothing to learn from")
    return known if set(found) <= set(known) else found


def old_columns(labels: Sequence[str], taxonomy: str, old: Tagset) -> list[list[int]]:
    """For each tag of the new labels, the tags of ours that mean the same; none for a label nobody knows."""
    columns: list[list[int]] = [[old.ids["O"]]]
    for label in labels:
        ours = [label] if label in old.labels else same_as(label, taxonomy)
        columns += [[old.ids[f"{prefix}-{each}"] for each in ours if each in old.labels] for prefix in "BI"]
    return columns


def same_as(label: str, taxonomy: str) -> list[str]:
    """Our labels that a label of another taxonomy stands for."""
    if not taxonomy or taxonomy == OWN:
        return []
    back = mapping(taxonomy, OWN).pairs.get(label)
    forth = mapping(OWN, taxonomy).pairs
    return sorted({ours for ours, theirs in forth.items() if theirs == label} | ({back} if back else set()))


def make_epochs(
    train: Sequence[Document], vocabulary: BytePairs, tagset: Tagset, how: Adapting, *, window: int
) -> tuple[list[Windows], Any]:
    """The windows of each epoch, with other mentions in each."""
    choices, marking = TagChoices(tagset), exact_marking(tagset.labels)
    mentions = mentions_by_label(train)
    rng = np.random.default_rng(how.seed)
    epochs = []
    for number in range(how.epochs):
        lessons = []
        for note in train:
            if number and how.swap:
                note = with_other_mentions(note, mentions, how.swap, rng)
            lessons += cut_windows(make_lesson(note, vocabulary, choices, marking), window, rng)
        epochs.append(stack_windows(lessons, window))
    return epochs, choices.table()
