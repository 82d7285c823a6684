"""A small model, trained once for all tests that need one."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from innominate.detect.crf.features import Features
from innominate.detect.crf.training import card_of, corpus_facts, prepare, read_weights, save, train_file
from innominate.synth.generate import generate

PARAMETERS = {"c1": 0.02, "c2": 0.02, "max_iterations": 40}


@cache
def notes(split="train", n=40, lang="sv"):
    return tuple(generate(lang, n, seed=5, split=split))


EVERYTHING = Features("sv").also(["section", "context"])


@cache
def small_model(features=EVERYTHING):
    """A folder with a model of Swedish, and CRFsuite's own file of the same."""
    folder = Path(mkdtemp(prefix="innominate-test-"))
    examples = list(prepare(notes(), features))
    train_file(folder / "model.crfsuite", examples, features, PARAMETERS)
    weights = read_weights(folder / "model.crfsuite", features)
    facts = corpus_facts(notes(), "synthetic")
    save(folder, card_of(weights, features, taxonomy="swedish", corpus=facts, parameters=PARAMETERS, seed=0), weights)
    return folder
