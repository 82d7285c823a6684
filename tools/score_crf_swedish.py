"""The seed's own setting on synthetic Swedish notes: .venv/bin/python tools/score_crf_swedish.py [--notes 1000]

Berg et al. (2020) train and tune on four clinical units and test on neurology. Here the model learns from notes of all
units but those of neurology, written with the train templates; it is tuned on such notes of the dev templates, and tested on
notes of neurological units written with the test templates: another unit and another hand. Prints tables 1 and 4 of the paper.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

from innominate.core import Document
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features
from innominate.detect.crf.training import PARAMETERS, as_seen, card_of, corpus_facts, prepare, save, train
from innominate.detect.dial.tuning import BETAS, TokenEvidence, tune
from innominate.evaluate.stats import lower_bound
from innominate.synth.generate import generate

UNIT = "neuro"


def notes(split: str, *, neurology: bool, seed: int) -> Iterator[Document]:
    """Notes of the templates of a split, of neurological units or of the others."""
    for document in generate("sv", 20_000, seed=seed, split=split):
        if str(document.meta["unit"]).lower().startswith(UNIT) == neurology:
            yield document


def believed(folder: Path, documents: list[Document]) -> list[tuple[Document, object]]:
    """Notes with what the model believes of them."""
    seen = [as_seen(document) for document in documents]
    return list(zip(seen, CrfDetector("sv", str(folder)).marginals(seen), strict=True))


def main() -> None:
    """Train, tune, test, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=PARAMETERS["max_iterations"])
    parser.add_argument("--without", default="", help="features to leave out, such as rule")
    options = parser.parse_args()
    learn_from = list(islice(notes("train", neurology=False, seed=21), options.notes))
    features = Features("sv").without(filter(None, options.without.split(",")))
    parameters = {**PARAMETERS, "max_iterations": options.iterations}
    weights = train(list(prepare(learn_from, features)), features, parameters)
    folder = Path(mkdtemp(prefix="innominate-swedish-"))
    facts = {"corpus": corpus_facts(learn_from, "synthetic"), "parameters": parameters, "seed": 21}
    save(folder, card_of(weights, features, taxonomy="swedish", **facts), weights)
    tune_on = believed(folder, list(islice(notes("dev", neurology=False, seed=22), options.notes // 4)))
    dial = tune(tune_on, BETAS, partial(lower_bound, confidence=0.95), source="synthetic")
    tested = believed(folder, list(islice(notes("test", neurology=True, seed=23), options.notes // 8)))
    evidence = TokenEvidence.of(tested)
    print(f"learned from {len(learn_from)} notes, tuned on {len(tune_on)}, tested on {len(tested)} notes")
    print(f"{len(evidence.weakest):,} identifiers, {int(evidence.gold.sum()):,} of {len(evidence.gold):,} tokens are PHI")
    print("PHI model  main non-PHI  alt PHI       P      R     F1")
    for name, point in dial.points.items():
        score = evidence.at(point)
        rates = "  ".join(f"{100 * value:5.2f}" for value in (score.precision, score.recall, score.f()))
        print(f"{name:9}  {point.main:12g}  {point.alt:7g}   {rates}")


if __name__ == "__main__":
    main()
