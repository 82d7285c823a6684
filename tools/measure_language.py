"""Measure the recognition of languages: .venv/bin/python tools/measure_language.py [../shared/corpora]"""

import csv
import gzip
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from innominate.text.language import recognise


def text_of(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def notes(corpora: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the name of a corpus, its language and a note."""
    for path in sorted((corpora / "meddocan" / "train").rglob("*.txt")):
        yield "meddocan", "es", text_of(path)
    for lang in ("fr", "en"):
        for line in text_of(corpora / "unlabelled" / f"e3c_{lang}.jsonl.gz").splitlines():
            yield f"e3c_{lang}", lang, json.loads(line)["text"]
    for name, column in (("aci_bench", "note"), ("mts_dialog", "section_text")):
        for path in sorted((corpora / "unlabelled" / name).glob("*.csv*")):
            for row in csv.DictReader(text_of(path).splitlines(keepends=True)):
                yield name, "en", row[column]
    sentences = re.sub(r"[][(){}]", "", text_of(corpora / "swedish_med_ner" / "1177_annotated_sentences.txt")).splitlines()
    news = [
        " ".join(re.findall(r"^(\S+)\t", block, re.M))
        for block in text_of(corpora / "swedish_ner" / "train_corpus.txt").split("\n\n")
    ]
    for name, lines in (("swedish_med_ner", sentences), ("swedish_ner", news)):
        # These corpora are single sentences; ten together stand for a note.
        yield from ((name, "sv", "\n".join(lines[start : start + 10])) for start in range(0, len(lines), 10))


def report(kind: str, items: list[tuple[str, str, str]]) -> None:
    total = wrong = 0
    for corpus in sorted({name for name, _, _ in items}):
        mistakes = [(lang, text) for name, lang, text in items if name == corpus and recognise(text) != lang]
        size = sum(name == corpus for name, _, _ in items)
        total, wrong = total + size, wrong + len(mistakes)
        print(f"{kind:6} {corpus:16} {size:7} wrong {len(mistakes):4}  accuracy {1 - len(mistakes) / size:.5f}")
        if "-v" in sys.argv:
            for _, text in mistakes[:8]:
                print("      ", recognise(text), repr(text[:110]))
    print(f"{kind:6} {'all':16} {total:7} wrong {wrong:4}  accuracy {1 - wrong / total:.5f}")


def main() -> None:
    corpora = Path(next((argument for argument in sys.argv[1:] if argument != "-v"), "../shared/corpora"))
    found = [item for item in notes(corpora) if item[2].strip()]
    report("notes", [item for item in found if len(item[2]) >= 200])
    report("short", [item for item in found if len(item[2]) < 200])
    report(
        "lines", [(name, lang, line) for name, lang, text in found for line in text.splitlines() if len(line.strip()) >= 40]
    )
    long = "\n".join(text for name, _, text in found if name == "e3c_en")
    start = time.perf_counter()
    recognise(long)
    print(f"{len(long) / 1e6 / (time.perf_counter() - start):.0f} MB/s on a text of {len(long) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
