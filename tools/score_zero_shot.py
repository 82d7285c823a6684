"""Score a detector on texts nobody wrote rules for: .venv/bin/python tools/score_zero_shot.py [en|fr] [--detector union]

`fr` is described in tools/zero_shot_fr.py; passages by our own writers are scored by tools/score_passages.py. `en` reports
recall and precision over tokens with any label on two public corpora of ../shared/corpora (skipped where missing):

- TAB dev (`tab/tab_dev_masks.jsonl`): 127 court cases with the spans to mask per annotator. A token is to be masked if any
  annotator masked it: the union, the strictest reading. What nobody masked because it identifies nobody (a judge's name,
  the date of a well-known ruling) counts against precision, so precision is low by construction.
- the Presidio sentences (`presidio_synth/synth_dataset_v2.json`): 1,500 sentences with 2,863 spans. The first half may
  be looked at while rules are written (`--show` prints its errors); the second half is only measured.

Labels are not compared: the corpora have their own.
A detector is a name, the folder of a model, or `rules+` and either.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import zero_shot_fr
from innominate.core import Document, Score
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.text.tokens import tokens

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"

Case = tuple[str, list[tuple[int, int, str]]]  # a text and its spans: start, end, type


def tab(folder: Path) -> Iterator[Case]:
    """Court cases; the spans of all annotators together."""
    for line in (folder / "tab" / "tab_dev_masks.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield case["text"], [(start, end, "MASK") for spans in case["mask_spans_by_annotator"] for start, end in spans]


def presidio(folder: Path, half: int) -> Iterator[Case]:
    """Templated sentences: the first (0) or the second (1) half of the file."""
    cases = json.loads((folder / "presidio_synth" / "synth_dataset_v2.json").read_text(encoding="utf-8"))
    middle = len(cases) // 2
    for case in cases[middle:] if half else cases[:middle]:
        yield (
            case["full_text"],
            [(s["start_position"], s["end_position"], s["entity_type"]) for s in case["spans"]],
        )


def score(cases: Iterable[Case], pipeline: Pipeline) -> tuple[Score, dict[str, Score], Counter[str]]:
    """Tokens with any label; recall by the corpus's own type; errors in context."""
    total, by_type, errors = Score(), defaultdict(Score), Counter()
    for number, (text, spans) in enumerate(cases):
        found = pipeline.detect(Document(f"case-{number}", text))
        wanted = {i: kind for start, end, kind in spans for i in range(start, end)}
        covered = {i for span in found.spans for i in range(span.start, span.end)}
        for start, end in tokens(text):
            kind = next((wanted[i] for i in range(start, end) if i in wanted), None)
            hit = any(i in covered for i in range(start, end))
            total += Score(bool(kind and hit), bool(hit and not kind), bool(kind and not hit))
            if kind:
                by_type[kind] += Score(int(hit), 0, int(not hit))
            if bool(kind) != hit:
                place = f"{text[max(0, start - 30) : start]}⟦{text[start:end]}⟧{text[end : end + 20]}".replace("\n", "⏎")
                errors[f"{kind or 'SPURIOUS':14} {place}"] += 1
    return total, by_type, errors


def english(pipeline: Pipeline, corpora: Path, show: int) -> None:
    """Score and print the English corpora."""
    runs = {
        "TAB dev, union of annotators": ("tab/tab_dev_masks.jsonl", lambda: tab(corpora)),
        "Presidio sentences, first half": ("presidio_synth/synth_dataset_v2.json", lambda: presidio(corpora, 0)),
        "Presidio sentences, second half": ("presidio_synth/synth_dataset_v2.json", lambda: presidio(corpora, 1)),
    }
    for name, (path, cases) in runs.items():
        if not (corpora / path).is_file():
            print(f"{name:34} skipped: corpus not found at {corpora / path}")
            continue
        total, by_type, errors = score(cases(), pipeline)
        print(
            f"{name:34} recall {total.recall:.3f}  precision {total.precision:.3f}  F1 {total.f():.3f}"
            f"  ({total.tp + total.fn} tokens)"
        )
        if "first" in name:
            print("   recall by type: " + ", ".join(f"{kind} {s.recall:.2f}" for kind, s in sorted(by_type.items())))
            for line, count in errors.most_common(show):
                print(f"{count:4} {line}")


def main(arguments: list[str] | None = None) -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang", nargs="?", choices=("en", "fr"), default="en")
    parser.add_argument("--detector", default="union")
    parser.add_argument("--recall", default="", help="the operating point of a model")
    parser.add_argument("--corpora", type=Path, default=CORPORA)
    parser.add_argument(
        "--misses", "--show", type=int, default=0, metavar="N", help="print the N worst errors of what may be looked at"
    )
    options = parser.parse_args(arguments)
    pipeline = Pipeline(Settings(lang=options.lang, detector=options.detector, recall=options.recall, unknown_language="all"))
    part = zero_shot_fr.report if options.lang == "fr" else english
    part(pipeline, options.corpora, options.misses)


if __name__ == "__main__":
    main()
