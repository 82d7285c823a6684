"""Make a word list of parts of speech from text, with a spaCy pipeline: for machines where spaCy is not installed.

    python tools/pos_lexicon.py es_core_news_sm NOTES... -o pos_es.tsv

Each line is a word, a tab and its most frequent universal tag. Words that are seen once are left out, and so are most names;
lines such as `xx-mente` say the tag of words that are not in the list by their shape and ending, as rare words have it.
The list is read by `innominate train bilstm-crf --parts-of-speech pos_es.tsv`. It holds words of the notes: keep it like them.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from innominate.core import Document
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.parts_of_speech import SUFFIX, TAGS, PartsLexicon, PartsOfSpeech, load_parts_of_speech
from innominate.detect.neural.vocabulary import normal, shape
from innominate.formats import read_documents

Tally = Mapping[str, Counter[str]]
RARE = 5  # words seen up to so many times show how unknown words behave
KINDS = 5  # distinct words that a rule needs


def counted(documents: Iterable[Document], parts: PartsOfSpeech) -> dict[str, Counter[str]]:
    """How often each piece has each tag."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        places = pieces(document.text)
        for (start, end), number in zip(places, parts.tag([document.text], [places])[0], strict=True):
            if number:
                found[document.text[start:end]][TAGS[number - 1]] += 1
    return found


def lexicon(tally: Tally, seen: int = 2) -> PartsLexicon:
    """Words with their most frequent tag; a capitalised form has a line of its own where it differs."""
    small: dict[str, Counter[str]] = defaultdict(Counter)
    for piece, tags in tally.items():
        small[normal(piece)] += tags
    words = {word: _first(tags) for word, tags in small.items() if tags.total() >= seen}
    for piece, tags in tally.items():
        if tags.total() >= seen and words.get(normal(piece)) != _first(tags):
            words[piece] = _first(tags)
    return PartsLexicon({word: words[word] for word in sorted(words)}, endings(tally))


def endings(tally: Tally) -> dict[str, str]:
    """Rules by shape and ending, from rare words, each counted once; only those that say something else than shorter ones."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for piece, tags in tally.items():
        if tags.total() <= RARE:
            word = normal(piece)
            for length in range(min(SUFFIX, len(word)) + 1):
                groups[f"{shape(piece)}-{word[len(word) - length :]}"][_first(tags)] += 1
    rules: dict[str, str] = {}
    for key in sorted(groups, key=lambda key: (len(key), key)):
        form, _, ending = key.rpartition("-")
        shorter = next((rule for cut in range(1, len(ending) + 1) if (rule := rules.get(f"{form}-{ending[cut:]}"))), None)
        if (groups[key].total() >= KINDS or not ending) and _first(groups[key]) != shorter:
            rules[key] = _first(groups[key])
    return rules


def _first(tags: Counter[str]) -> str:
    return min(tags, key=lambda tag: (-tags[tag], tag))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seen", type=int, default=2, help="a word seen fewer times is left to the endings")
    given = parser.parse_args()
    parts = load_parts_of_speech(given.pipeline)
    tally = counted((document for source in given.sources for document in read_documents(source)), parts)
    made = lexicon(tally, given.seen)
    lines = [f"{word}\t{tag}" for word, tag in (*made.words.items(), *made.rules.items())]
    given.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    total = sum(tags.total() for tags in tally.values())
    same = sum(tags[made.of(piece)] for piece, tags in tally.items())
    print(f"{len(made.words):,} words, {len(made.rules):,} endings; {same / total:.1%} of {total:,} pieces as in the pipeline")


if __name__ == "__main__":
    main()
