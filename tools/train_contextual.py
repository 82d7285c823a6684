"""Trains the contextual model that ships, on a machine with a GPU; needs torch, numpy, regex and safetensors.

    python3 tools/train_contextual.py number VOCABULARY_FOLDER TEXT.txt.bz2... sources.jsonl.gz -o numbers/
    python3 tools/train_contextual.py lessons VOCABULARY_FOLDER sources.jsonl.gz -o lessons/ --epochs 16
    python3 tools/train_contextual.py pretrain VOCABULARY_FOLDER --texts numbers/ -o base --seconds 600
    python3 tools/train_contextual.py teach base lessons/ -o teacher1 --seed 1        (and some more seeds)
    python3 tools/train_contextual.py refine base lessons/ teacher1 teacher2 teacher3 -o teacher --texts numbers/
    python3 tools/train_contextual.py distil base lessons/ teacher1 teacher2 teacher3 -o student --texts numbers/
    python3 tools/train_contextual.py teach student lessons/ -o taught --dropout 0.15        (goes on learning from the notes)
    python3 tools/train_contextual.py average student taught -o mean                         (of weights of one origin)
    python3 tools/train_contextual.py export mean tools/data/contextual_student.toml -o models/student

A vocabulary, or a small base, is made by `innominate train base`; sources are gathered by tools/contextual_sources.py. Names
of texts begin with their language. With the folder of a teacher in place of VOCABULARY_FOLDER, `pretrain` goes on from it.
"""

import argparse
import bz2
import gzip
import json
import os
import shutil
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from distilling import BEGINS_WORD, DistillingRecipe
from distilling import distil as learn_from_teachers
from exchange_values import Values, exchange_values
from innominate.core import Document, Span
from innominate.detect.contextual.byte_pairs import FILE as VOCABULARY
from innominate.detect.contextual.byte_pairs import BytePairs, load_byte_pairs, save_byte_pairs
from innominate.detect.contextual.training.graphs import restore_net, write_model
from innominate.detect.contextual.training.lessons import (
    NOTHING,
    Lesson,
    Marking,
    TagChoices,
    Windows,
    cut_windows,
    make_lesson,
    stack_windows,
)
from innominate.detect.contextual.training.nets import Encoder, Student, StudentShape, Tagger
from innominate.detect.contextual.training.pretraining import (
    SHAPE,
    BaseSettings,
    copy_start,
    load_encoder,
    pretrain,
    read_shape,
)
from innominate.detect.contextual.training.tagger import TaggingRecipe, train_tagger
from innominate.detect.models.cards import CARD
from innominate.detect.neural.tagset import Tagset
from note_noise import add_noise

# Of each source: how much of it an epoch reads, the weight of its words, and how many of its values are exchanged.
SHARES = {
    "written": (1.0, 1.0, 0.6),
    "contrast": (1.0, 2.0, 0.0),
    "synthetic": (0.15, 0.5, 0.0),
    "news": (0.15, 0.4, 0.0),
}

WEIGHTS = "tagger.safetensors"
_PARTS = 3  # of a text, numbered side by side
_VARIANTS = 3  # of each note in each part
_NOTES_SHARE = 0.4  # how much notes are read in pretraining, where a language is read 1


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

    def vary(self, row: dict[str, Any], rng: Random) -> Document:
        """One note, exchanged and roughened."""
        exchanged = SHARES[row["source"]][2]
        document = Document("", row["text"], tuple(Span(*span) for span in sorted(row["spans"])))
        if exchanged and rng.random() < 0.85:
            document = exchange_values(document, self.values, row["lang"], rng, exchanged)
        document = replace(document, spans=tuple(span for span in document.spans if span.label != "DRUG"))
        return add_noise(document, rng)

    def lesson(self, row: dict[str, Any], choices: TagChoices, rng: Random) -> Lesson:
        """The same, made ready for learning."""
        lesson = make_lesson(self.vary(row, rng), self.vocabulary, choices, self.markings[row["marking"]])
        return replace(lesson, weight=SHARES[row["source"]][1])


