"""What the shipped contextual model learns from, gathered into one file:

    .venv/bin/python tools/contextual_sources.py corpus ../shared/corpora -o sources.jsonl.gz

The corpus of the project (train), synthetic notes, and named entities of other corpora (`ner/`), each with what it marks.
Never MEDDOCAN nor TAB: models are measured on them as on notes by strangers.
"""

import argparse
import gzip
import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from innominate.core import Document
from innominate.formats import read_documents
from innominate.labels import for_language, mapping, taxonomy
from innominate.synth.generate import generate
from training_values import gather_values

LANGUAGES = ("en", "fr", "sv", "es")
DRUG = "DRUG"  # no label of ours: what is marked with it is exchanged, and then forgotten
PEOPLE = ["PATIENT", "RELATIVE", "STAFF"]
PLACES = ["CITY", "REGION", "COUNTRY", "PLACE", "STREET", "HOSPITAL"]
FIRMS = ["ORGANISATION", "HOSPITAL", "UNIT"]
SYNTHETIC = 600  # notes of a language


def own_labels() -> list[str]:
    """Our labels but those that no note marks: a bank card is an account there."""
    return [label for label in taxonomy("innominate").labels if label != "BANK_CARD"]


def marking_of(name: str) -> dict[str, Any]:
    """What a corpus in another taxonomy says of our labels."""
    forth, back = mapping("innominate", name).pairs, mapping(name, "innominate").pairs
    labels = {label: sorted({ours for ours, theirs in forth.items() if theirs == label} | {back[label]}) for label in back}
    for label in ("First_Name", "Last_Name"):
        if label in labels:
            labels[label] = PEOPLE
    return {"labels": labels, "unmarked": [ours for ours, theirs in forth.items() if theirs is None]}


def markings() -> dict[str, Any]:
    """All of them, by name."""
    news = {"PER": PEOPLE, "LOC": PLACES, "ORG": FIRMS, "DATE": ["DATE"]}
    told = {*PEOPLE, *PLACES, *FIRMS}
    return {
        "own": {"labels": {label: [label] for label in own_labels()}, "unmarked": []},
        "news": {"labels": news, "unmarked": [label for label in own_labels() if label not in told], "vague_numbers": True},
        **{name: marking_of(name) for name in ("i2b2", "chuv", "swedish", "meddocan")},
    }


def rows(corpus: Path, shared: Path) -> Iterator[dict[str, Any]]:
    """Every source, one row a note."""
    for folder in sorted((corpus / "train").iterdir()):
        for path in sorted(folder.glob("*.txt")):
            for note in read_documents(str(path), format="marked"):
                yield row(note, folder.name, "own", "written")
    for path in sorted((corpus / "contrast" / "train").glob("*.txt")):
        for note in read_documents(str(path), format="marked"):
            yield row(note, path.name[:2], "own", "contrast")
    for lang in LANGUAGES:
        for note in generate(lang, SYNTHETIC, seed=17, split="train"):
            yield row(note, lang, for_language(lang).name, "synthetic")
    for path in sorted((shared / "ner").glob("*.jsonl.xz")):
        yield from packed(path)


def row(note: Document, lang: str, marking: str, source: str) -> dict[str, Any]:
    spans = [(span.start, span.end, span.label) for span in note.spans]
    return {"text": note.text, "spans": spans, "lang": lang, "marking": marking, "source": source}


def find_drugs(given: dict[str, Any], drugs: frozenset[str]) -> list[tuple[int, int, str]]:
    """Where drugs are named outside all spans: they are exchanged too, for what no name is must be learnt as well."""
    inside = {at for start, end, _ in given["spans"] for at in range(start, end)}
    words = re.finditer(r"[^\W\d_]{5,}", given["text"])
    return [(*word.span(), DRUG) for word in words if word[0].lower() in drugs and word.start() not in inside]


def packed(path: Path, size: int = 900) -> Iterator[dict[str, Any]]:
    """Sentences of one file under each other, until they fill a window."""
    text, spans = "", []
    for line in lzma.decompress(path.read_bytes()).decode("utf-8").splitlines():
        given = json.loads(line)
        spans += [(begin + len(text), end + len(text), label) for begin, end, label in given["spans"]]
        text += given["text"] + "\n"
        if len(text) > size:
            yield {"text": text, "spans": spans, "lang": path.name[:2], "marking": "news", "source": "news"}
            text, spans = "", []


def main() -> None:
    """Gather and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("shared", type=Path, help="folder with ner/")
    parser.add_argument("--gazetteers", type=Path, default=Path("../shared/gazetteers"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    counts: dict[str, int] = {}
    with gzip.open(options.output, "wt", encoding="utf-8") as file:
        values = gather_values(options.corpus, options.gazetteers)
        head = {"labels": own_labels(), "markings": markings(), "values": values}
        file.write(json.dumps(head, ensure_ascii=False) + "\n")
        drugs = frozenset(values["en"][DRUG])
        for each in rows(options.corpus, options.shared):
            each["spans"] += find_drugs(each, drugs)
            file.write(json.dumps(each, ensure_ascii=False) + "\n")
            key = f"{each['source']} {each['lang']}"
            counts[key] = counts.get(key, 0) + 1
    for key, count in sorted(counts.items()):
        print(f"{count:6} {key}")


if __name__ == "__main__":
    main()
