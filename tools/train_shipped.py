"""Train and pack the models that ship: .venv/bin/python tools/train_shipped.py [LANG ...] [--notes 600] [--to FOLDER]

English, French and Swedish learn from synthetic notes of the train templates: with the usual noise, with more and with none, a
third each; three in ten are cut into pieces of a few sentences; public prose without identifiers (tools/negatives.py) is
added, and half of what the rules found is hidden. They are tuned on notes of the dev templates, pieces among them.
Spanish learns from MEDDOCAN train and is tuned on MEDDOCAN dev (../shared/corpora). The one that ships learns from both
(`es --tuned FOLDER/es`) and takes over the operating points of the first, whose figures are the ones to report.
Small weights are pruned and the rest kept in 16 bits. The same command gives the same bytes.
"""

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import astuple
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

import negatives
from fragments import fragments
from innominate.core import Document
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features
from innominate.detect.crf.training import PARAMETERS, Clock, as_seen, card_of, corpus_facts, prepare, save, train
from innominate.detect.dial.dial import DIAL, write_dial
from innominate.detect.dial.tuning import BETAS, tune
from innominate.evaluate.stats import lower_bound
from innominate.formats import read_documents
from innominate.labels import for_language
from innominate.languages import language_codes
from innominate.synth.generate import generate
from innominate.synth.noise import CLEAN, DEFAULT, Noise

ROOT = Path(__file__).parents[1]
MEDDOCAN = ROOT.parent / "shared" / "corpora" / "meddocan"
MODELS = ROOT / "src" / "innominate" / "detect" / "crf" / "models"
LEAST_WEIGHT = 0.005
ROUGH = Noise(*(4 * rate for rate in astuple(DEFAULT)))
SEEDS = {"train": 11, "dev": 12}
CUT = 0.3  # of the notes
HIDDEN = 0.5  # of what the rules found in synthetic notes
PUBLIC = 0.6  # passages of public prose for each note


class Lessons(NamedTuple):
    """What a model learns from, and what it is tuned on."""

    learn_from: list[Document]
    tune_on: list[Document]
    source: str
    tuned: str
    hidden: float = 0.0


def synthetic(lang: str, split: str, notes: int) -> Iterator[Document]:
    """Notes with the usual noise, with more, and with none, a third each; some of them in pieces."""
    seed, third = SEEDS[split], notes // 3
    parts = [
        generate(lang, notes - 2 * third, seed, split),
        generate(lang, third, seed + 10, split, noise=ROUGH),
        generate(lang, third, seed + 20, split, noise=CLEAN),
    ]
    rng = Random(seed)
    for number, document in enumerate(chain.from_iterable(parts)):
        named = Document(f"{number}-{document.id}", document.text, document.spans, document.meta)
        yield from fragments(named, rng) if rng.random() < CUT else (named,)


def lessons(lang: str, notes: int, *, everything: bool) -> Lessons:
    """The notes of a language."""
    if lang != "es":
        learn_from = [*synthetic(lang, "train", notes), *negatives.passages(lang, int(PUBLIC * notes))]
        source = f"synthetic notes of the train templates; public prose as what to leave alone: {negatives.SOURCES[lang]}"
        tune_on = list(synthetic(lang, "dev", max(notes // 4, 60)))
        return Lessons(learn_from, tune_on, source, "synthetic notes of the dev templates", HIDDEN)
    learn_from, tune_on = list(read_documents(MEDDOCAN / "train")), list(read_documents(MEDDOCAN / "dev"))
    if everything:
        return Lessons([*learn_from, *tune_on], [], "MEDDOCAN, train and dev (CC BY 4.0)", "")
    return Lessons(learn_from, tune_on, "MEDDOCAN, train (CC BY 4.0)", "MEDDOCAN, dev")


def ship(lang: str, notes: int, iterations: int, models: Path, tuned: Path | None = None) -> None:
    """Train, prune, save, tune."""
    clock = Clock()
    given = lessons(lang, notes, everything=tuned is not None)
    features = Features(lang)
    parameters = {**PARAMETERS, "max_iterations": iterations}
    examples = list(prepare(given.learn_from, features, hidden=given.hidden, rng=Random(SEEDS["train"])))

    def say(iteration: int) -> None:
        if iteration % 10 == 0:
            print(f"{lang}: iteration {iteration}, {clock.as_dict()}", flush=True)

    weights = train(examples, features, parameters, say).without_small(LEAST_WEIGHT)
    learned = clock.as_dict()
    folder = models / lang
    shutil.rmtree(folder, ignore_errors=True)
    used = {**parameters, "pruned_below": LEAST_WEIGHT, "rules_hidden": given.hidden}
    facts = {"corpus": corpus_facts(given.learn_from, given.source), "parameters": used, "seed": SEEDS["train"]}
    save(folder, card_of(weights, features, taxonomy=for_language(lang).name, **facts), weights, half=True)
    if tuned:
        shutil.copyfile(tuned / DIAL, folder / DIAL)
    else:
        seen = [as_seen(document) for document in given.tune_on]
        pairs = list(zip(seen, CrfDetector(lang, str(folder)).marginals(seen), strict=True))
        write_dial(tune(pairs, BETAS, partial(lower_bound, confidence=0.95), source=given.tuned), folder)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{lang}: {len(examples):,} texts, {len(weights.values):,} weights, {size / 1e6:.2f} MB, learned in {learned}")


def main() -> None:
    """Train the languages asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=language_codes())
    parser.add_argument("--notes", type=int, default=600, help="synthetic notes to learn from")
    parser.add_argument("--iterations", type=int, default=PARAMETERS["max_iterations"])
    parser.add_argument("--to", type=Path, default=MODELS, help="folder of the models")
    parser.add_argument("--tuned", type=Path, help="a Spanish model trained on train alone; the new one learns from dev too")
    options = parser.parse_args()
    for lang in options.languages:
        ship(lang, options.notes, options.iterations, options.to, options.tuned if lang == "es" else None)


if __name__ == "__main__":
    main()
