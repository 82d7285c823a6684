"""Public prose without identifiers, for training: what a model should leave alone, in words that no template of ours has.

English and French: published clinical cases (E3C, the documents under CC BY, ../shared/corpora/unlabelled); the documents that
tools/score_zero_shot.py measures on are left out. Swedish: news sentences without a named entity (CC BY 4.0, swedish_ner).
A sentence is taken only if nothing in it may be a name: the rules find nothing, and a word with a capital inside the
sentence is an abbreviation, an eponym that the rules protect, or a term that many documents share and no list of names has.
"""

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import zero_shot_fr
from innominate.core import Document
from innominate.detect.combine.union import run_rules_on_notes
from innominate.detect.rules.sources import library_words
from innominate.text.sentences import sentences

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
SOURCES = {
    "en": "E3C, documents under CC BY",
    "fr": "E3C, documents under CC BY",
    "sv": "swedish_ner, sentences without entities, CC BY 4.0",
}
_CAPITALISED = re.compile(r"(?<=[\w,;)] )[^\W\d_a-z][\w'’-]*")
_ABBREVIATION = re.compile(r"[^\W\d_a-z][^\W_a-z-]{0,5}s?")
_CITED = re.compile(
    r"\bet al\b|\b(?:Dr|Mr|Mrs|Ms|Prof|Pr|Mme|M)\b\.?|@|www|\d{4}|\[\d|\.\w|\b(?:ages?|aged|old|âge|âgée?s?|gammal)\b"
)
_SHARED = 5  # documents that use a term
_PASSAGE = 3  # sentences


def passages(lang: str, count: int, seed: int = 31) -> Iterator[Document]:
    """So many passages of one to three sentences, the same for the same seed."""
    rng = random.Random(f"{seed}/{lang}")
    texts = sorted(_texts(lang))
    rng.shuffle(texts)
    terms = _shared_terms(lang)
    made = 0
    for text in texts:
        clean = [part for part in _sentences(text, lang) if _harmless(part, lang, terms)]
        while clean and made < count:
            size = rng.randint(1, _PASSAGE)
            yield Document(f"public-{made}", " ".join(clean[:size]), (), {"lang": lang})
            clean, made = clean[size + 3 :], made + 1  # a few of each text, of many texts
        if made >= count:
            return


def _texts(lang: str) -> Iterable[str]:
    if lang == "sv":
        return _news(CORPORA / "swedish_ner" / "train_corpus.txt")
    measured = {json.loads(line)["id"] for line in zero_shot_fr.ANNOTATIONS.read_text(encoding="utf-8").splitlines()}
    with gzip.open(CORPORA / "unlabelled" / f"e3c_{lang}.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    return [document["text"] for document in documents if document["id"] not in measured]


def _news(path: Path) -> Iterator[str]:
    """Sentences of one token a line in which no token is an entity; the blanks before marks are taken out."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split() for line in block.splitlines() if len(line.split()) > 1]
        if len(rows) > 5 and all(row[-1] == "0" for row in rows):
            yield re.sub(r" (?=[.,;:?!)])", "", " ".join(row[0] for row in rows))


@cache
def _shared_terms(lang: str) -> frozenset[str]:
    """Capitalised words that many documents use and that are in no list of names or towns."""
    used: Counter[str] = Counter()
    for text in _texts(lang):
        used.update(set(_CAPITALISED.findall(text)))
    listed = library_words("names:first", lang) | library_words("names:last", lang) | library_words("places:towns", lang)
    known = {word.casefold() for word in listed}
    return frozenset(word for word, count in used.items() if count >= _SHARED and word.casefold() not in known)


def _sentences(text: str, lang: str) -> list[str]:
    return [text[start:end].strip() for start, end in sentences(text, lang) if 40 < end - start < 400]


def _harmless(sentence: str, lang: str, terms: frozenset[str]) -> bool:
    if _CITED.search(sentence) or "\n" in sentence:
        return False
    ((spans, protected),) = run_rules_on_notes(lang, (), [Document("", sentence)])
    if spans:
        return False
    for match in _CAPITALISED.finditer(sentence):
        kept = any(start <= match.start() and match.end() <= end + 2 for start, end in protected)
        if not kept and not _ABBREVIATION.fullmatch(match[0]) and match[0] not in terms:
            return False
    return True
