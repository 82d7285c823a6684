"""Score a detector on passages of notes: .venv/bin/python tools/score_passages.py fr [--detector rules] [--show a]

The passages (`tools/data/passages/LANG_HALF.txt`) are by writers who had seen neither rules nor templates, and had only the
guidelines of the taxonomy. A quarter to a third of them hold no identifier but traps: eponyms, drugs, words that are names
elsewhere. A half becomes development data when somebody reads its errors; docs/rules.md says which figures were taken before.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from innominate.core import Document, Score, annotated
from innominate.labels import for_language
from innominate.languages import language_codes
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from score_rules import any_label, context, strict

PASSAGES = Path(__file__).parent / "data" / "passages"


def passages(path: Path) -> Iterator[Document]:
    """The passages of a file, which lines of three dashes part."""
    for number, text in enumerate(path.read_text("utf-8").split("\n---\n")):
        yield annotated(text.strip("\n"), f"{path.stem}-{number}")


def errors(gold: Document, found: Document) -> Iterator[str]:
    """What was missed, and what was found that is none, in context."""
    for span in sorted(set(gold.spans) - set(found.spans), key=lambda span: span.start):
        yield f"MISSED   {span.label:12} {context(gold, span.start, span.end)}"
    for span in sorted(set(found.spans) - set(gold.spans), key=lambda span: span.start):
        yield f"SPURIOUS {span.label:12} {context(gold, span.start, span.end)}  ({span.source})"


def main() -> None:
    """Score all halves of a language and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang", choices=language_codes())
    parser.add_argument("--detector", default="rules")
    parser.add_argument("--show", nargs="*", default=(), help="show the errors of these halves, such as a b")
    options = parser.parse_args()
    taxonomy = for_language(options.lang).name  # in which the passages are marked
    pipeline = Pipeline(Settings(lang=options.lang, detector=options.detector, taxonomy=taxonomy, unknown_language="all"))
    for path in sorted(PASSAGES.glob(f"{options.lang}_*.txt")):
        totals: dict[str, Score] = defaultdict(Score)
        covered = Score()
        for gold in passages(path):
            found = pipeline.detect(Document(gold.id, gold.text))
            covered += any_label(gold, found)
            for label, score in strict(gold, found).items():
                totals[label] += score
            if path.stem.split("_")[1] in options.show:
                print("\n".join(errors(gold, found)))
        known = [score.f(1) for score in totals.values() if score.tp + score.fn]
        everything = sum(totals.values(), Score())
        print(
            f"{path.stem}: {everything.tp + everything.fn} identifiers; strict macro F1 {sum(known) / len(known):.3f}, "
            f"P {everything.precision:.3f}, R {everything.recall:.3f}; "
            f"tokens with any label P {covered.precision:.3f}, R {covered.recall:.3f}"
        )


if __name__ == "__main__":
    main()
