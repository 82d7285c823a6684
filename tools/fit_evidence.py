"""Fit how much rules, shields and the model count: .venv/bin/python tools/fit_evidence.py combined|best [--folds 5]

A logistic regression on the words of the corpus's dev notes and contrastive passages, all languages together; with `--folds`
it first says what held-out notes score. Writes `evidence.toml` beside the model.
"""

import argparse
from collections import defaultdict
from dataclasses import replace

import numpy as np

from innominate.core import Document
from innominate.detect.combine.combined import (
    BestDetector,
    CombinedDetector,
    EvidenceWeights,
    WordEvidence,
    gather_evidence,
    weigh_evidence,
    write_weights,
)
from innominate.detect.combine.union import run_rules_on_notes
from innominate.detect.dial.threshold import Marginals, decide, spans_of
from innominate.formats import read_documents
from innominate.labels import for_language, mapping
from innominate.languages import language_codes
from score_corpus import CORPUS, Tally, read_split

DETECTORS = {"combined": CombinedDetector, "best": BestDetector}
_RIDGE = 2.0


def read_dev(lang: str) -> list[Document]:
    """Dev notes and dev passages of a language."""
    passages = sorted((CORPUS / "contrast" / "dev").glob(f"{lang}_*.txt"))
    return [*read_split("dev", lang), *(note for path in passages for note in read_documents(str(path), format="marked"))]


def gather(name: str, lang: str) -> list[tuple[Document, Marginals, WordEvidence]]:
    """What is known of the words of each note."""
    detector = DETECTORS[name](lang, threads=2)
    notes = read_dev(lang)
    plain = [Document(note.id, note.text) for note in notes]
    ours = mapping(for_language(lang).name, "innominate")
    labels = list(detector.learner.model_labels)
    found = []
    for note, believed, (spans, shields) in zip(
        notes, detector.believe(plain), run_rules_on_notes(lang, (), plain), strict=True
    ):
        named = [replace(span, label=ours[span.label] or "ID_OTHER") for span in spans]
        known = [span for span in named if span.label in labels]
        found.append((note, believed, gather_evidence(believed, known, shields, labels)))
    return found


def columns(evidence: WordEvidence, labels: int) -> np.ndarray:
    """One row a word: bias, model, model beside a rule, shield, elsewhere, and a column a label of rules."""
    ruled = evidence.rule > 0
    fixed = [np.ones(len(ruled)), evidence.model, evidence.model * ruled, evidence.shield, evidence.elsewhere]
    return np.column_stack([*fixed, np.eye(labels + 1)[evidence.rule][:, 1:]])


def wanted(note: Document, believed: Marginals) -> np.ndarray:
    """Whether each word identifies."""
    inside = np.zeros(len(note.text) + 1, bool)
    for span in note.spans:
        inside[span.start : span.end] = True
    return np.array([inside[start:end].any() for start, end in zip(believed.starts, believed.ends, strict=True)], float)


def fit(rows: np.ndarray, targets: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Newton's method with steps that never lead up, held near where it starts."""

    def loss(weights: np.ndarray) -> float:
        odds = rows @ weights
        return float(np.logaddexp(0, odds).sum() - targets @ odds + _RIDGE / 2 * ((weights - start) ** 2).sum())

    weights, now = start.copy(), loss(start)
    for _ in range(50):
        probable = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (probable - targets) + _RIDGE * (weights - start)
        bend = (rows * (probable * (1 - probable))[:, None]).T @ rows + _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        size = 1.0
        while loss(weights - size * step) > now and size > 1e-4:
            size /= 2
        weights = weights - size * step
        before, now = now, loss(weights)
        if before - now < 1e-6 * abs(now):
            break
    return weights


def learn(known: list[tuple[Document, Marginals, WordEvidence]], labels: tuple[str, ...]) -> EvidenceWeights:
    """Weights from some notes; only words that say something are counted."""
    rows, targets = [], []
    for note, believed, evidence in known:
        says = np.array([any(map(str.isalnum, note.text[a:b])) for a, b in zip(believed.starts, believed.ends, strict=True)])
        rows.append(columns(evidence, len(labels))[says])
        targets.append(wanted(note, believed)[says])
    start = np.array([0.0, 1.0, 0.0, -1.0, 0.3, *([1.5] * len(labels))])
    found = fit(np.concatenate(rows).astype(float), np.concatenate(targets), start)
    fixed = dict(
        zip(("bias", "model", "model_beside_rule", "shield", "elsewhere"), map(float, found[:5].round(3)), strict=True)
    )
    return EvidenceWeights(
        **fixed, rules={label: float(value) for label, value in zip(labels, found[5:].round(3), strict=True)}
    )


def main() -> None:
    """Fit, cross-validate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detector", choices=DETECTORS)
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    learner = DETECTORS[options.detector]().learner
    labels = learner.model_labels
    known = {lang: gather(options.detector, lang) for lang in language_codes()}
    everything = [each for notes in known.values() for each in notes]
    folds = defaultdict(list)
    for number, each in enumerate(everything):
        folds[number % options.folds].append(each)
    tallies: dict[str, Tally] = defaultdict(Tally)
    for fold in folds:
        weights = learn([each for other in folds if other != fold for each in folds[other]], labels)
        for note, believed, evidence in folds[fold]:
            if note.meta["type"] != "passage":
                weighed = weigh_evidence(believed, evidence, weights, labels)
                tallies[note.meta["lang"]].add(note, spans_of(weighed, decide(weighed, {}), "combined"))
    for lang, tally in tallies.items():
        print(f"{lang}, held out: " + "; ".join(tally.lines()))
    weights = learn(everything, labels)
    write_weights(weights, learner.folder)
    print(weights)


if __name__ == "__main__":
    main()
