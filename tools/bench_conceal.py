"""Time concealment: notes of 3,000 characters with 20 identifiers, at least 500 a second on one core.

python tools/bench_conceal.py [notes] [fr|en|sv|es ...]

Times are CPU time, after the 200 notes in which the lists are read and filed; each line has notes that were not seen before.
What is loaded by then is kept out of the way of the garbage collector, as in a run.
Each rate is the median of ten rounds, with the slowest and the fastest.
`the whole road` is what a run does with a marked note: find again, conceal, verify, check the dates. A core that others
load is slow: the time of a plain loop, shown with every language, tells how slow, but not how much the caches suffer.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from innominate.conceal import conceal
from innominate.conceal.keys import new_key, read_key
from innominate.conceal.propagate import find_again, gather_needles
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.conceal.strategies.remove import Remove
from innominate.core import Document, ProcessingError, Span
from innominate.languages import language_codes
from innominate.run.concealing import Concealing, MarkedNote
from innominate.run.settings import Settings
from innominate.synth.generate import generate

WANTED = 20
LENGTH = 3000
ENOUGH = 500  # notes/s
_WARM = 200
_ROUNDS = 10
FILLER = " Status idem, no change, see above. " * 100


def notes(lang: str, n: int) -> Iterator[Document]:
    """Synthetic notes, cut or filled to 20 identifiers and 3,000 characters."""
    for document in generate(lang, 6 * n, seed=7, patients=2 * n):
        if len(document.spans) < WANTED:
            continue
        spans = document.spans[:WANTED]
        text = document.text[: max(spans[-1].end, LENGTH)]
        text += FILLER[: max(0, LENGTH - len(text))]
        yield Document(document.id, text, tuple(Span(s.start, s.end, s.label) for s in spans), document.meta)
        n -= 1
        if not n:
            return


def timed(what: str, work: Callable[[Any], object], items: Sequence[object]) -> float:
    """The median rate of ten rounds, each of notes of its own; the slowest and the fastest are shown with it."""
    rates = []
    for number in range(_ROUNDS):
        some = items[number::_ROUNDS]
        start = time.process_time()
        for item in some:
            work(item)
        rates.append(len(some) / (time.process_time() - start))
    rate = statistics.median(rates)
    print(f"{what:<44}{rate:8.0f} notes/s ({min(rates):.0f} to {max(rates):.0f})")
    return rate


def pace() -> float:
    """Milliseconds for a million turns of a loop: the load of the core, to compare two runs by."""
    start, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number & 3
    return (time.process_time() - start) * 1000


def main(arguments: Sequence[str]) -> int:
    count = int(arguments[0]) if arguments else 1000
    slowest = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "key"
        new_key(path)
        for lang in arguments[1:] or language_codes():
            slowest = min(slowest, _language(lang, count, path))
    return int(slowest < ENOUGH)


def _language(lang: str, count: int, path: Path) -> float:
    pseudo, settings = Pseudo(read_key(path)), Settings(lang=lang, policy="pseudo", key=str(path))

    def road(document: Document) -> object:
        marked = MarkedNote(document, lang)
        try:
            return Concealing.of(settings, [marked]).conceal(marked)
        except ProcessingError:  # withheld: with this shift, an age that the note states would no longer be right
            return None

    found = list(notes(lang, 2 * count + _WARM))
    documents, second = (found[_WARM + i :: 2] for i in range(2))
    for document in found[:_WARM]:
        road(document)
    gc.collect()
    gc.freeze()
    kinds = sum(len({s.label for s in d.spans}) for d in documents) / len(documents)
    size = sum(len(d.text) for d in documents) / len(documents)
    print(f"{lang}: {len(documents)} notes of {size:.0f} characters, {WANTED} identifiers of {kinds:.1f} labels each")
    print(f"  a million turns of a loop take {pace():.0f} ms")
    rate = timed("  pseudo", lambda document: conceal(document, pseudo), documents)
    timed("  the whole road", road, second)
    timed("  propagation", lambda document: find_again(document, gather_needles(document, lang), lang), documents)
    timed("  remove", lambda document: conceal(document, Remove()), documents)
    return rate


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
