"""The student that ships: sentences that lists and triggers do not understand."""

import numpy as np
import pytest

from innominate.core import Document, annotated
from innominate.detect.contextual.detector import STUDENT, ContextualDetector
from innominate.detect.contextual.model import load_contextual_model
from innominate.detect.contextual.reading import cut_note, read_texts
from innominate.labels import taxonomy

FOUND = [
    "d/w [Parkinson](STAFF), who agrees; tremor is better.",
    "Spoke to [Alice](PATIENT) and her [mum](KIN), who rang twice on [Tuesday](DATE).",
    "Vu avec la [fille](KIN) de M. [Weber](PATIENT), qui travaille chez [Migros](ORGANISATION).",
    "Pat [Anna Berg](PATIENT), [78 år](AGE), bor i [Timrå](CITY), vårdas på [avd 34](UNIT).",
    "Paciente de [45 años](AGE), acude con su [hija](KIN) [Nerea](RELATIVE), tfno [655 12 90 44](PHONE).",
]
LEFT = [
    "Parkinson's disease, Hoehn and Yahr 3, on Madopar; MoCA 21/30.",
    "Apgar 9/10/10, pas de signe de Babinski, Humira 40 mg MONTHLY.",
    "Crohns sjukdom sedan många år, Babinski negativ, Waran 2,5 mg x 1.",
]


@pytest.fixture(scope="module")
def detector():
    return ContextualDetector(STUDENT)


@pytest.mark.parametrize("sentence", FOUND)
def test_identifiers_are_found_in_their_sentence(detector, sentence):
    note = annotated(sentence)
    found = [i for span in detector.detect(Document("", note.text)) for i in range(span.start, span.end)]
    missed = [span.of(note.text) for span in note.spans if not set(range(span.start, span.end)) & set(found)]
    assert not missed


@pytest.mark.parametrize("sentence", LEFT)
def test_diseases_scores_and_drugs_stay(detector, sentence):
    assert [span.of(sentence) for span in detector.detect(Document("", sentence))] == []


def test_it_speaks_our_labels(detector):
    assert detector.labels == frozenset(taxonomy("innominate").standard)
    assert detector.taxonomy == "innominate"


def test_a_note_has_the_same_spans_and_scores_alone_and_among_others(detector):
    notes = [Document(str(number), annotated(text).text) for number, text in enumerate(FOUND * 3)]
    together, alone = detector.detect_many(notes), [detector.detect(note) for note in notes]
    assert together == alone
    assert [[span.score for span in spans] for spans in together] == [[span.score for span in spans] for spans in alone]


def test_no_text_is_too_long_or_too_short(detector):
    long = " ".join(annotated(text).text for text in FOUND) * 60
    assert detector.detect(Document("", "")) == []
    assert detector.detect(Document("", " \n ")) == []
    assert len(detector.detect(Document("", long))) > 400
    assert detector.detect(Document("", "x" * 5000)) is not None


def test_every_word_is_answered_by_exactly_one_window():
    model = load_contextual_model(ContextualDetector(STUDENT).folder)
    for count in (1, 255, 256, 257, 1000):
        views = list(cut_note(model, [(5,)] * count))
        answered = [word for view in views for word in range(view.keep_from, view.keep_to)]
        assert answered == list(range(count))


def test_probabilities_add_up():
    model = load_contextual_model(ContextualDetector(STUDENT).folder)
    believed = read_texts(model, [annotated(FOUND[0]).text])[0]
    assert np.allclose(believed.probabilities.sum(axis=1), 1, atol=1e-4)
