"""The French part of tools/score_zero_shot.py: hand-annotated passages of clinical cases and old newspapers.

210 passages of published clinical cases (E3C, unlabelled) and 32 of newspapers (Europeana), chosen by a fixed seed and
annotated by the CHUV guidelines before any detector saw them. Strata: `opening` (first sentences), `cued` (a date, kin,
place, ward or any capital inside the sentence), `rare` (a date, place, institution or profession), `plain` (as they come),
`news`. Initials that stand for a whole name (`Mme O.N`) are optional: the guidelines leave them out.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from innominate.core import Document, Score, Span
from innominate.labels import taxonomy
from innominate.run.pipeline import Pipeline
from innominate.text.tokens import tokens
from standoff import Passage, missing, passages

ANNOTATIONS = Path(__file__).parent / "data" / "zero_shot_fr.jsonl"
PARTS = {"clinical cases": ("opening", "cued", "rare", "plain"), "newspapers": ("news",)}


def covered(spans: Iterable[Span]) -> set[int]:
    """The characters under the spans."""
    return {i for span in spans for i in range(span.start, span.end)}


@dataclass
class Tally:
    """What a detector found and missed, by character, by token and by label."""

    characters: Score = field(default_factory=Score)
    tokens: Score = field(default_factory=Score)
    by_label: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))  # whole spans; fp is never counted
    misses: list[tuple[int, int, str]] = field(default_factory=list)  # direct identifiers first, then the longest
    alarms: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, passage: Passage, found: tuple[Span, ...]) -> None:
        """Count one passage; what is optional counts neither way."""
        wanted, free, got = covered(passage.spans), covered(passage.optional), covered(found)
        for start, end in tokens(passage.text):
            inside = set(range(start, end))
            if inside & free and not inside & wanted:
                continue
            self.tokens += _score(bool(inside & wanted), bool(inside & got))
            for i in inside:
                self.characters += _score(i in wanted, i in got)
        for span in passage.spans:
            left = covered([span]) - got - _blanks(passage.text)
            self.by_label[span.label] += Score(not left, 0, bool(left))
            if left and passage.half == "first":
                direct = taxonomy("chuv")[span.label].kind.identifier == "direct"
                self.misses.append((-direct, -len(left), _place(passage, span)))
        for span in found:
            extra = covered([span]) - wanted - free
            if passage.half == "first" and len(extra) == span.end - span.start:
                self.alarms.append((0, -len(extra), f"{_place(passage, span)}  ({span.source})"))


def _score(wanted: bool, got: bool) -> Score:
    return Score(wanted and got, got and not wanted, wanted and not got)


def _blanks(text: str) -> set[int]:
    return {i for i, letter in enumerate(text) if letter.isspace()}


def _place(passage: Passage, span: Span) -> str:
    text = passage.text
    before, after = text[max(0, span.start - 40) : span.start], text[span.end : span.end + 30]
    return f"{span.label:26} {before}⟦{span.of(text)}⟧{after}".replace("\n", "⏎")


def tally(chosen: Iterable[Passage], pipeline: Pipeline) -> Tally:
    """Count all passages."""
    result = Tally()
    for passage in chosen:
        result.add(passage, pipeline.detect(Document(passage.id, passage.text)).spans)
    return result


def report(pipeline: Pipeline, corpora: Path, misses: int) -> None:
    """Print scores of each part and half, and the worst misses and false alarms of the first half."""
    for path in missing(ANNOTATIONS, corpora):
        print(f"skipped: corpus not found at {path}")
    everything = list(passages(ANNOTATIONS, corpora))
    for part, strata in PARTS.items():
        for half in ("first", "second"):
            chosen = [p for p in everything if p.stratum in strata and p.half == half]
            if chosen:
                _print(f"{part}, {half} half", len(chosen), tally(chosen, pipeline), misses)


def _print(name: str, size: int, result: Tally, misses: int) -> None:
    for unit, score in (("tokens", result.tokens), ("characters", result.characters)):
        rates = f"recall {score.recall:.3f}  precision {score.precision:.3f}  F1 {score.f():.3f}"
        print(f"{name:30} {size:4} passages  {unit:10} {rates}  ({score.tp + score.fn})")
    labels = sorted(result.by_label.items())
    print("   spans wholly found: " + ", ".join(f"{label} {s.tp}/{s.tp + s.fn}" for label, s in labels))
    for title, places in (("missed", result.misses), ("false alarms", result.alarms)):
        if misses and places:
            print(f"   {title}:")
            for _, _, place in sorted(places)[:misses]:
                print(f"      {place}")
