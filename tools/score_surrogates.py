"""Measure how well pseudonyms pass for originals, on notes whose identifiers others made.

    .venv/bin/python tools/score_surrogates.py [--split train|dev] [--seeds 3] [--json FILE] [--group names] [--habits]

Two figures of MEDDOCAN, whose gold spans are replaced with a random key:

1. Telling apart. A logistic regression on character n-grams of the mention and of its context learns to tell
   originals from surrogates. Both sides come from the same places of the same notes, so they are balanced, and the
   context is the same on both sides: other identifiers in it are blanked. Notes that it is tested on are never among
   those it learned from (five folds by note). 0.5 is chance; at most 0.65 is asked for. The second figure leaves the
   neighbours in: numbers from ranges that were never issued and reserved domains give a surrogate beside them away, and
   are meant to.
2. Finding again. The detector marks the originals and the surrogates; the two F1 may differ by one point.

`--habits` says how much of the first is the corpus itself, for one key: the figure of mentions that no other note has (one
town of MEDDOCAN in four is Madrid, which no surrogate of Madrid can be), and the figure that real mentions get against
real ones, where those of half of the notes stand in the places of the other half.

Strings are shown (`--show`) for train only: what is measured on is not looked at.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import FeatureUnion, Pipeline

from innominate.conceal import conceal
from innominate.conceal.keys import Key
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import Document, Score, Span, resolve
from innominate.core.plugins import load
from innominate.core.protocols import Detector
from innominate.formats import read_documents
from innominate.labels import kind_of
from score_rules import MEDDOCAN, strict

GROUPS = {
    "names": {"person", "first", "last"},
    "places": {"street", "number", "zip", "city", "region", "place"},
    "institutions": {"organisation", "unit"},
    "dates": {"date"},
}
AROUND = 25  # characters of context on either side
FOLDS = 5
MOST_AUC, MOST_F1_LOST = 0.65, 0.01


class Example(NamedTuple):
    """A mention in its context, original or surrogate, and the note it stands in."""

    before: str
    mention: str
    after: str
    surrogate: bool
    note: str


def pseudonymised(notes: Sequence[Document], key: Key) -> tuple[list[tuple[Document, Document]], Counter[str]]:
    """Each note beside its pseudonymised self, with the same spans in the same order, and what the spans became."""
    pairs, treatment = [], Counter()
    for note in notes:
        settled = note.with_spans(resolve(note.spans))
        made = conceal(settled, Pseudo(key, lang="es"))
        pairs.append((settled, made.document))
        for treated in made.treated:
            if group := group_of(treated.span.label):
                treatment[f"{group} {treated.strategy}"] += 1
    return pairs, treatment


def group_of(label: str) -> str:
    """The group of a label that is reported, or nothing."""
    kind = kind_of(label)
    return next((name for name, kinds in GROUPS.items() if kind in kinds), "")


def examples_of(pairs: Sequence[tuple[Document, Document]], *, blank: bool) -> dict[str, list[Example]]:
    """Two examples by replaced mention; with `blank`, other identifiers in the context are blanked on both sides."""
    found = defaultdict(list)
    for original, concealed in pairs:
        for i, (old, new) in enumerate(zip(original.spans, concealed.spans, strict=True)):
            group = group_of(old.label)
            is_surrogate = old.of(original.text) != new.of(concealed.text) and not new.of(concealed.text).startswith("<")
            if group and is_surrogate:
                found[group] += (example(original, i, blank=blank), example(concealed, i, blank=blank, surrogate=True))
    return found


def example(note: Document, number: int, *, blank: bool, surrogate: bool = False) -> Example:
    """A mention with the characters around it."""
    span = note.spans[number]
    before, after = note.text[: span.start], note.text[span.end :]
    if blank:
        before = shown_without(note, note.spans[:number], 0, span.start)
        after = shown_without(note, note.spans[number + 1 :], span.end, len(note.text))
    return Example(before[-AROUND:], span.of(note.text), after[:AROUND], surrogate, note.id)


def shown_without(note: Document, spans: Sequence[Span], start: int, end: int) -> str:
    """A stretch of the text with one blank for each of the spans, so that not even their lengths differ."""
    parts = []
    for span in spans:
        parts += (note.text[start : span.start], "\0")
        start = span.end
    return "".join([*parts, note.text[start:end]])


def classifier() -> Pipeline:
    """Character n-grams of the mention with its borders, and of the text before and after it."""

    def grams(take: Callable[[Example], str], longest: int) -> TfidfVectorizer:
        return TfidfVectorizer(
            analyzer="char", ngram_range=(1, longest), preprocessor=take, lowercase=False, sublinear_tf=True, min_df=2
        )

    parts = [
        ("mention", grams(lambda one: f"^{one.mention}$", 5)),
        ("before", grams(lambda one: one.before, 4)),
        ("after", grams(lambda one: one.after, 4)),
    ]
    return Pipeline([("features", FeatureUnion(parts)), ("model", LogisticRegression(C=4.0, solver="liblinear", tol=1e-3))])


def auc(examples: Sequence[Example], show: int = 0) -> float:
    """How often a surrogate gets a higher score than an original, over folds by note."""
    truth = np.array([one.surrogate for one in examples])
    scores = np.zeros(len(examples))
    for learn, test in GroupKFold(FOLDS).split(examples, groups=[one.note for one in examples]):
        model = classifier().fit([examples[i] for i in learn], truth[learn])
        scores[test] = model.decision_function([examples[i] for i in test])
    if show:
        order = np.argsort(scores)
        for name, chosen in (("surely original", order[:show]), ("surely surrogate", order[::-1][:show])):
            print(f"-- {name}")
            for i in chosen:
                print(f"   {scores[i]:6.2f} {'surrogate' if truth[i] else 'original '} {examples[i].mention!r}")
        features = model.named_steps["features"].get_feature_names_out()
        weights = model.named_steps["model"].coef_[0]
        for name, chosen in (("original", np.argsort(weights)[:60]), ("surrogate", np.argsort(-weights)[:60])):
            print(f"-- n-grams of {name}:", " ".join(f"{features[i].split('__')[1]!r}" for i in chosen))
    return float(roc_auc_score(truth, scores))


def only_here(examples: Sequence[Example]) -> list[Example]:
    """The examples whose original stands in no other note, with their surrogates."""
    where = defaultdict(set)
    for one in examples[0::2]:
        where[one.mention.lower()].add(one.note)
    kept = (pair for pair in zip(examples[0::2], examples[1::2], strict=True) if len(where[pair[0].mention.lower()]) == 1)
    return [one for pair in kept for one in pair]


def exchanged(notes: Sequence[Document], rng: Random) -> dict[str, list[Example]]:
    """Mentions of half of the notes, each beside one of the other half with the same label in its place."""
    settled = [note.with_spans(resolve(note.spans)) for note in rng.sample(notes, len(notes))]
    others, found = defaultdict(list), defaultdict(list)
    for note in settled[len(notes) // 2 :]:
        for span in note.spans:
            others[span.label].append(span.of(note.text))
    for mentions in others.values():
        rng.shuffle(mentions)
    for note in settled[: len(notes) // 2]:
        for i, span in enumerate(note.spans):
            if (group := group_of(span.label)) and others[span.label]:
                one = example(note, i, blank=True)
                found[group] += (one, one._replace(mention=others[span.label].pop(), surrogate=True))
    return found


def habits(notes: Sequence[Document]) -> None:
    """Print how well mentions are told apart that no other note has, and real ones from real ones."""
    pairs, _ = pseudonymised(notes, Key(Random("surrogates 0").randbytes(32)))
    here, swapped = examples_of(pairs, blank=True), exchanged(notes, Random(5))
    for group in GROUPS:
        once = only_here(here[group])
        print(
            f"{group:14} {len(once) // 2:6} in one note only: {auc(once):.3f}; real ones: {auc(swapped[group]):.3f}",
            flush=True,
        )


def found_again(notes: Sequence[Document], detector: Detector) -> Score:
    """Strict score of a detector, labels and all."""
    total = Score()
    for note in notes:
        found = note.with_spans(resolve(detector.detect(note.with_spans(()))))
        for score in strict(note.with_spans(resolve(note.spans)), found).values():
            total += score
    return total


def measured(notes: Sequence[Document], seeds: int, options: argparse.Namespace) -> dict:
    """All figures of a set of notes, the mean over keys with the worst."""
    detector = load("detectors", options.detector, lang="es")
    original = found_again(notes, detector)
    told, again = defaultdict(list), []
    for seed in range(seeds):
        key = Key(Random(f"surrogates {seed}").randbytes(32))
        pairs, treatment = pseudonymised(notes, key)
        for blank in (True, False):
            examples = examples_of(pairs, blank=blank)
            for group in GROUPS:
                show = options.show if options.group == group and blank and not seed else 0
                told[group, blank].append(auc(examples[group], show))
        again.append(found_again([concealed for _, concealed in pairs], detector))
    return {
        "notes": len(notes),
        "keys": seeds,
        "mentions": {group: len(examples[group]) // 2 for group in GROUPS},
        "treated": dict(sorted(treatment.items())),
        "auc": {group: spread(told[group, True]) for group in GROUPS},
        "auc_with_neighbours": {group: spread(told[group, False]) for group in GROUPS},
        "f1": {"original": original.f(), "surrogates": [score.f() for score in again], "detector": options.detector},
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    """The mean over keys, and the highest."""
    return {"mean": float(np.mean(values)), "highest": max(values)}


def shown(result: dict) -> bool:
    """Print the figures; say whether all are within bounds."""
    good = True
    for group, values in result["auc"].items():
        ok = values["highest"] <= MOST_AUC
        good &= ok
        print(
            f"{group:14} {result['mentions'][group]:6} mentions  AUC {values['mean']:.3f}, highest {values['highest']:.3f}"
            f"  {'ok' if ok else f'over {MOST_AUC}'}"
            f"  ({result['auc_with_neighbours'][group]['mean']:.3f} with the identifiers beside it)"
        )
    f1 = result["f1"]
    lowest = min(f1["surrogates"])
    ok = abs(f1["original"] - lowest) <= MOST_F1_LOST
    print(
        f"{f1['detector']} F1 {f1['original']:.4f} on originals, {np.mean(f1['surrogates']):.4f} on surrogates "
        f"(lowest {lowest:.4f})  {'ok' if ok else 'more than a point apart'}"
    )
    print("treated:", ", ".join(f"{what} {count}" for what, count in result["treated"].items()))
    return good and ok


def main() -> int:
    """Measure and print; 1 if a figure is out of bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("train", "dev"), default="train")
    parser.add_argument("--seeds", type=int, default=1, help="keys to try")
    parser.add_argument("-n", type=int, default=0, help="notes to take; 0 for all")
    parser.add_argument("--detector", default="rules")
    parser.add_argument("--group", choices=tuple(GROUPS), help="show what tells this group apart (train only)")
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--habits", action="store_true", help="how much is due to the corpus, and nothing else")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.split != "train":
        options.group = None
    notes = list(read_documents(MEDDOCAN / options.split, "brat"))
    notes = notes[: options.n] if options.n else notes
    if options.habits:
        habits(notes)
        return 0
    result = measured(notes, options.seeds, options)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if shown(result) else 1


if __name__ == "__main__":
    raise SystemExit(main())
