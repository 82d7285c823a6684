import time
from pathlib import Path

import pytest

from innominate.languages import language_codes
from innominate.text.language import confidences, is_strange, recognise
from measure_language import notes
from score_corpus import read_split

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
    assert len(text) / 1e6 / max(time.process_time() - start, 1e-9) > 20  # MB/s


@pytest.mark.corpus
@pytest.mark.skipif(not CORPORA.is_dir(), reason="corpus not found")
def test_full_notes_of_the_public_corpora_are_recognised():
    found = [(lang, text) for _, lang, text in notes(CORPORA) if len(text) >= 200]
    assert sum(recognise(text) == lang for lang, text in found) / len(found) >= 0.999


ITALIAN = (
    "La paziente, di 67 anni, è stata ricoverata per dolore toracico e dispnea insorti nella notte. All'ingresso era vigile e "
    "collaborante; l'elettrocardiogramma non mostrava segni di ischemia. È stata dimessa con terapia antibiotica."
)
SWEDISH = "Patienten inkom med bröstsmärta och andnöd sedan i natt. Vid ankomst vaken och klar. Hem med antibiotika."


@pytest.mark.parametrize("lang", language_codes())
def test_a_text_in_none_of_our_languages_is_strange_in_all(lang):
    assert is_strange(ITALIAN, lang)
    assert is_strange("Пациентка поступила с болью в груди и одышкой, возникшими ночью в покое.", lang)


@pytest.mark.parametrize("lang", language_codes())
def test_a_text_is_strange_in_every_language_but_its_own(lang):
    assert is_strange(SWEDISH, lang) == (lang != "sv")


@pytest.mark.parametrize("lang", language_codes())
@pytest.mark.parametrize("text", ["", "12.5 mmol/l, CRP 12, Hb 132", "Dr Иванов", "k 6.4 rpt q4h, NaCl 0.9% 1000 ml iv"])
def test_a_few_words_codes_and_numbers_are_never_strange(lang, text):
    assert not is_strange(text, lang)


def test_at_most_one_note_in_a_thousand_is_strange_in_its_own_language():
    """The rest of the corpus is measured by tools/measure_strangers.py."""
    notes_of_dev = [(lang, note) for lang in language_codes() for note in read_split("dev", lang)]
    assert sum(is_strange(note.text, lang) for lang, note in notes_of_dev) <= len(notes_of_dev) / 1000 + 1
