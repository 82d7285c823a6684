"""Build data/language/profiles.tsv anew: .venv/bin/python tools/build_language_profiles.py

Counts letter trigrams in the most frequent words of each language, weighted by frequency. Needs `wordfreq`, which the package
itself does not.
"""

import math
from collections import Counter
from pathlib import Path

import wordfreq

from innominate.text import language
from innominate.text.lists import LANGUAGES

WORDS, KEPT = 20_000, 2_500
TARGET = Path(language.__file__).parent / "data" / "language" / "profiles.tsv"
HEADER = """\
# Letter trigrams of each language and 100 times the natural logarithm of their share; `_` is the edge of a word.
# Source: word frequencies of wordfreq 3.1.1 (Robyn Speer, https://github.com/rspeer/wordfreq), data under CC BY-SA 4.0;
# this table is derived from them and under the same licence. Built by tools/build_language_profiles.py.
"""


def shares(lang: str) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for word in wordfreq.top_n_list(lang, WORDS):
        for trigram in language.trigrams(word):
            # The root keeps a few function words from being the whole profile: clinical notes use them sparingly.
            counts[trigram] += wordfreq.word_frequency(word, lang) ** 0.75
    total = sum(counts.values())
    return {trigram: count / total for trigram, count in counts.items()}


def main() -> None:
    by_language = {lang: shares(lang) for lang in LANGUAGES}
    kept = {t for table in by_language.values() for t in sorted(table, key=table.__getitem__, reverse=True)[:KEPT]}
    floor = min(share for table in by_language.values() for t, share in table.items() if t in kept)
    rows = ["\t".join(["trigram", *LANGUAGES])]
    for trigram in sorted(kept):
        logs = [round(100 * math.log(max(table.get(trigram, 0), floor))) for table in by_language.values()]
        rows.append("\t".join([trigram, *map(str, logs)]))
    TARGET.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    print(len(kept), "trigrams,", TARGET.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