_known: dict[str, Sources] = {}


def make_epoch(job: tuple[Path, Path, int, int]) -> tuple[Windows, dict[frozenset[int], int]]:
    """The windows of one epoch."""
    path, folder, seed, size = job
    if "sources" not in _known:
        _known["sources"] = Sources(path, load_byte_pairs(folder))
    sources = _known["sources"]
    rng, numbers = Random(seed), np.random.default_rng(seed)
    choices = TagChoices(sources.tagset)
    windows = []
    for row in sources.rows:
        if rng.random() < SHARES[row["source"]][0]:
            windows += cut_windows(sources.lesson(row, choices, rng), size, numbers)
    return stack_windows(windows, size), choices.numbers


def make_lessons(options: argparse.Namespace) -> None:
    """All epochs, made side by side; choices are numbered alike in all of them."""
    path, folder = options.inputs[0], options.output
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = load_byte_pairs(options.base)
    labels = Sources(path, vocabulary).tagset.labels
    choices = TagChoices(Tagset(labels, "IOB2"))
    jobs = [(path, options.base, seed, options.window) for seed in range(options.epochs)]
    with ProcessPoolExecutor(min(options.epochs, options.workers)) as pool:
        for number, (windows, theirs) in enumerate(pool.map(make_epoch, jobs)):
            numbers = np.full(len(theirs) + 1, NOTHING, np.int16)
            for tags, mine in theirs.items():
                numbers[mine] = choices.number(tags)
            np.savez(
                folder / f"{number:02d}.npz", parts=windows.parts, choices=numbers[windows.choices], weights=windows.weights
            )
            print(f"epoch {number}: {len(windows.parts)} windows", flush=True)
    np.save(folder / "allowed.npy", choices.table())
    save_byte_pairs(vocabulary, folder)
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")


def read_lessons(folder: Path) -> tuple[list[Windows], np.ndarray]:
    """What `lessons` wrote: epochs, and the tags that each choice allows."""
    return [Windows(**np.load(path)) for path in sorted(folder.glob("*.npz"))], np.load(folder / "allowed.npy")


def number(options: argparse.Namespace) -> None:
    """Plain texts as numbers, with a bit where a word begins; some blocks in capitals or small letters."""
    options.output.mkdir(parents=True, exist_ok=True)
    jobs = [(path, options.base, part, options.output) for path in options.inputs for part in range(_PARTS)]
    with ProcessPoolExecutor(options.workers) as pool:
        print(sum(pool.map(number_part, jobs)), "parts of words")


def number_part(job: tuple[Path, Path, int, Path]) -> int:
    """Every third block of a text, or the notes of the sources with other values."""
    path, folder, part, output = job
    vocabulary = load_byte_pairs(folder)
    rng = Random(f"{path.name} {part}")
    if path.name.endswith(".jsonl.gz"):
        name, blocks = "notes", list(vary_notes(Sources(path, vocabulary), rng))
    else:
        content = path.read_bytes()
        text = (bz2.decompress(content) if path.suffix == ".bz2" else content).decode("utf-8")
        name, blocks = path.name.split(".")[0], [vary_case(block, rng) for block in text.split("\n\n")[part::_PARTS]]
    found: list[int] = []
    begins = []
    for block in blocks:
        for parts in vocabulary.encode_text(block + "\n\n"):
            begins.append(len(found))
            found += parts
    numbers = np.array(found, np.uint16)
    numbers[begins] |= BEGINS_WORD
    np.save(output / f"{name}_{part}.npy", numbers)
    return len(numbers)


def vary_case(block: str, rng: Random) -> str:
    """Some text in capitals or in small letters."""
    dice = rng.random()
    return block.upper() if dice < 0.04 else block.lower() if dice < 0.1 else block


def vary_notes(sources: Sources, rng: Random) -> Iterator[str]:
    """Written and synthetic notes as text, several times with other values, shuffled."""
    rows = [row for row in sources.rows if row["source"] != "news" for _ in range(_VARIANTS)]
    rng.shuffle(rows)
    for row in rows:
        yield sources.vary(row, rng).text


