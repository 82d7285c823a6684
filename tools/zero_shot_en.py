"""The passages of tools/score_zero_shot.py: English notes by somebody who had seen neither rules nor templates.

197 fictional passages of United States and British notes, a quarter of them without identifiers, with the i2b2 labels. The
first half was read after rules had been scored on it once, then the second: both are development data now. Rooms with their
word (`Bed 4`) and numbers of specimens as IDNUM follow the conventions of the synthetic notes.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from innominate.core import Document, Score, Span
from innominate.run.pipeline import Pipeline
from score_rules import any_label, context, strict

PASSAGES = Path(__file__).parent / "data" / "zero_shot_en.jsonl"


def passages(half: str) -> Iterator[Document]:
    """The passages of one half, `first` or `second`."""
    for line in PASSAGES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["half"] == half:
            yield Document(row["id"], row["text"], tuple(Span(*span) for span in row["spans"]))


def report(pipeline: Pipeline, misses: int) -> None:
    """Print strict scores by label and tokens with any label of each half, and the first misses."""
    for half in ("first", "second"):
        by_label: dict[str, Score] = defaultdict(Score)
        tokens, missed = Score(), Counter[str]()
        for gold in passages(half):
            found = pipeline.detect(Document(gold.id, gold.text))
            tokens += any_label(gold, found)
            for label, score in strict(gold, found).items():
                by_label[label] += score
            missed.update(f"{s.label:15} {context(gold, s.start, s.end)}" for s in set(gold.spans) - set(found.spans))
        present = [score for score in by_label.values() if score.tp + score.fn]
        macro = sum(score.f() for score in present) / len(present)
        rates = f"tokens: recall {tokens.recall:.3f}  precision {tokens.precision:.3f}"
        print(f"{f'fresh passages, {half} half':34} macro F1 {macro:.3f}  {rates}")
        for line in sorted(missed)[:misses]:
            print(f"      {line}")
