"""Peers for the benchmark of the rules, run by tools/bench_rules.py in an environment of their own (make peers).

usage: bench_peers.py presidio|deduce|hyperscan NOTES.jsonl ROUNDS   prints JSON: seconds of each round, spans of each note
"""

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

Detect = Callable[[str], list[tuple[int, int]]]

logging.disable(logging.CRITICAL)


def presidio() -> Detect:
    """presidio-analyzer with its default recognisers and no NER: a blank spaCy pipeline, as in its own documentation."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__(models=[{"lang_code": "en", "model_name": "blank"}])
            self.nlp = {"en": spacy.blank("en")}

    engine = AnalyzerEngine(nlp_engine=Blank(), supported_languages=["en"])
    return lambda text: [(found.start, found.end) for found in engine.analyze(text, language="en")]


def deduce() -> Detect:
    """deduce with its Dutch rules: the spans mean little on other languages, the cost of its engine does."""
    from deduce import Deduce

    engine = Deduce()
    # Its offsets are numpy integers, which JSON does not know.
    return lambda text: [(int(a.start_char), int(a.end_char)) for a in engine.deidentify(text).annotations]


def hyperscan(patterns: list[str]) -> Detect:
    """A bare scan for the same patterns, as far as Hyperscan takes them: it only says which of them may match in a note.

    Look-around is left out (`PREFILTER`), and each pattern is reported once in a note: to hear of all matches takes eight
    times as long, most of it for calls of Python.
    """
    import hyperscan as engine

    flags = engine.HS_FLAG_PREFILTER | engine.HS_FLAG_SINGLEMATCH | engine.HS_FLAG_UTF8 | engine.HS_FLAG_DOTALL

    def compiled(expressions: list[bytes]) -> "engine.Database":
        database = engine.Database(mode=engine.HS_MODE_BLOCK)
        ids = list(range(len(expressions)))
        database.compile(expressions=expressions, ids=ids, flags=[flags | engine.HS_FLAG_ALLOWEMPTY] * len(ids))
        return database

    taken = []
    for pattern in patterns:
        expression = re.sub(r"\(\?P<\w+>", "(", pattern).encode()
        try:
            compiled([expression])
        except engine.error:
            continue
        taken.append(expression)
    database = compiled(taken)

    def scan(text: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        database.scan(text.encode(), match_event_handler=lambda number, *_: found.append((number, number + 1)))
        return found

    return scan


def main() -> None:
    """Measure a peer."""
    name, path, rounds = sys.argv[1:]
    notes = [json.loads(line)["text"] for line in Path(path).read_text(encoding="utf-8").splitlines()]
    peers = {"presidio": presidio, "deduce": deduce}
    beside = Path(path).with_name("patterns.json")
    detect = hyperscan(json.loads(beside.read_text(encoding="utf-8"))) if name == "hyperscan" else peers[name]()
    for text in notes[:5]:
        detect(text)
    seconds, spans = [], []
    for _ in range(int(rounds)):
        started = time.process_time()
        spans = [detect(text) for text in notes]
        seconds.append(time.process_time() - started)
    print(json.dumps({"seconds": seconds, "spans": spans}))


if __name__ == "__main__":
    main()
