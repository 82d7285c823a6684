"""What the shipped contextual model learns from, gathered into one file:

    .venv/bin/python tools/contextual_sources.py corpus ../shared/corpora -o sources.jsonl.gz

The corpus of the project (train), synthetic notes, and named entities of other corpora (`ner/`), each with what it marks.
Never MEDDOCAN nor TAB: models are measured on them as on notes by strangers.
"""

import argparse
import gzip
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import Document
from innominate.formats import read_documents
from innominate.labels import for_language, mapping, taxonomy
from innominate.surrogates.names import draw_name
from innominate.surrogates.places import draw_place
from innominate.synth.generate import generate

LANGUAGES = ("en", "fr", "sv", "es")
LOCALES = {"en": "en_US", "fr": "fr_CH", "sv": "sv_SE", "es": "es_ES", "de": "fr_CH"}
PEOPLE = ["PATIENT", "RELATIVE", "STAFF"]
PLACES = ["CITY", "REGION", "COUNTRY", "PLACE", "STREET", "HOSPITAL"]
FIRMS = ["ORGANISATION", "HOSPITAL", "UNIT"]
SYNTHETIC = 600  # notes of a language


def own_labels() -> list[str]:
    """Our labels."""
    return list(taxonomy("innominate").labels)


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


def values(corpus: Path, gazetteers: Path) -> dict[str, Any]:
    """Lists to exchange values with: surrogates, and what our own notes say."""
    found: dict[str, Any] = {}
    rng = Random(5)
    for lang, locale in LOCALES.items():
        names = [draw_name(locale, rng, birth_year=rng.randrange(1930, 2025)) for _ in range(12_000)]
        places = [draw_place(locale, rng, abroad=rng.random() < 0.1) for _ in range(4_000)]
        lists: dict[str, set[str]] = {
            "first": {name.first[0] for name in names},
            "last": {name.last[0] for name in names},
            "CITY": {place.city for place in places},
            "STREET": {place.street for place in places if place.street},
        }
        for path in sorted((corpus / "train" / lang).glob("*.txt")):
            for note in read_documents(str(path), format="marked"):
                for span in note.spans:
                    if span.label in ("HOSPITAL", "ORGANISATION", "PROFESSION", "REGION", "COUNTRY", "PLACE", "NATIONALITY"):
                        lists.setdefault(span.label, set()).add(span.of(note.text))
        for path in sorted((corpus / "values" / lang).glob("*.txt")):
            lists.setdefault(path.stem, set()).update(filter(None, path.read_text("utf-8").splitlines()))
        found[lang] = {kind: sorted(each) for kind, each in lists.items()} | calendar(gazetteers, lang)
    return found


def calendar(gazetteers: Path, lang: str) -> dict[str, list[str]]:
    """Months and days in small letters."""
    known = json.loads((gazetteers / "world" / "cldr_territories_languages_months.json").read_text("utf-8"))[lang]
    return {
        name: [each.strip(".").lower() for each in known[kind][form].values()]
        for name, kind, form in (("months", "months", "wide"), ("months_short", "months", "abbreviated"),
                                 ("days", "days", "wide"), ("days_short", "days", "abbreviated"))
    }  # fmt: skip


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
        head = {"labels": own_labels(), "markings": markings(), "values": values(options.corpus, options.gazetteers)}
        file.write(json.dumps(head, ensure_ascii=False) + "\n")
        for each in rows(options.corpus, options.shared):
            file.write(json.dumps(each, ensure_ascii=False) + "\n")
            key = f"{each['source']} {each['lang']}"
            counts[key] = counts.get(key, 0) + 1
    for key, count in sorted(counts.items()):
        print(f"{count:6} {key}")


if __name__ == "__main__":
    main()
