"""The union: all that the rules find, all that the model finds, and no disease lost to either."""

import pytest
from crf_cases import notes, small_model
from hypothesis import given
from hypothesis import strategies as st

import score_eponyms
from innominate.core import Document, Span, annotated
from innominate.detect.combine.union import UnionDetector, run_rules_on_notes, spans_outside_shields
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.rules.engine import RulesDetector
from innominate.languages import language_codes

FLOOR = 0.97


def covered(spans):
    return {index for span in spans for index in range(span.start, span.end)}


def test_what_either_finds_is_found_and_what_the_rules_protect_stays():
    union, model = UnionDetector("sv", str(small_model())), CrfDetector("sv", str(small_model()))
    for note in notes("dev", 12):
        ((by_rules, shields),) = run_rules_on_notes("sv", (), [note])
        assert by_rules == tuple(RulesDetector("sv").detect(note))
        found, learned = covered(union.detect(note)), covered(model.detect(note))
        assert not any(note.text[index].isalnum() for index in covered(by_rules) - found)
        kept = {index for start, end in shields for index in range(start, end)}
        lost = learned - found - kept
        assert not any(note.text[index].isupper() or note.text[index].isdigit() for index in lost)
        assert not found & kept
        assert found <= covered(by_rules) | learned


def test_many_notes_at_once_are_the_same_as_each():
    union = UnionDetector("sv", str(small_model()))
    some = notes("dev", 6)
    assert union.detect_many(some) == [union.detect(note) for note in some]


@pytest.mark.parametrize("lang", language_codes())
def test_diseases_stay_and_surnames_go_with_the_default_detector(lang):
    outcomes = score_eponyms.score(lang, detector="union")
    wrong = {kind: [use.id for use in outcome.wrong] for kind, outcome in outcomes.items()}
    assert {kind for kind, outcome in outcomes.items() if outcome.share < FLOOR} == set(), wrong


SENTENCES = [
    ("en", "\nShe was seen by Dr. [Nakamura](DOCTOR) in clinic on [3 May 2021](DATE)."),
    ("fr", "\nVu par le Dr [Rochat](PERSONNEL_MÉDICAL) le [18.03.2022](DATE)."),
    ("sv", "\nPat träffade dr [Lindqvist](Last_Name) i telefon."),
    ("es", "\nPaciente remitida por la Dra. [Ana Gil Ruiz](NOMBRE_PERSONAL_SANITARIO)."),
]


@pytest.mark.parametrize(("lang", "sentence"), SENTENCES)
def test_the_models_that_ship_find_what_is_plain(lang, sentence):
    note = annotated(sentence)
    model = CrfDetector(lang).detect(Document("n", note.text))
    assert covered(note.spans) <= covered(model)
    assert len(covered(model)) <= len(covered(note.spans)) + 4  # a title may go with its name, the sentence may not


@given(st.text(alphabet="Aa1 ,'", min_size=1, max_size=24), st.data())
def test_sparing_never_gives_more_than_there_was_and_leaves_nothing_that_counts(text, data):
    def place():
        start = data.draw(st.integers(0, len(text) - 1))
        return start, data.draw(st.integers(start + 1, len(text)))

    span = Span(*place(), "NAME")
    protected = [place() for _ in range(data.draw(st.integers(0, 3)))]
    left = covered(spans_outside_shields(text, span, protected))
    kept = {index for start, end in protected for index in range(start, end)}
    assert left <= covered([span]) - kept
    assert {index for index in covered([span]) - kept if text[index] in "A1"} <= left
