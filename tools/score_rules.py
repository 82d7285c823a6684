"""Score a detector on synthetic notes or MEDDOCAN dev: .venv/bin/python tools/score_rules.py fr [--split test] [--meddocan]

Prints strict precision, recall and F1 by label, the macro average, and tokens with any label. On dev and train also the
commonest errors in context; never on test and never on MEDDOCAN dev: rules are not written on what they are measured on.
"""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from innominate.core import Document, Score
from innominate.core.plugins import load
from innominate.formats import read_documents
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.synth.generate import generate
from innominate.text.tokens import tokens

MEDDOCAN = Path(__file__).parents[2] / "shared" / "corpora" / "meddocan"


def strict(gold: Document, found: Document) -> dict[str, Score]:
    """Exact spans by label."""
    scores: dict[str, Score] = defaultdict(Score)
    wanted, got = set(gold.spans), set(found.spans)
    for span in wanted | got:
        scores[span.label] += Score(span in wanted and span in got, span not in wanted, span not in got)
    return scores


def any_label(gold: Document, found: Document) -> Score:
    """Tokens that are covered by any span."""
    covered = [{i for span in d.spans for i in range(span.start, span.end)} for d in (gold, found)]
    score = Score()
    for start, end in tokens(gold.text):
        inside = [any(i in cover for i in range(start, end)) for cover in covered]
        score += Score(inside[0] and inside[1], inside[1] and not inside[0], inside[0] and not inside[1])
    return score


def context(document: Document, start: int, end: int) -> str:
    """A span with a little text around it."""
    text = document.text
    return f"{text[max(0, start - 35) : start]}⟦{text[start:end]}⟧{text[end : end + 25]}".replace("\n", "⏎")


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lang")
    parser.add_argument("--split", default="dev")
    parser.add_argument("-n", type=int, default=600)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--errors", type=int, default=12, help="how many errors to show per label")
    parser.add_argument("--label", help="show errors of this label only")
    parser.add_argument("--detector", default="rules")
    parser.add_argument("--meddocan", choices=("train", "dev"))
    options = parser.parse_args()
    if options.meddocan:
        notes = list(read_documents(MEDDOCAN / options.meddocan, "brat"))
    else:
        notes = list(generate(options.lang, options.n, seed=options.seed, split=options.split))
    show = options.meddocan == "train" or (not options.meddocan and options.split != "test")
    load("detectors", options.detector, lang=options.lang)
    pipeline = Pipeline(Settings(lang=options.lang, detector=options.detector, unknown_language="all"))
    totals: dict[str, Score] = defaultdict(Score)
    tokens_score, errors = Score(), defaultdict(Counter)
    for note in notes:
        found = pipeline.detect(note)
        for label, score in strict(note, found).items():
            totals[label] += score
        tokens_score += any_label(note, found)
        for span in set(note.spans) - set(found.spans):
            errors[span.label]["MISSED   " + context(note, span.start, span.end)] += 1
        for span in set(found.spans) - set(note.spans):
            errors[span.label][f"SPURIOUS {context(note, span.start, span.end)}  ({span.source})"] += 1
    if show:
        for label in sorted(errors):
            if options.label in (None, label):
                print(f"\n== {label}")
                for line, count in errors[label].most_common(options.errors):
                    print(f"{count:4} {line}")
    print(f"\n{'label':36} {'P':>6} {'R':>6} {'F1':>6} {'n':>6}")
    for label, score in sorted(totals.items()):
        print(f"{label:36} {score.precision:6.3f} {score.recall:6.3f} {score.f():6.3f} {score.tp + score.fn:6}")
    present = [score for score in totals.values() if score.tp + score.fn]
    macro = [sum(values) / len(present) for values in zip(*((s.precision, s.recall, s.f()) for s in present), strict=True)]
    print(f"{'macro':36} {macro[0]:6.3f} {macro[1]:6.3f} {macro[2]:6.3f}")
    micro = sum(totals.values(), Score())
    print(f"{'micro':36} {micro.precision:6.3f} {micro.recall:6.3f} {micro.f():6.3f}")
    print(f"{'tokens, any label':36} {tokens_score.precision:6.3f} {tokens_score.recall:6.3f} {tokens_score.f():6.3f}")


if __name__ == "__main__":
    main()