def pretrain_base(options: argparse.Namespace) -> None:
    """An encoder from numbered texts, all languages alike."""
    began = time.monotonic()
    streams: dict[str, list[np.ndarray]] = {}
    for path in sorted(options.texts.glob("*.npy")):
        streams.setdefault(path.name.split("_")[0], []).append(np.load(path) & (BEGINS_WORD - 1))
    texts = {lang: np.concatenate(parts) for lang, parts in streams.items()}
    if (options.base / CARD).exists():
        shape = copy_start(options.base, options.output)
    else:
        options.output.mkdir(parents=True, exist_ok=True)
        save_byte_pairs(load_byte_pairs(options.base), options.output)
        shape = BaseSettings().shape(load_byte_pairs(options.base))

    def watch(step: int, loss: float, share: float) -> None:
        print(f"step {step} loss {loss:.3f} share {share:.3f} {time.monotonic() - began:.0f} s", flush=True)

    settings = BaseSettings(steps=10**9, seconds=options.seconds, rate=options.rate, batch=options.batch)
    pretrain(shape, texts, options.output, settings, shares={"notes": _NOTES_SHARE}, watch=watch)


def teach(options: argparse.Namespace) -> None:
    """A teacher from a pretrained encoder; or a model that is served already, or was taught before, goes on learning."""
    began = time.monotonic()
    epochs, allowed = read_lessons(options.inputs[0])
    rng = Random(options.seed)
    rng.shuffle(epochs)
    torch.manual_seed(options.seed)
    net = begin_net(options.base, allowed.shape[1], options.dropout)
    torch.set_float32_matmul_precision("high")

    def watch(epoch: int, loss: float) -> None:
        print(f"epoch {epoch} loss {loss:.4f} {time.monotonic() - began:.0f} s", flush=True)

    recipe = TaggingRecipe(rate=options.rate, seed=options.seed, hidden=options.hidden, parts=options.parts)
    train_tagger(net, epochs[: options.epochs], allowed, recipe, watch=watch)
    save_net(net, options)


def begin_net(folder: Path, tags: int, dropout: float) -> Student | Tagger:
    """The network of a model folder, of one that `teach` wrote, or a new one over a pretrained encoder."""
    if (folder / CARD).exists():
        return restore_net(folder, dropout=dropout)
    if not (folder / WEIGHTS).exists():
        return Tagger(load_encoder(folder, dropout=dropout), tags)
    net = load_net(folder)
    for module in net.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = dropout
    return net


def average(options: argparse.Namespace) -> None:
    """The mean of the weights of networks that learnt from one origin, which is often better than each."""
    folders = [options.base, *options.inputs]
    weights = [load_file(folder / WEIGHTS) for folder in folders]
    options.output.mkdir(parents=True, exist_ok=True)
    mean = {name: (sum(each[name].float() for each in weights) / len(weights)).half() for name in weights[0]}
    save_file(mean, options.output / WEIGHTS)
    for name in (SHAPE, VOCABULARY, "labels.json"):
        shutil.copy(options.base / name, options.output)


def refine(options: argparse.Namespace) -> None:
    """A teacher from a pretrained encoder that imitates several."""
    tags = np.load(options.inputs[0] / "allowed.npy").shape[1]
    imitate(Tagger(load_encoder(options.base, dropout=0.1), tags), options)


def distil(options: argparse.Namespace) -> None:
    """A student that imitates one teacher or several."""
    tags = np.load(options.inputs[0] / "allowed.npy").shape[1]
    shape = read_shape(options.inputs[1])
    imitate(Student(StudentShape(shape.parts, tags), shape.width), options)


