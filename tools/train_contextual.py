"""Trains the contextual model that ships, on a machine with a GPU; needs torch, numpy, regex and safetensors.

    python3 tools/train_contextual.py teach BASE sources.jsonl.gz -o teacher [--epochs 24] [--dev dev.jsonl.gz]
    python3 tools/train_contextual.py distil teacher sources.jsonl.gz -o student --texts numbered/ [--seconds 240]

`BASE` is what `innominate train base` made; sources are gathered by tools/contextual_sources.py.
"""

import argparse
import gzip
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from innominate.core import Document, Span
from innominate.detect.contextual.byte_pairs import BytePairs, load_byte_pairs, save_byte_pairs
from innominate.detect.contextual.training import distilling, tagger
from innominate.detect.contextual.training.encoder import Encoder, Shape
from innominate.detect.contextual.training.exchange import Values, exchange_values
from innominate.detect.contextual.training.lessons import (
    Choices,
    Lesson,
    Marking,
    Windows,
    cut_windows,
    make_lesson,
    stack_windows,
)
from innominate.detect.contextual.training.noise import add_noise
from innominate.detect.contextual.training.pretraining import SHAPE, load_encoder
from innominate.detect.contextual.training.student import Student, StudentShape
from innominate.detect.contextual.training.tagger import Tagger, train_tagger
from innominate.detect.neural.tagset import Tagset

# Of each source: how much of it an epoch reads, the weight of its words, and how many of its values are exchanged.
SHARES = {
    "written": (1.0, 1.0, 0.6),
    "contrast": (1.0, 1.0, 0.0),
    "synthetic": (0.25, 0.5, 0.0),
    "news": (0.25, 0.4, 0.0),
}


class Sources:
    """Notes, what they mark, and values to exchange."""

    def __init__(self, path: Path, vocabulary: BytePairs) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head = json.loads(next(file))
            self.rows = [json.loads(line) for line in file]
        self.vocabulary = vocabulary
        self.values = Values(head["values"])
        self.tagset = Tagset(tuple(head["labels"]), "IOB2")
        self.markings = {
            name: Marking(
                {label: tuple(ours) for label, ours in given["labels"].items()},
                tuple(given["unmarked"]),
                given.get("vague_numbers", False),
            )
            for name, given in head["markings"].items()
        }

    def lesson(self, row: dict[str, Any], choices: Choices, rng: Random) -> Lesson:
        """One note, exchanged and roughened."""
        _, weight, exchanged = SHARES[row["source"]]
        document = Document("", row["text"], tuple(Span(*span) for span in row["spans"]))
        if exchanged and rng.random() < 0.85:
            document = exchange_values(document, self.values, row["lang"], rng, exchanged)
        document = add_noise(document, rng)
        lesson = make_lesson(document, self.vocabulary, choices, self.markings[row["marking"]])
        return replace(lesson, weight=weight)


_known: dict[str, Sources] = {}


def make_epoch(job: tuple[Path, Path, int, int]) -> tuple[Windows, dict[frozenset[int], int]]:
    """The windows of one epoch."""
    path, folder, seed, size = job
    if "sources" not in _known:
        _known["sources"] = Sources(path, load_byte_pairs(folder))
    sources = _known["sources"]
    rng, numbers = Random(seed), np.random.default_rng(seed)
    choices = Choices(sources.tagset)
    windows = []
    for row in sources.rows:
        if rng.random() < SHARES[row["source"]][0]:
            windows += cut_windows(sources.lesson(row, choices, rng), size, numbers)
    return stack_windows(windows, size), choices.numbers


def make_epochs(path: Path, folder: Path, count: int, size: int) -> tuple[list[Windows], np.ndarray]:
    """All epochs, made side by side; choices are numbered alike in all of them."""
    tagset = Sources(path, load_byte_pairs(folder)).tagset
    choices = Choices(tagset)
    found = []
    with ProcessPoolExecutor(min(count, os.cpu_count() or 1)) as pool:
        for windows, theirs in pool.map(make_epoch, [(path, folder, seed, size) for seed in range(count)]):
            numbers = np.full(len(theirs) + 1, -1, np.int16)
            for tags, number in theirs.items():
                numbers[number] = choices.number(tags)
            found.append(replace(windows, choices=numbers[windows.choices]))
    return found, choices.table()


def teach(options: argparse.Namespace) -> None:
    """A teacher from a pretrained encoder."""
    began = time.monotonic()
    encoder = load_encoder(options.base, dropout=0.1)
    epochs, allowed = make_epochs(options.sources, options.base, options.epochs, encoder.shape.window)
    print(f"{len(epochs)} epochs of {len(epochs[0].parts)} windows in {time.monotonic() - began:.0f} s", flush=True)
    net = Tagger(encoder, allowed.shape[1])
    torch.set_float32_matmul_precision("high")

    def watch(epoch: int, loss: float) -> None:
        print(f"epoch {epoch} loss {loss:.4f} {time.monotonic() - began:.0f} s", flush=True)

    train_tagger(net, epochs, allowed, tagger.Recipe(rate=options.rate, seed=options.seed), watch=watch)
    save_net(net, asdict(encoder.shape), options)


def distil(options: argparse.Namespace) -> None:
    """A student from a teacher."""
    began = time.monotonic()
    shape = Shape(**json.loads((options.base / SHAPE).read_text("utf-8")))
    weights = load_file(options.base / "tagger.safetensors")
    teacher = Tagger(Encoder(shape), weights["out.bias"].shape[0])
    teacher.load_state_dict({name: weight.float() for name, weight in weights.items()})
    epochs, allowed = make_epochs(options.sources, options.base, options.epochs, shape.window)
    texts = {path.stem: np.load(path) for path in sorted(options.texts.glob("*.npy"))} if options.texts else {}
    print(f"{len(epochs)} epochs, {len(texts)} texts in {time.monotonic() - began:.0f} s", flush=True)
    net = Student(StudentShape(shape.parts, allowed.shape[1]), shape.width)
    torch.set_float32_matmul_precision("high")

    def watch(step: int, loss: float, share: float) -> None:
        print(f"step {step} loss {loss:.4f} share {share:.3f} {time.monotonic() - began:.0f} s", flush=True)

    recipe = distilling.Recipe(steps=options.steps, seconds=options.seconds, windows=options.windows)
    distilling.distil(teacher, net, epochs, texts, recipe, watch=watch)
    save_net(net, asdict(net.shape), options)


def save_net(net: torch.nn.Module, shape: dict[str, Any], options: argparse.Namespace) -> None:
    """Weights in half precision, the shape, the vocabulary and the labels."""
    folder = options.output
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.detach().half().cpu().contiguous() for name, weight in net.state_dict().items()}
    save_file(weights, folder / "tagger.safetensors")
    (folder / SHAPE).write_text(json.dumps(shape), encoding="utf-8")
    vocabulary = load_byte_pairs(options.base)
    save_byte_pairs(vocabulary, folder)
    labels = Sources(options.sources, vocabulary).tagset.labels
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for run in (teach, distil):
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.set_defaults(run=run)
        command.add_argument("base", type=Path)
        command.add_argument("sources", type=Path)
        command.add_argument("-o", "--output", type=Path, required=True)
        command.add_argument("--epochs", type=int, default=24)
        command.add_argument("--rate", type=float, default=3e-4)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--texts", type=Path)
        command.add_argument("--steps", type=int, default=100_000)
        command.add_argument("--seconds", type=float, default=240.0)
        command.add_argument("--windows", type=int, default=192)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
