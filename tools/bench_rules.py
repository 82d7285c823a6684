"""Speed of the rules on one core, in one run with peers: .venv/bin/python tools/bench_rules.py [--peers .venv-peers]

The same notes for all: about 3 kB each, synthetic notes followed by clinical prose without identifiers. Ours, together as in a
run and one by one, against a plain loop of `re` over the same patterns, the bare native scan of the same patterns and lists,
presidio-analyzer without NER, deduce, and a bare scan of the same patterns by Hyperscan. CPU seconds, medians of the rounds
with their spread; what is loaded is kept out of the way of the garbage collector, as in a run. Recall: characters of
identifiers covered by any span.
"""

import argparse
import gc
import json
import math
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from innominate.core import Document
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.expressions.parsed import bytes_to_scan
from innominate.languages import language_folder
from innominate.synth.generate import generate

ROUNDS = 9
console = Console(highlight=False)


def notes(lang: str, n: int) -> list[Document]:
    """Synthetic notes, each followed by prose of the lexicon without identifiers up to about 3 kB."""
    lexicon = language_folder(lang) / "lexicon"
    lines = [
        line
        for kind in ("finding", "diagnosis", "procedure", "symptom")
        for line in (lexicon / f"{kind}.txt").read_text().splitlines()
    ]
    entries = [line.partition("\t")[0] for line in lines if line and line[0] not in "#{" and "{" not in line]
    prose = " ".join(f"{entry[0].upper()}{entry[1:]}." for entry in entries)
    made = []
    for i, note in enumerate(generate(lang, n, seed=23, split="dev")):
        start = (i * 997) % max(1, len(prose) - 3000)
        filler = prose[start : start + max(0, 3000 - len(note.text))]
        made.append(Document(note.id, f"{note.text}\n{filler}", note.spans))
    return made


def measure(works: list[Callable[[list[str]], object]], texts: list[str]) -> list[list[float]]:
    """CPU seconds of each round; the works take turns, so that a core that others load is slow for all of them."""
    seconds: list[list[float]] = [[] for _ in works]
    for number in range(ROUNDS + 1):
        for work, mine in zip(works, seconds, strict=True):
            started = time.process_time()
            work(texts if number else texts[:5])
            mine += [time.process_time() - started] if number else []
    return seconds


def together_with(detector: RulesDetector) -> Callable[[list[str]], object]:
    """All notes together, as in a run."""
    return lambda texts: detector.detect_many([Document("n", text) for text in texts])


def one_by_one(detector: RulesDetector) -> Callable[[list[str]], object]:
    """One note after the other."""
    return lambda texts: [detector.detect(Document("n", text)) for text in texts]


def bare(engine: Engine) -> Callable[[list[str]], object]:
    """The bare scan: where patterns may match, and the words of the lists."""

    def scan(texts: list[str]) -> None:
        for text in texts:
            engine.scanner.automaton.starts(bytes_to_scan(text))
        for text in texts:
            engine.words.matches(text)

    return scan


def recall(documents: list[Document], spans: list[list[tuple[int, int]]]) -> float:
    """Share of the characters of identifiers that are covered."""
    hit = total = 0
    for document, found in zip(documents, spans, strict=True):
        covered = {i for start, end in found for i in range(start, end)}
        wanted = {i for span in document.spans for i in range(span.start, span.end)}
        hit, total = hit + len(wanted & covered), total + len(wanted)
    return hit / total


def peer(name: str, python: Path, path: Path) -> dict[str, list] | None:
    """Run a peer in its own environment; one that is not there or fails is reported, and the others still run."""
    if not python.exists():
        console.print(f"{name}: not available: {python} not found (make peers)")
        return None
    command = [str(python), "tools/bench_peers.py", name, str(path), "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        console.print(f"{name}: not available: {(done.stderr.splitlines() or ['no message'])[-1]}")
        return None
    return json.loads(done.stdout.splitlines()[-1])


def exponent(detector: RulesDetector, text: str) -> float:
    """Slope of log time over log length from 1 kB to 10 MB."""
    points = []
    for length in (1_000, 10_000, 100_000, 1_000_000, 10_000_000):
        document = Document("n", (text * (length // len(text) + 1))[:length])
        rounds = max(1, 200_000 // length)
        started = time.process_time()
        for _ in range(rounds):
            detector.detect(document)
        points.append((math.log(length), math.log((time.process_time() - started) / rounds)))
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", default="en")
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers"))
    options = parser.parse_args()
    documents = notes(options.lang, options.n)
    texts = [document.text for document in documents]
    megabytes = sum(map(len, texts)) / 1e6
    detector = RulesDetector(options.lang)
    engine = detector.engine
    compiled = [re.compile(expression) for expression in engine.pack.expressions.values()]
    rows: list[tuple[str, list[float], float | None]] = []
    ours = [[(s.start, s.end) for s in spans] for spans in detector.detect_many(documents)]
    gc.collect()
    gc.freeze()
    together, alone, scan = measure([together_with(detector), one_by_one(detector), bare(engine)], texts)
    rows.append(("innominate rules", together, recall(documents, ours)))
    rows.append(("innominate rules, one by one", alone, None))
    rows.append(("bare scan of the patterns and lists", scan, None))
    (plain,) = measure([lambda some: [list(e.finditer(text)) for text in some for e in compiled]], texts[: len(texts) // 10])
    rows.append(("plain loop of re", plain, None))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.jsonl"
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
        path.with_name("patterns.json").write_text(json.dumps(list(engine.pack.expressions.values())), encoding="utf-8")
        for name in ("presidio", "deduce", "hyperscan"):
            found = peer(name, options.peers / "bin" / "python", path)
            if found is None:
                continue
            spans = [[tuple(s) for s in note] for note in found["spans"]]
            covered = recall(documents, spans) if name != "hyperscan" else None
            rows.append((name if covered is not None else "bare scan of the patterns by Hyperscan", found["seconds"], covered))
    table = Table("", "MB/s", "spread", "times slower than rules", "recall of characters", box=None)
    base = statistics.median(rows[0][1]) / megabytes
    few = sum(map(len, texts[: len(texts) // 10])) / 1e6
    for name, seconds, covered in rows:
        size = few if name.startswith("plain") else megabytes
        rates = sorted(size / s for s in seconds)
        ratio = statistics.median(seconds) / size / base
        shown = "" if covered is None else f"{covered:.3f}"
        table.add_row(name, f"{statistics.median(rates):.2f}", f"{rates[0]:.2f} – {rates[-1]:.2f}", f"{ratio:.2f}", shown)
    density = sum(len(document.spans) for document in documents) / len(texts)
    console.print(f"{options.lang}: {len(texts)} notes, {megabytes:.2f} MB, {density:.1f} identifiers a note")
    console.print(table)
    console.print(f"cost grows with length to the power {exponent(detector, texts[0]):.3f} (1 kB to 10 MB)")


if __name__ == "__main__":
    main()