def imitate(net: Student | Tagger, options: argparse.Namespace) -> None:
    """Teach a network from the teachers that are named, and save it."""
    began = time.monotonic()
    epochs, _ = read_lessons(options.inputs[0])
    teachers = [load_teacher(folder) for folder in options.inputs[1:]]
    texts = {path.stem: np.load(path) for path in sorted(options.texts.glob("*.npy"))} if options.texts else {}
    print(f"{len(epochs)} epochs, {len(texts)} texts in {time.monotonic() - began:.0f} s", flush=True)
    torch.set_float32_matmul_precision("high")

    def watch(step: int, loss: float, share: float) -> None:
        print(f"step {step} loss {loss:.4f} share {share:.3f} {time.monotonic() - began:.0f} s", flush=True)

    recipe = DistillingRecipe(steps=options.steps, seconds=options.seconds, windows=options.windows, rate=options.rate)
    learn_from_teachers(teachers, net, epochs, texts, recipe, watch=watch)
    save_net(net, options)


def load_teacher(folder: Path) -> Tagger:
    """A teacher that `teach` or `refine` wrote."""
    weights = load_file(folder / WEIGHTS)
    found = Tagger(Encoder(read_shape(folder)), weights["out.bias"].shape[0])
    found.load_state_dict({name: weight.float() for name, weight in weights.items()})
    return found


def save_net(net: Student | Tagger, options: argparse.Namespace) -> None:
    """Weights in half precision, the shape, the vocabulary and the labels."""
    folder, lessons = options.output, options.inputs[0]
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.detach().half().cpu().contiguous() for name, weight in net.state_dict().items()}
    save_file(weights, folder / WEIGHTS)
    (folder / SHAPE).write_text(json.dumps(asdict(net.shape)), encoding="utf-8")
    save_byte_pairs(load_byte_pairs(lessons), folder)
    (folder / "labels.json").write_text((lessons / "labels.json").read_text("utf-8"), encoding="utf-8")


def export(options: argparse.Namespace) -> None:
    """What is served: a graph with eight-bit weights, the vocabulary, and a card with the facts of a TOML file."""
    labels = json.loads((options.base / "labels.json").read_text("utf-8"))
    facts = tomllib.loads(options.inputs[0].read_text("utf-8"))
    write_model(load_net(options.base).eval(), options.output, load_byte_pairs(options.base), labels=labels, card=facts)


def load_net(folder: Path) -> Student | Tagger:
    """A student or a teacher that was written here."""
    shape = json.loads((folder / SHAPE).read_text("utf-8"))
    return load_student(folder, shape) if "tags" in shape else load_teacher(folder)


def load_student(folder: Path, shape: dict[str, int]) -> Student:
    """A student that `teach` or `distil` wrote."""
    weights = {name: each.float() for name, each in load_file(folder / WEIGHTS).items()}
    found = Student(StudentShape(**shape), len(weights["imitate.bias"]))
    found.load_state_dict(weights)
    return found


COMMANDS = {
    "number": number,
    "lessons": make_lessons,
    "pretrain": pretrain_base,
    "teach": teach,
    "refine": refine,
    "distil": distil,
    "average": average,
    "export": export,
}
RATES = {"pretrain": 2e-3, "distil": 2e-3}


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in COMMANDS.items():
        command = commands.add_parser(name, help=run.__doc__)
        command.set_defaults(run=run)
        command.add_argument("base", type=Path)
        command.add_argument(
            "inputs", type=Path, nargs="*", help="texts and sources to number; or sources; or lessons and teachers"
        )
        command.add_argument("-o", "--output", type=Path, required=True)
        command.add_argument("--epochs", type=int, default=16)
        command.add_argument("--window", type=int, default=384, help="parts that are read together")
        command.add_argument("--rate", type=float, default=RATES.get(name, 3e-4))
        command.add_argument(
            "--hidden", type=float, default=0.12, help="share of parts that are hidden in half of the windows"
        )
        command.add_argument("--dropout", type=float, default=0.1)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--texts", type=Path)
        command.add_argument("--steps", type=int, default=100_000)
        command.add_argument("--seconds", type=float, default=240.0)
        command.add_argument("--parts", type=int, default=24_000, help="in a batch, while tagging")
        command.add_argument("--windows", type=int, default=192, help="in a batch, while one imitates")
        command.add_argument("--batch", type=int, default=320, help="windows in a batch of pretraining")
        command.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
