"""Trains the contextual model that ships, on a machine with a GPU; needs torch, numpy, regex and safetensors.

    python3 tools/train_contextual.py number VOCABULARY_FOLDER TEXT.txt.bz2... -o numbers/
    python3 tools/train_contextual.py pretrain VOCABULARY_FOLDER --texts numbers/ -o base --seconds 780
    python3 tools/train_contextual.py teach base sources.jsonl.gz -o teacher --epochs 30
    python3 tools/train_contextual.py distil teacher sources.jsonl.gz -o student --texts numbers/ --seconds 235

A vocabulary, or a small base, is made by `innominate train base`; sources are gathered by tools/contextual_sources.py. Names
of texts begin with their language. With the folder of a teacher in place of VOCABULARY_FOLDER, `pretrain` goes on from it.
"""

import argparse
import bz2
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
from innominate.detect.contextual.model import CARD
from innominate.detect.contextual.training import distilling, pretraining, tagger
from innominate.detect.contextual.training.base import BaseSettings, copy_start
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

_PARTS = 3  # of a text, numbered side by side


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


def number(options: argparse.Namespace) -> None:
    """Plain texts as numbers, with a bit where a word begins; some blocks in capitals or small letters."""
    options.output.mkdir(parents=True, exist_ok=True)
    jobs = [(path, options.base, part, options.output) for path in options.inputs for part in range(_PARTS)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        print(sum(pool.map(number_part, jobs)), "parts of words")


def number_part(job: tuple[Path, Path, int, Path]) -> int:
    """Every third block of a text."""
    path, folder, part, output = job
    vocabulary = load_byte_pairs(folder)
    content = path.read_bytes()
    text = (bz2.decompress(content) if path.suffix == ".bz2" else content).decode("utf-8")
    rng = Random(f"{path.name} {part}")
    found: list[int] = []
    begins = []
    for block in text.split("\n\n")[part::_PARTS]:
        dice = rng.random()
        written = block.upper() if dice < 0.04 else block.lower() if dice < 0.1 else block
        for parts in vocabulary.encode_text(written + "\n\n"):
            begins.append(len(found))
            found += parts
    numbers = np.array(found, np.uint16)
    numbers[begins] |= distilling.BEGINS_WORD
    np.save(output / f"{path.name.split('.')[0]}_{part}.npy", numbers)
    return len(numbers)


def pretrain_base(options: argparse.Namespace) -> None:
    """An encoder from numbered texts, all languages alike."""
    began = time.monotonic()
    streams: dict[str, list[np.ndarray]] = {}
    for path in sorted(options.texts.glob("*.npy")):
        streams.setdefault(path.name[:2], []).append(np.load(path) & (distilling.BEGINS_WORD - 1))
    texts = {lang: np.concatenate(parts) for lang, parts in streams.items()}
    if (options.base / CARD).exists():
        shape = copy_start(options.base, options.output)
    else:
        options.output.mkdir(parents=True, exist_ok=True)
        save_byte_pairs(load_byte_pairs(options.base), options.output)
        shape = BaseSettings().shape(load_byte_pairs(options.base))

    def watch(step: int, loss: float, share: float) -> None:
        print(f"step {step} loss {loss:.3f} share {share:.3f} {time.monotonic() - began:.0f} s", flush=True)

    recipe = pretraining.Recipe(steps=10**9, seconds=options.seconds, rate=options.rate)
    pretraining.pretrain(shape, texts, options.output, recipe, watch=watch)


def teach(options: argparse.Namespace) -> None:
    """A teacher from a pretrained encoder."""
    began = time.monotonic()
    encoder = load_encoder(options.base, dropout=0.1)
    epochs, allowed = make_epochs(options.inputs[0], options.base, options.epochs, encoder.shape.window)
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
    epochs, allowed = make_epochs(options.inputs[0], options.base, options.epochs, shape.window)
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
    labels = Sources(options.inputs[0], vocabulary).tagset.labels
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in (("number", number), ("pretrain", pretrain_base), ("teach", teach), ("distil", distil)):
        command = commands.add_parser(name, help=run.__doc__)
        command.set_defaults(run=run)
        command.add_argument("base", type=Path)
        command.add_argument("inputs", type=Path, nargs="*", help="texts to number, or the sources")
        command.add_argument("-o", "--output", type=Path, required=True)
        command.add_argument("--epochs", type=int, default=24)
        command.add_argument("--rate", type=float, default=2e-3 if name == "pretrain" else 3e-4)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--texts", type=Path)
        command.add_argument("--steps", type=int, default=100_000)
        command.add_argument("--seconds", type=float, default=240.0)
        command.add_argument("--windows", type=int, default=192)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
