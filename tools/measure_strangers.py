"""Measure what is taken for another language than said: .venv/bin/python tools/measure_strangers.py [../shared/corpora]

Notes of train and dev in their own language, of which none should be strange but those that truly mix languages; the same
longer than 200 characters said to be in each of the other languages; and, from public corpora, Danish and Norwegian.
"""

import json
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

from innominate.languages import language_codes
from innominate.text.language import is_strange
from innominate.text.view import DETECTION, named, view
from score_corpus import read_split

LONG = 200


def foreign_texts(path: Path) -> Iterator[str]:
    """Sentences of a corpus, four together."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    sentences = [row.get("text") or " ".join(row["tokens"]) for row in rows]
    texts = ("\n".join(sentences[start : start + 4]) for start in range(0, len(sentences), 4))
    return (text for text in texts if len(text) > LONG)


def say(what: str, strange: int, total: int) -> None:
    print(f"{what:34} strange {strange:6} of {total:6}  {strange / max(1, total):.4f}")


def main() -> None:
    """Count and print."""
    notes = [(lang, note) for split in ("train", "dev") for lang in language_codes() for note in read_split(split, lang)]
    texts = [(lang, view(note.text, named(DETECTION)).text) for lang, note in notes]
    own = [note.id for (lang, note), (_, text) in zip(notes, texts, strict=True) if is_strange(text, lang)]
    say("in their own language", len(own), len(texts))
    print(f"    {', '.join(own)}")
    for lang in language_codes():
        long = [text for spoken, text in texts if spoken == lang and len(text) > LONG]
        others = [code for code in language_codes() if code != lang]
        say(f"{lang}, said to be in another", sum(is_strange(text, code) for text in long for code in others), 4 * len(long))
    corpora = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/corpora") / "ner"
    for name in ("da_uner_ddt", "nb_norne_devtest", "nn_norne_devtest"):
        path = corpora / f"{name}.jsonl.xz"
        if path.is_file():
            found = [is_strange(text, code) for text in foreign_texts(path) for code in language_codes()]
            say(name, sum(found), len(found))


if __name__ == "__main__":
    main()
