"""How fast a network is on one core, and whether ONNX finds what torch finds.

    .venv/bin/python tools/bench_neural.py MODEL NOTES [--compare 2000]

Tokens are those of `innominate.text.tokens`; seconds are CPU seconds of this process. `--compare` needs torch and the
weights of training: it reads so many notes with both and counts those whose spans differ, by float and eight-bit weights.
"""

import argparse
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from innominate.core import Document
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.model import load_model
from innominate.detect.neural.serving import forget_loaded, load_served, read_notes
from innominate.formats import read_documents
from innominate.text.tokens import tokens as tokens_of


def speed(folder: Path, notes: list[Document]) -> None:
    tokens = sum(len(tokens_of(note.text)) for note in notes)
    detector = NeuralDetector(folder)
    detector.detect(notes[0])
    began = time.process_time()
    spans = sum(len(found) for found in detector.detect_many(notes))
    seconds = time.process_time() - began
    read = f"{len(notes)} notes, {tokens} tokens, {spans} spans"
    print(f"{read}: {tokens / seconds:,.0f} tokens/s, {len(notes) / seconds:.1f} notes/s")


def compare(folder: Path, notes: list[Document]) -> None:
    import torch
    from safetensors.torch import load_file

    from innominate.detect.neural.nets.taggers import build
    from innominate.detect.neural.training.lessons import make_lesson
    from innominate.detect.neural.training.loop import best_tags

    model = load_model(folder)
    net = build(model.settings.network, model.vocabulary, len(model.tagset.tags))
    net.load_state_dict(load_file(folder / "weights.safetensors"))
    torch.set_num_threads(1)
    lessons = [make_lesson(note, model.vocabulary, model.tagset) for note in notes]
    read = best_tags(net, lessons, model.settings.network, "cpu")
    by_torch = [_spans(model.tagset, each.places, tags) for each, tags in zip(lessons, read, strict=True)]
    small, aside = folder / "model.int8.onnx", folder / "model.int8.aside"
    for name in ("eight-bit", "float"):
        if name == "float" and small.exists():
            small.rename(aside)
        forget_loaded()
        found = [_spans(model.tagset, each.places, each.best) for each in read_notes(*load_served(folder, 1), notes)]
        differ = sum(mine != theirs for mine, theirs in zip(found, by_torch, strict=True))
        print(f"{name}: {differ} of {len(notes)} notes differ from torch")
    if aside.exists():
        aside.rename(small)


def _spans(tagset: Any, places: Any, tags: Any) -> set[tuple[int, int, str]]:
    """The best tags as spans, before the dial has its say."""
    return {(places[begin][0], places[end - 1][1], label) for begin, end, label in tagset.decode(tags.tolist())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("notes")
    parser.add_argument("--compare", type=int, default=0)
    given = parser.parse_args()
    notes = list(read_documents(given.notes))
    speed(given.model, notes[:250])
    if given.compare:
        compare(given.model, list(islice(cycle(notes) if len(notes) < given.compare else notes, given.compare)))


if __name__ == "__main__":
    main()
