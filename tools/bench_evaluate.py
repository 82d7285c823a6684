"""Time the evaluation: 1,000 documents with 20,000 spans must score in less than 5 s by the i2b2 standard, on one core.

python tools/bench_evaluate.py [documents] [spans per document]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence

from innominate.core import Document, Span
from innominate.evaluate import Evaluation, i2b2, release
from innominate.evaluate.counts import Pair
from innominate.evaluate.labelling import note
from innominate.labels import taxonomy

LABELS = list(taxonomy("i2b2").labels)
WORDS = ["Patient", "Keita", "seen", "04/05/2071", "for", "chest", "pain", "Dr.", "Müller", "555-0100", "and", "discharged"]


def corpus(documents: int, spans: int, rng: random.Random) -> list[Pair]:
    """Invented notes of about 3,000 characters; the system misses, shifts, confuses and invents some."""
    pairs = []
    for number in range(documents):
        text = " ".join(rng.choices(WORDS, k=500))
        starts = sorted(rng.sample(range(0, len(text) - 20, 20), spans))
        gold = [Span(start, start + rng.randint(3, 15), rng.choice(LABELS)) for start in starts]
        system = [changed(span, rng) for span in gold if rng.random() < 0.95]
        pairs.append((Document(f"n{number}", text, tuple(gold)), Document(f"n{number}", text, tuple(system))))
    return pairs


def changed(span: Span, rng: random.Random) -> Span:
    if rng.random() < 0.8:
        return span
    return Span(span.start, max(span.start + 1, span.end + rng.randint(-3, 3)), rng.choice(LABELS))


def timed(what: str, work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    print(f"{what:<52}{seconds:6.2f} s")
    return seconds


def main(arguments: Sequence[str]) -> int:
    documents, spans = (int(value) for value in (*arguments, "1000", "20")[:2]) if len(arguments) < 2 else map(int, arguments)
    pairs = corpus(documents, spans, random.Random(1))
    golds, systems = [gold for gold, _ in pairs], [system for _, system in pairs]
    print(f"{documents} documents, {sum(len(gold.spans) for gold in golds)} gold spans")
    seconds = timed("i2b2, all blocks", lambda: i2b2.score((note(gold), note(system)) for gold, system in pairs))
    timed("release measures, bounds and bootstrap", lambda: release.score(pairs))
    for standard in ("i2b2", "spans"):
        timed(f"whole evaluation, {standard}", lambda: Evaluation(standard).run(golds, {"system": systems}))  # noqa: B023
    timed("two systems, i2b2, with comparison", lambda: Evaluation("i2b2").run(golds, {"a": systems, "b": golds}))
    return int(seconds >= 5)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
