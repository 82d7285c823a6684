"""Choose features, parameters and borders of the CRF on MEDDOCAN train alone: .venv/bin/python tools/score_crf_folds.py

Five folds that keep the cases of one article together; the model of each learns from some notes of the other four
(`--notes`) and says what it believes of its own. All that is believed is then put together: for each value of `joins` (when
a token raised by the F1 point goes on with the span before it, see detect/dial/threshold.py) strict F1 of label and place and
of place alone. Nothing here reads MEDDOCAN dev.
"""

import argparse
import time
from pathlib import Path

from innominate.core import Document
from innominate.detect.crf.features import Features
from innominate.detect.crf.tagger import CrfTagger
from innominate.detect.crf.training import PARAMETERS, as_seen, group_into_folds, prepare, train
from innominate.detect.dial.threshold import Marginals, Point, decide, spans_of
from innominate.detect.dial.tuning import TokenEvidence, best_points
from innominate.evaluate import meddocan
from innominate.formats import read_documents

TRAIN = Path(__file__).parents[2] / "shared" / "corpora" / "meddocan" / "train"
JOINS = (0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)
Believed = list[tuple[Document, Marginals]]


def believed(documents: list[Document], features: Features, parameters: dict[str, object], most: int) -> Believed:
    """Each note with what a model that never saw it believes of it."""
    examples = list(prepare(documents, features))
    pairs: Believed = []
    for number, (learn_from, test_on) in enumerate(group_into_folds(documents, "article", 5, seed=1), start=1):
        weights = train([examples[index] for index in learn_from[:: max(1, len(learn_from) // most)]], features, parameters)
        tagger = CrfTagger(features, weights)
        for index in test_on:
            tokens = examples[index].note.tokens
            probabilities, best = tagger.tag([examples[index].note])
            found = Marginals(tokens.text, tokens.starts, tokens.ends, weights.tags, probabilities, best)
            pairs.append((documents[index], found))
        print(f"fold {number}: {len(weights.values):,} weights, {time.process_time():.0f} s of processor time", flush=True)
    return pairs


def strict(pairs: Believed, point: Point, joins: float) -> tuple[float, float]:
    """Strict F1 of label and place, and of place."""
    found = []
    for document, marginals in pairs:
        points = {tag[2:]: point for tag in marginals.tags}
        found.append((document, document.with_spans(spans_of(marginals, decide(marginals, points, joins), "crf"))))
    scores = meddocan.score(found)
    return scores["ner"]["micro"]["f1"], scores["span_strict"]["micro"]["f1"]


def main() -> None:
    """Cross-validate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also", default="", help="features to add: context, section")
    parser.add_argument("--without", default="", help="features to leave out: rule, line")
    parser.add_argument("--c1", type=float, default=PARAMETERS["c1"])
    parser.add_argument("--c2", type=float, default=PARAMETERS["c2"])
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--notes", type=int, default=400, help="to learn from in each fold, at most")
    options = parser.parse_args()
    documents = [as_seen(document) for document in read_documents(TRAIN)]
    documents = [Document(d.id, d.text, d.spans, {"article": d.id.rpartition("-")[0]}) for d in documents]
    features = Features("es").also(filter(None, options.also.split(","))).without(options.without.split(","))
    parameters = {**PARAMETERS, "c1": options.c1, "c2": options.c2, "max_iterations": options.iterations}
    pairs = believed(documents, features, parameters, options.notes)
    point = best_points(TokenEvidence.of(pairs), [1])["F1"]
    print(f"best path: label and place {strict(pairs, Point(0, 1), 0)[0]:.4f}, place {strict(pairs, Point(0, 1), 0)[1]:.4f}")
    for joins in JOINS:
        labelled, placed = strict(pairs, point, joins)
        print(f"F1 {tuple(point)}, joins below {joins:4.2f}: label and place {labelled:.4f}, place {placed:.4f}")


if __name__ == "__main__":
    main()
