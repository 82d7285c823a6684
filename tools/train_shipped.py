"""Train and pack the models that ship: .venv/bin/python tools/train_shipped.py [LANG ...] [--notes 3000]

Spanish learns from MEDDOCAN train and is tuned on MEDDOCAN dev (../shared/corpora); English, French and Swedish learn from
synthetic notes of the train templates, a third of them noisier than usual, and are tuned on notes of the dev templates.
Small weights are pruned and the rest kept in 16 bits. The same command gives the same bytes.
"""

import argparse
import shutil
from collections.abc import Iterable
from dataclasses import astuple
from functools import partial
from itertools import chain
from pathlib import Path

from innominate.core import Document
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features
from innominate.detect.crf.training import PARAMETERS, Clock, as_seen, card_of, corpus_facts, prepare, save, train
from innominate.detect.dial import write_dial
from innominate.detect.dial_tuning import BETAS, tune
from innominate.evaluate.stats import lower_bound
from innominate.formats import read_documents
from innominate.labels import for_language
from innominate.synth.generate import generate
from innominate.synth.noise import CLEAN, DEFAULT, Noise

ROOT = Path(__file__).parents[1]
MEDDOCAN = ROOT.parent / "shared" / "corpora" / "meddocan"
MODELS = ROOT / "src" / "innominate" / "detect" / "crf" / "models"
LEAST_WEIGHT = 0.005
ROUGH = Noise(*(4 * rate for rate in astuple(DEFAULT)))
SEEDS = {"train": 11, "dev": 12}


def synthetic(lang: str, split: str, notes: int) -> Iterable[Document]:
    """Notes with the usual noise, with more, and with none, a third each."""
    seed, third = SEEDS[split], notes // 3
    parts = [
        generate(lang, notes - 2 * third, seed, split),
        generate(lang, third, seed + 10, split, noise=ROUGH),
        generate(lang, third, seed + 20, split, noise=CLEAN),
    ]
    for number, document in enumerate(chain.from_iterable(parts)):
        yield Document(f"{number}-{document.id}", document.text, document.spans, document.meta)


def corpora(lang: str, notes: int) -> tuple[list[Document], list[Document], str]:
    """Notes to learn from, notes to tune on, and what to call them."""
    if lang == "es":
        return list(read_documents(MEDDOCAN / "train")), list(read_documents(MEDDOCAN / "dev")), "MEDDOCAN"
    return list(synthetic(lang, "train", notes)), list(synthetic(lang, "dev", max(notes // 4, 60))), "synthetic notes"


def ship(lang: str, notes: int, iterations: int) -> None:
    """Train, prune, save, tune."""
    clock = Clock()
    learn_from, tune_on, name = corpora(lang, notes)
    features = Features(lang)
    parameters = {**PARAMETERS, "max_iterations": iterations}
    examples = list(prepare(learn_from, features))

    def say(iteration: int) -> None:
        if iteration % 10 == 0:
            print(f"{lang}: iteration {iteration}, {clock.as_dict()}", flush=True)

    weights = train(examples, features, parameters, say).pruned(LEAST_WEIGHT)
    folder = MODELS / lang
    shutil.rmtree(folder, ignore_errors=True)
    facts = {"corpus": corpus_facts(learn_from, f"{name}, train"), "parameters": {**parameters, "pruned_below": LEAST_WEIGHT}}
    save(
        folder, card_of(weights, features, taxonomy=for_language(lang).name, **facts, seed=SEEDS["train"]), weights, half=True
    )
    seen = [as_seen(document) for document in tune_on]
    pairs = list(zip(seen, CrfDetector(lang, str(folder)).marginals(seen), strict=True))
    write_dial(tune(pairs, BETAS, partial(lower_bound, confidence=0.95), source=f"{name}, dev"), folder)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{lang}: {len(learn_from)} notes, {len(weights.values):,} weights, {size / 1e6:.2f} MB, {clock.as_dict()}")


def main() -> None:
    """Train the languages asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=["es", "en", "fr", "sv"])
    parser.add_argument("--notes", type=int, default=3000, help="synthetic notes to learn from")
    parser.add_argument("--iterations", type=int, default=PARAMETERS["max_iterations"])
    options = parser.parse_args()
    for lang in options.languages:
        ship(lang, options.notes, options.iterations)


if __name__ == "__main__":
    main()
