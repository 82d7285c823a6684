"""Score words that mean two things: .venv/bin/python tools/score_contrast.py dev [--detector combined]

In the contrastive passages of the corpus a word is once a person, a place or a firm (marked) and once an eponym, a drug or an
ordinary word (unmarked). Prints the share of marked names of which every word is found, and of unmarked uses of words that are
marked as a name in some passage of the language that no span touches, with 95 % intervals.
"""

import argparse
import re

from innominate.core import Document
from innominate.evaluate.stats import lower_bound, upper_bound
from innominate.formats import read_documents
from score_corpus import CORPUS, find_spans

NAMES = frozenset({"PATIENT", "RELATIVE", "STAFF", "CITY", "REGION", "PLACE", "HOSPITAL", "ORGANISATION", "STREET"})
_WORD = re.compile(r"[^\W\d_]{3,}")


def read_passages(split: str, lang: str) -> list[Document]:
    """The passages of a split."""
    paths = sorted((CORPUS / "contrast" / split).glob(f"{lang}_*.txt"))
    return [note for path in paths for note in read_documents(str(path), format="marked")]


def marked_words(passages: list[Document]) -> set[str]:
    """Words that are a name in some passage."""
    names = (span.of(note.text) for note in passages for span in note.spans if span.label in NAMES)
    return {word.casefold() for name in names for word in _WORD.findall(name)}


def count_uses(note: Document, hidden: set[int], words: set[str]) -> tuple[int, int, int, int]:
    """Names masked and all names, other uses kept and all of them."""
    names = [span for span in note.spans if span.label in NAMES]
    masked = sum(
        all(at in hidden for word in _WORD.finditer(span.of(note.text)) for at in _places(span.start, word)) for span in names
    )
    inside = {at for span in note.spans for at in range(span.start, span.end)}
    uses = [
        word
        for word in _WORD.finditer(note.text)
        if word[0].casefold() in words and word[0][0].isupper() and word.start() not in inside
    ]
    kept = sum(not any(at in hidden for at in range(*word.span())) for word in uses)
    return masked, len(names), kept, len(uses)


def _places(start: int, word: re.Match[str]) -> range:
    return range(start + word.start(), start + word.end())


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("split", choices=("dev", "test"))
    parser.add_argument("--detector", default="combined")
    parser.add_argument("--lang", nargs="*", default=("en", "fr", "sv", "es", "de"))
    options = parser.parse_args()
    for lang in options.lang:
        passages = read_passages(options.split, lang)
        words = marked_words([note for split in ("train", "dev", "test") for note in read_passages(split, lang)])
        totals = [0, 0, 0, 0]
        for note, spans in zip(passages, find_spans(passages, lang, options.detector), strict=True):
            hidden = {at for span in spans for at in range(span.start, span.end)}
            totals = [old + new for old, new in zip(totals, count_uses(note, hidden, words), strict=True)]
        masked, names, kept, uses = totals
        told = f"{say('names masked', masked, names)}; {say('other uses kept', kept, uses)}"
        print(f"{lang}, {len(passages)} passages, {options.detector}: {told}")


def say(what: str, count: int, all_of_them: int) -> str:
    """A share with its interval."""
    low, high = lower_bound(count, all_of_them, confidence=0.975), upper_bound(count, all_of_them, confidence=0.975)
    return f"{what} {count / max(1, all_of_them):.3f} of {all_of_them} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
