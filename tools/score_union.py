"""Rules, CRF and their union side by side: .venv/bin/python tools/score_union.py es|en|fr|sv [--model FOLDER] [--synthetic N]

On MEDDOCAN dev (es), on TAB dev (en), or on N synthetic notes of the dev templates.

MEDDOCAN: strict scores by the official rules (NER: label and place; span: place), the share of identifiers that are wholly
covered, and recall and precision of tokens with any label. Elsewhere: tokens with any label. Only numbers are printed. Of a
Spanish model that has learned from dev the figures mean nothing: name one that has not (tools/train_shipped.py).
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import score_zero_shot
from innominate.core import Document, Score, Span
from innominate.detect.models.named import detector
from innominate.evaluate import meddocan
from innominate.evaluate.release import Leak
from innominate.formats import read_documents
from innominate.languages import language_codes
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.synth.generate import generate
from innominate.text.tokens import tokens
from innominate.text.view import DETECTION, named, view

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
POINTS = ("F1", "F4", "F10", "F20", "F40")


def rows(model: str) -> Iterable[tuple[str, str, str]]:
    """Name, detector and recall of each row."""
    yield "rules", "rules", ""
    for point in POINTS:
        yield f"CRF {point}", model or "crf", point
    for point in POINTS:
        yield f"rules + CRF {point}", f"rules+{model}" if model else "union", point


def found_in(texts: Iterable[str], name: str, lang: str, recall: str) -> list[list[Span]]:
    """What a detector finds in texts as detectors see them, at its places in the texts."""
    find, spans = detector(name, lang, recall=recall), []
    for text in texts:
        shown = view(text, named(DETECTION))
        spans.append(shown.to_original(find.detect(Document("n", shown.text))))
    return spans


def by_token(text: str, gold: Iterable[Span], found: Iterable[Span]) -> Score:
    """Tokens with any label."""
    wanted, got = ({i for span in spans for i in range(span.start, span.end)} for spans in (gold, found))
    total = Score()
    for start, end in tokens(text):
        here, hit = not wanted.isdisjoint(range(start, end)), not got.isdisjoint(range(start, end))
        total += Score(here and hit, hit and not here, here and not hit)
    return total


def spanish(model: str) -> None:
    """MEDDOCAN dev."""
    notes = list(read_documents(CORPORA / "meddocan" / "dev"))
    print(f"{'':20} NER P   R     F1    span F1  masked  token P  R")
    for title, name, recall in rows(model):
        found = found_in((note.text for note in notes), name, "es", recall)
        pairs = [(note, note.with_spans(spans)) for note, spans in zip(notes, found, strict=True)]
        scores = meddocan.score(pairs)
        ner = scores["ner"]["micro"]
        leaks = [Leak.of(note, other) for note, other in pairs]
        masked = sum(leak.masked for leak in leaks) / sum(leak.identifiers for leak in leaks)
        total = sum((by_token(note.text, note.spans, other.spans) for note, other in pairs), Score())
        print(
            f"{title:20} {ner['precision']:.4f} {ner['recall']:.4f} {ner['f1']:.4f} {scores['span_strict']['micro']['f1']:.4f}"
            f"  {masked:.4f}  {total.precision:.4f} {total.recall:.4f}",
            flush=True,
        )


def synthetic(model: str, lang: str, count: int) -> None:
    """Notes of the dev templates."""
    notes = list(generate(lang, count, seed=41, split="dev"))
    for title, name, recall in rows(model):
        found = found_in((note.text for note in notes), name, lang, recall)
        total = sum((by_token(note.text, note.spans, spans) for note, spans in zip(notes, found, strict=True)), Score())
        print(f"{title:20} token P {total.precision:.4f}  R {total.recall:.4f}", flush=True)


def english(model: str) -> None:
    """TAB dev."""
    for title, name, recall in rows(model):
        total, _, _ = score_zero_shot.score(
            score_zero_shot.tab(CORPORA), Pipeline(Settings(lang="en", detector=name, recall=recall, unknown_language="all"))
        )
        print(f"{title:20} token P {total.precision:.4f}  R {total.recall:.4f}", flush=True)


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang", choices=language_codes())
    parser.add_argument("--model", default="", help="folder of a model; the one that ships if not given")
    parser.add_argument("--synthetic", type=int, default=0, metavar="N", help="notes of the dev templates instead")
    options = parser.parse_args()
    if options.synthetic or options.lang not in ("es", "en"):
        synthetic(options.model, options.lang, options.synthetic or 100)
    else:
        (spanish if options.lang == "es" else english)(options.model)


if __name__ == "__main__":
    main()
