"""Speed of the CRF against CRFsuite's own tagger: .venv/bin/python tools/bench_crf.py [--train DIR] [--test DIR]

Both run in one process on the same notes with the same weights. CRFsuite gets features that are ready and gives the best path;
ours starts from the text and ends with spans and marginals. Processor time, the best of three.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pycrfsuite

from innominate.core import Document
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features
from innominate.detect.crf.tokenise import tokenise
from innominate.detect.crf.training import card_of, corpus_facts, prepare, read_weights, save, train_file
from innominate.formats import read_documents
from innominate.labels import for_language
from innominate.synth.generate import generate


def seconds(work: Callable[[], object]) -> float:
    """Processor time of the fastest of three runs."""
    times = []
    for _ in range(3):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def sequences(notes: list[Document], features: Features) -> list[pycrfsuite.ItemSequence]:
    """Units with their attributes, as CRFsuite takes them."""
    known: dict[str, list[list[str]]] = {}
    ready = []
    for example in prepare(notes, features):
        items, first = features.of_note(example.note, known), 0
        for last in example.note.tokens.units:
            ready.append(pycrfsuite.ItemSequence(items[first:last]))
            first = last
    return ready


def bench(train: list[Document], test: list[Document], features: Features, parameters: dict[str, object]) -> None:
    """Train, then time both."""
    folder = Path(tempfile.mkdtemp(prefix="innominate-bench-"))
    path = folder / "model.crfsuite"
    train_file(path, list(prepare(train, features)), features, parameters)
    weights = read_weights(path, features)
    facts = {"taxonomy": for_language(features.lang).name, "corpus": corpus_facts(train, "bench"), "parameters": parameters}
    save(folder, card_of(weights, features, **facts, seed=0), weights)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    ready = sequences(test, features)
    count = sum(len(tokenise(note.text)) for note in test)
    detector = CrfDetector(features.lang, str(folder))
    bare = seconds(lambda: [tagger.tag(unit) for unit in ready])
    cold = time.process_time()
    detector.detect_many(test)
    cold = time.process_time() - cold
    ours = seconds(lambda: detector.detect_many(test))
    single = seconds(lambda: [detector.detect(note) for note in test])
    print(f"{', '.join(features.names)}: {len(weights.tags)} tags, {len(weights.values):,} weights, {count:,} tokens")
    for name, spent in {"CRFsuite, best path, features ready": bare, "text to spans and marginals": ours}.items():
        print(f"  {name:38} {count / spent:10,.0f} tokens/s")
    print(f"  {'the same, first time':38} {count / cold:10,.0f} tokens/s")
    print(f"  {'the same, one note at a time':38} {count / single:10,.0f} tokens/s")
    print(f"  ratio {bare / ours:.2f}")


def main() -> None:
    """Bench with and without rule features."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", default="es")
    parser.add_argument("--train", help="annotated notes; synthetic ones if not given")
    parser.add_argument("--test", help="notes to tag; the last 70 are")
    parser.add_argument("--notes", type=int, default=200, help="how many to train on")
    parser.add_argument("--iterations", type=int, default=30)
    options = parser.parse_args()
    some = options.notes
    train = list(read_documents(options.train))[:some] if options.train else list(generate(options.lang, some, seed=1))
    test = list(read_documents(options.test))[-70:] if options.test else list(generate(options.lang, 150, seed=2, split="dev"))
    parameters = {"c1": 0.2, "c2": 0.05, "max_iterations": options.iterations, "feature.minfreq": 2}
    for features in (Features(options.lang).without(["rule"]), Features(options.lang)):
        bench(train, test, features, parameters)


if __name__ == "__main__":
    main()
