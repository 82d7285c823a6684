"""Score a detector on the project's corpus: .venv/bin/python tools/score_corpus.py dev [--detector combined] [--lang sv]

Tokens with any label: recall, precision, F1 with 95 % intervals (bootstrap over notes); notes with identifiers of which none
is left; notes without identifiers that stay untouched; recall by label (`--labels`), of patients' names by their origin
(`--origins`, all languages together), and by the form of a note (`--forms`). `--show` prints errors in context: dev only.
"""

import argparse
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from innominate.core import Document, Span
from innominate.formats import read_documents
from innominate.labels import for_language, mapping
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.text.tokens import tokens
from score_rules import context

CORPUS = Path(__file__).parent.parent / "corpus"


@dataclass
class Tally:
    """Counts of one note after the other: tokens found, spurious, missed."""

    notes: list[tuple[int, int, int]] = field(default_factory=list)
    labels: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))

    def add(self, gold: Document, found: list[Span]) -> None:
        """Count one note."""
        ours: dict[int, str] = {i: span.label for span in gold.spans for i in range(span.start, span.end)}
        theirs = {i for span in found for i in range(span.start, span.end)}
        counts = [0, 0, 0]
        for start, end in tokens(gold.text):
            label = next((ours[i] for i in range(start, end) if i in ours), "")
            hit = any(i in theirs for i in range(start, end))
            if label or hit:
                counts[0 if label and hit else 1 if hit else 2] += 1
            if label:
                self.labels[label][not hit] += 1
        self.notes.append(tuple(counts))

    def lines(self) -> list[str]:
        """What came out."""
        counts = np.array(self.notes)
        rng = np.random.default_rng(0)
        drawn = [figures(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(1000)]
        low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
        names = ("recall", "precision", "F1", "clean", "untouched")
        return [
            f"{name:10} {value:.3f} [{a:.3f}, {b:.3f}]"
            for name, value, a, b in zip(names, figures(counts), low, high, strict=True)
        ]


def figures(counts: np.ndarray) -> tuple[float, ...]:
    """Recall, precision, F1, notes with identifiers wholly clean, notes without identifiers untouched."""
    found, spurious, missed = counts.sum(0)
    recall, precision = found / max(1, found + missed), found / max(1, found + spurious)
    with_some = counts[:, 0] + counts[:, 2] > 0
    clean = (counts[with_some, 2] == 0).mean() if with_some.any() else np.nan
    untouched = (counts[~with_some, 1] == 0).mean() if (~with_some).any() else np.nan
    return recall, precision, 2 * recall * precision / max(1e-9, recall + precision), clean, untouched


def form_of(text: str) -> str:
    """What a note looks like: short, a table or form, long prose, or prose."""
    lines = [line for line in text.splitlines() if line.strip()]
    fields = sum("\t" in line or "|" in line or "   " in line.strip() or ":" in line[:25] for line in lines)
    if len(text) < 300:
        return "short"
    return "table or form" if fields > len(lines) / 3 else "long prose" if len(text) > 2500 else "prose"


def read_split(split: str, lang: str) -> list[Document]:
    """The notes of a split in one language."""
    folder = CORPUS / split / lang
    return [note for path in sorted(folder.glob("*.txt")) for note in read_documents(str(path), format="marked")]


def find_spans(notes: list[Document], lang: str, name: str, recall: str = "") -> list[list[Span]]:
    """The spans that a run finds in each note with a detector, cleaning and joining included."""
    pipeline = Pipeline(Settings(lang=lang, detector=name, recall=recall))
    return [list(pipeline.detect(Document(note.id, note.text)).spans) for note in notes]


def only_covered(notes: list[Document], lang: str) -> list[Document]:
    """Without labels that the taxonomy of the language does not have, to be fair to detectors that speak it."""
    known = mapping("innominate", for_language(lang).name)
    return [Document(n.id, n.text, tuple(s for s in n.spans if known[s.label]), n.meta) for n in notes]


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("split", choices=("train", "dev", "test"))
    parser.add_argument("--detector", default="union")
    parser.add_argument("--recall", default="")
    parser.add_argument("--lang", nargs="*", default=("en", "fr", "sv", "es", "de"))
    parser.add_argument("--covered", action="store_true", help="leave out labels that the language's own taxonomy has not")
    parser.add_argument("--labels", action="store_true", help="recall by label")
    parser.add_argument("--origins", action="store_true", help="recall of patients' names by origin, all languages")
    parser.add_argument("--forms", action="store_true", help="scores by the form of the note, all languages")
    parser.add_argument("--show", action="store_true", help="errors in context; not for test")
    options = parser.parse_args()
    origins: dict[str, Tally] = defaultdict(Tally)
    forms: dict[str, Tally] = defaultdict(Tally)
    for lang in options.lang:
        notes = read_split(options.split, lang)
        if not notes:
            continue
        if options.covered:
            notes = only_covered(notes, lang)
        found = find_spans(notes, lang, options.detector, options.recall)
        tally = Tally()
        for note, spans in zip(notes, found, strict=True):
            tally.add(note, list(spans))
            forms[form_of(note.text)].add(note, list(spans))
            names = tuple(span for span in note.spans if span.label == "PATIENT")
            origins[note.meta.get("origin", "")].add(replace(note, spans=names), list(spans))
            if options.show and options.split != "test":
                show(note, list(spans))
        print(f"{lang}, {len(notes)} notes, {options.detector}: " + "; ".join(tally.lines()))
        if options.labels:
            for label, (hit, missed) in sorted(tally.labels.items()):
                print(f"    {label:14} {hit / (hit + missed):.3f} of {hit + missed}")

    for wanted, tallies, figure in ((options.origins, origins, "recall"), (options.forms, forms, "F1")):
        for name, tally in sorted(tallies.items()) if wanted else ():
            print(f"{name:16} {len(tally.notes):4} notes: {next(line for line in tally.lines() if line.startswith(figure))}")


def show(note: Document, found: list[Span]) -> None:
    """Missed and spurious characters, in context."""
    theirs = {i for span in found for i in range(span.start, span.end)}
    ours = {i for span in note.spans for i in range(span.start, span.end)}
    for span in note.spans:
        if not any(i in theirs for i in range(span.start, span.end)):
            print(f"MISSED   {span.label:12} {context(note, span.start, span.end)}")
    for span in found:
        if not any(i in ours for i in range(span.start, span.end)):
            print(f"SPURIOUS {span.label:12} {context(note, span.start, span.end)} ({span.source} {span.score:.2f})")


if __name__ == "__main__":
    main()
