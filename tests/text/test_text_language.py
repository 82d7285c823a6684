import time
from pathlib import Path

import pytest

from innominate.languages import language_codes
from innominate.text.language import confidences, recognise
from measure_language import notes

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "The patient was admitted with chest pain and fever."),
        ("en", "NO KNOWN ALLERGIES. LIVES WITH HIS WIFE."),
        ("fr", "Le patient est adressé pour une douleur thoracique."),
        ("fr", "PAS D'ALLERGIE CONNUE. VIT AVEC SON EPOUSE."),
        ("sv", "Patienten söker för bröstsmärta och feber."),
        ("sv", "INGA KANDA ALLERGIER. BOR MED SIN HUSTRU."),
        ("es", "El paciente ingresa por dolor torácico y fiebre."),
        ("es", "SIN ALERGIAS CONOCIDAS. VIVE CON SU MUJER."),
    ],
)
def test_a_sentence_is_recognised(lang, text):
    assert recognise(text) == lang


def test_confidences_add_up_and_know_nothing_of_numbers():
    assert sum(confidences("Bonjour, hej").values()) == pytest.approx(1)
    assert set(confidences("12.5, 13").values()) == {1 / len(language_codes())}
    assert recognise("") == "en"


def test_a_long_text_costs_no_more_than_its_beginning():
    text = "Le patient est adressé pour une douleur thoracique. " * 200_000
    recognise(text)
    start = time.process_time()
    assert recognise(text) == "fr"
    assert len(text) / 1e6 / (time.process_time() - start) > 20  # MB/s


@pytest.mark.corpus
@pytest.mark.skipif(not CORPORA.is_dir(), reason="corpus not found")
def test_full_notes_of_the_public_corpora_are_recognised():
    found = [(lang, text) for _, lang, text in notes(CORPORA) if len(text) >= 200]
    assert sum(recognise(text) == lang for lang, text in found) / len(found) >= 0.999
