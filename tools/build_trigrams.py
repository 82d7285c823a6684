"""Build trigrams.tsv of some languages, or of all: .venv/bin/python tools/build_trigrams.py [LANG ...]

Counts letter trigrams in the most frequent words of a language, weighted by frequency. Of languages that are not ours, but
that a note may be in, the most frequent ones alone are kept (src/innominate/text/data/trigrams). Needs `wordfreq`.
"""

import math
import sys
from collections import Counter
from pathlib import Path

import wordfreq

from innominate.languages import language_codes, language_folder
from innominate.text.language import FLOOR, NEIGHBOURS, TOLD, trigrams

WORDS = 20_000
OTHERS = Path(__file__).parent.parent / "src/innominate/text/data/trigrams"
HEADER = """\
# Letter trigrams and 100 times the natural logarithm of their share, the most frequent first; `_` is the edge of a word.
# Source: word frequencies of wordfreq 3.1.1 (Robyn Speer, https://github.com/rspeer/wordfreq), data under CC BY-SA 4.0;
# this table is derived from them and under the same licence. Built by tools/build_trigrams.py.
"""


def shares(lang: str) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for word in wordfreq.top_n_list(lang, WORDS):
        for trigram in trigrams(word):
            # The root keeps a few function words from being the whole profile: clinical notes use them sparingly.
            counts[trigram] += wordfreq.word_frequency(word, lang) ** 0.75
    total = sum(counts.values())
    return {trigram: count / total for trigram, count in counts.items()}


def build(lang: str) -> None:
    table = shares(lang)
    rows = [(trigram, round(100 * math.log(table[trigram]))) for trigram in sorted(table, key=table.__getitem__, reverse=True)]
    kept = [f"{trigram}\t{log}" for trigram, log in rows if log > FLOOR]
    path = language_folder(lang) / "trigrams.tsv"
    if lang in NEIGHBOURS:
        kept, path = kept[:TOLD], OTHERS / f"{lang}.tsv"
    path.write_text(HEADER + "\n".join(kept) + "\n", encoding="utf-8")
    print(f"{lang}: {len(kept)} trigrams, {path.stat().st_size} bytes")


if __name__ == "__main__":
    for code in sys.argv[1:] or (*language_codes(), *NEIGHBOURS):
        build(code)
