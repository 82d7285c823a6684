"""The contract of detectors, run over every detector that is installed."""

from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp

import pytest

from innominate.core import Document, Span, plugins
from innominate.core.protocols import ApartDetector, BatchDetector, Detector
from innominate.detect.combine import hybrid
from innominate.detect.combine.ensemble.detector import EnsembleCard
from innominate.detect.models.named import detector, taxonomy_of
from innominate.labels import for_language, taxonomy

LANG = "es"  # the language that every shipped model can read
EVERY = sorted(plugins.available("detectors"))
NOTES = [
    Document(path.stem, path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[2] / "samples" / LANG).glob("*.txt"))
]
HOSTILE = {
    "empty": "",
    "blank": " \t\r\n\u00a0\u2003\n",
    "one letter": "a",
    "marks alone": "---...///:::",
    "control characters": "Dra.\x00 García\x07 el 3\x1b[31m/5/2020",
    "emoji and pairs": "👩‍⚕️ Ana 𝒢arcía 🏥 el 3/5/2020",
    "joined accents": "Jose\u0301 Nu\u0301n\u0303ez, 45 an\u0303os",
    "from right to left": "المريض خوسيه غارسيا, 3/5/2020",
    "one long word": "x" * 5_000,
    "long number": "1" * 3_000,
    "no blanks": "Garcia,Ana;" * 300,
    "line ends": "Ana\r\nGarcía\rLópez\u2028Ruiz\x85Gil",
}


@cache
def detector_of_kind(name: str) -> Detector:
    """A detector of every kind; those that are made of others are made of two that ship."""
    if name not in ("ensemble", "hybrid"):
        return detector(name, LANG)
    folder = Path(mkdtemp())
    spoken = for_language(LANG)
    if name == "ensemble":
        EnsembleCard("union", LANG, spoken.name, ("rules", "crf"), tuple(spoken.labels)).write(folder)
    else:
        hybrid.HybridCard(LANG, spoken.name, "crf", ("FECHAS",)).write(folder)
    return detector(str(folder), LANG)


def facts(spans):
    return [(span.start, span.end, span.label, round(span.score, 4), span.source) for span in spans]


@pytest.mark.parametrize("name", EVERY)
def test_a_detector_is_what_the_protocol_says(name):
    one = detector_of_kind(name)
    assert isinstance(one, Detector)
    assert one.name == name
    assert one.labels
    assert one.labels <= taxonomy(taxonomy_of(one, LANG)).labels.keys()


@pytest.mark.parametrize("name", EVERY)
def test_spans_lie_in_the_text_apart_and_say_something_in_labels_that_it_speaks(name):
    one = detector_of_kind(name)
    for note in NOTES:
        found = sorted(one.detect(note))
        assert found, "a sample with identifiers"
        for span in found:
            assert 0 <= span.start < span.end <= len(note.text)
            assert span.of(note.text) == span.of(note.text).strip()
            assert any(map(str.isalnum, span.of(note.text)))
            assert span.label in one.labels
            assert 0 <= span.score <= 1
            assert span.source
        assert not any(left.overlaps(right) for left, right in pairwise(found))


@pytest.mark.parametrize("name", EVERY)
def test_a_note_has_the_same_spans_alone_and_among_others(name):
    one = detector_of_kind(name)
    assert isinstance(one, BatchDetector)
    notes = [NOTES[0], Document("empty", ""), *NOTES, Document("short", "Ana García, 45 años"), NOTES[0]]
    together = one.detect_many(notes)
    assert isinstance(together, list)
    alone = [one.detect(note) for note in notes]
    assert [sorted(found) for found in together] == [sorted(found) for found in alone]
    if isinstance(one, ApartDetector) and one.apart:  # weights of eight bits are scaled by all that is read together
        assert [facts(found) for found in together] == [facts(found) for found in alone]
    assert one.detect_many([]) == []


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("name", EVERY)
def test_hostile_text_gives_spans_or_nothing(name, case):
    text = HOSTILE[case]
    for span in detector_of_kind(name).detect(Document(case, text)):
        assert span.end <= len(text)
        assert span.of(text).strip()


@pytest.mark.parametrize("name", EVERY)
def test_what_a_document_carries_changes_nothing(name):
    (note, *_), one = NOTES, detector_of_kind(name)
    carried = note.with_spans([Span(0, 5, "FECHAS", source="a person")])
    assert facts(one.detect(carried)) == facts(one.detect(note))


@pytest.mark.parametrize("name", EVERY)
def test_threads_do_not_disturb_each_other(name):
    one = detector_of_kind(name)
    alone = [facts(one.detect(note)) for note in NOTES]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda note: facts(one.detect(note)), NOTES * 4))
    assert answers == alone * 4


@pytest.mark.parametrize("name", EVERY)
def test_memory_stays_flat(name):
    one = detector_of_kind(name)
    for _ in range(2):
        one.detect(NOTES[0])
    tracemalloc.start()
    try:
        one.detect(NOTES[0])
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            one.detect(NOTES[0])
        assert tracemalloc.get_traced_memory()[0] - before < 100_000
    finally:
        tracemalloc.stop()
