"""Score eponyms both ways: .venv/bin/python tools/score_eponyms.py [en fr sv es] [--part dev|held-out|all] [--quiet]

Prints the share of disease uses kept (no span touches the eponym) and of surname uses masked (a span covers the surname), and
the sentences that fail. Sentences of the held-out part are never shown: rules are not written on what they are measured on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from innominate.core import Document, Span, annotated
from innominate.core.plugins import load
from innominate.languages import language_codes

SENTENCES = Path(__file__).parents[1] / "tests" / "detect" / "eponyms"
EPONYM = "EPONYM"
HELD_OUT = "# held out"


@dataclass(frozen=True)
class Use:
    """One use of an eponym in a sentence."""

    id: str  # language and line, with the number of the mark in it
    part: str  # "dev" or "held-out"
    document: Document
    span: Span

    @property
    def disease(self) -> bool:
        """Whether it names a disease, scale or device, and stays."""
        return self.span.label == EPONYM


@dataclass(frozen=True)
class Outcome:
    """How many uses of one kind came out right, and which did not."""

    right: int
    wrong: tuple[Use, ...]

    @property
    def share(self) -> float:
        """Right among all."""
        total = self.right + len(self.wrong)
        return self.right / total if total else 1.0


def uses(lang: str) -> Iterator[Use]:
    """The uses in the sentences of a language."""
    part = "dev"
    for number, line in enumerate((SENTENCES / f"{lang}.txt").read_text(encoding="utf-8").splitlines(), start=1):
        if line == HELD_OUT:
            part = "held-out"
        if not line.strip() or line.startswith("#"):
            continue
        document = annotated(f"\n{line}")  # a line of a note, not its very beginning
        for mark, span in enumerate(document.spans, start=1):
            yield Use(f"{lang}-{number}-{mark}", part, document, span)


def right(use: Use, spans: tuple[Span, ...]) -> bool:
    """Whether a disease stays, or a surname is covered."""
    wanted = use.span
    if use.disease:
        return not any(span.start < wanted.end and wanted.start < span.end for span in spans)
    covered = {index for span in spans for index in range(span.start, span.end)}
    return covered.issuperset(range(wanted.start, wanted.end))


def score(lang: str, part: str = "all", detector: str = "rules") -> dict[str, Outcome]:
    """Disease uses and surname uses of a language."""
    find = load("detectors", detector, lang=lang)
    found: dict[str, tuple[Span, ...]] = {}
    outcomes: dict[str, tuple[list[Use], list[Use]]] = {"disease": ([], []), "surname": ([], [])}
    for use in uses(lang):
        if part not in ("all", use.part):
            continue
        text = use.document.text
        if text not in found:
            found[text] = tuple(find.detect(Document(use.id, text)))
        outcomes["disease" if use.disease else "surname"][not right(use, found[text])].append(use)
    return {kind: Outcome(len(good), tuple(bad)) for kind, (good, bad) in outcomes.items()}


def shown(use: Use) -> str:
    """The sentence with the use marked, and what was found there."""
    text, span = use.document.text, use.span
    spans = load("detectors", "rules", lang=use.id.partition("-")[0]).detect(Document(use.id, text))
    found = ", ".join(f"{s.of(text)} {s.label} {s.source} {s.score:.2f}" for s in spans)
    return f"{text[1 : span.start]}⟦{span.of(text)}⟧{text[span.end :]}  ({found})"


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", default=language_codes())
    parser.add_argument("--part", choices=("dev", "held-out", "all"), default="all")
    parser.add_argument("--quiet", action="store_true", help="numbers only")
    options = parser.parse_args()
    for lang in options.languages or language_codes():
        for part in ("dev", "held-out") if options.part == "all" else (options.part,):
            for kind, outcome in score(lang, part).items():
                verb = "kept" if kind == "disease" else "masked"
                total = outcome.right + len(outcome.wrong)
                print(f"{lang} {part:8} {kind} uses {verb:6} {outcome.right:4}/{total:<4} {outcome.share:6.3f}")
                for use in outcome.wrong:
                    hidden = use.part == "held-out" or options.quiet
                    print(f"    {use.id}" if hidden else f"    {use.id}: {shown(use)}")


if __name__ == "__main__":
    main()
