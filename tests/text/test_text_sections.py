import time

import pytest
from text_fuzz import fuzzed

from innominate.languages import language_codes
from innominate.text.sections import sections


def shown(text: str, lang: str) -> list[tuple[str, str]]:
    return [(section.heading, text[section.body : section.end].strip()) for section in sections(text, lang)]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("fr", "Anamnèse: tombé hier.", [("Anamnèse", "tombé hier.")]),
        ("fr", "CHUV\n\nSTATUS\nBon état.", [("", "CHUV"), ("STATUS", "Bon état.")]),
        ("fr", "Diagnostic principal :\nHTA", [("Diagnostic principal", "HTA")]),
        ("fr", "1. Antécédents\nHTA\n2. Traitement\nAspirine", [("Antécédents", "HTA"), ("Traitement", "Aspirine")]),
        ("fr", "Motif d'hospitalisation:\nChute", [("Motif d'hospitalisation", "Chute")]),
        ("fr", "Remis au patient ce jour:\nordonnance", [("Remis au patient ce jour", "ordonnance")]),
        ("sv", "Bedömning\nPneumoni.\nÅtgärd\nHem.", [("Bedömning", "Pneumoni."), ("Åtgärd", "Hem.")]),
        ("sv", "**Status**\nAT: Gott.", [("Status", "AT: Gott.")]),
        ("sv", "Socialt: Bor med hustru.\nAllergi: Ingen.", [("Socialt", "Bor med hustru."), ("Allergi", "Ingen.")]),
        ("sv", "Patienten mår bra.\nHem i dag.", [("", "Patienten mår bra.\nHem i dag.")]),
        ("es", "Antecedentes personales: HTA.", [("Antecedentes personales", "HTA.")]),
        (
            "es",
            "Datos del paciente.\nNombre: Ernesto.\nNHC: 368503.",
            [("Datos del paciente", "Nombre: Ernesto.\nNHC: 368503.")],
        ),
        (
            "es",
            "EXPLORACIÓN FÍSICA\r\nNormal.\r\nJUICIO CLÍNICO: HTA",
            [("EXPLORACIÓN FÍSICA", "Normal."), ("JUICIO CLÍNICO", "HTA")],
        ),
        (
            "en",
            "HISTORY OF PRESENT ILLNESS: A man.\nPLAN:\nHome.",
            [("HISTORY OF PRESENT ILLNESS", "A man."), ("PLAN", "Home.")],
        ),
        ("en", "CHIEF COMPLAINT\n\nCough.\n\n# Plan\nHome", [("CHIEF COMPLAINT", "Cough."), ("Plan", "Home")]),
        ("en", "=== Hospital Course ===\nGood.", [("Hospital Course", "Good.")]),
        ("en", "BP: 120/80\nHR: 80\nShe slept: well.", [("", "BP: 120/80\nHR: 80\nShe slept: well.")]),
        ("en", "Past  Medical History:\nnone", [("Past  Medical History", "none")]),
        ("en", "The plan was clear.\nHistory was taken.", [("", "The plan was clear.\nHistory was taken.")]),
        ("en", "", []),
    ],
)
def test_headings(lang, text, expected):
    assert shown(text, lang) == expected


@pytest.mark.parametrize("lang", language_codes())
def test_sections_tile_the_text(lang):
    headings = ("STATUS\n", "Plan: x\n", "\n", "Anamnèse:\r\n", "a. b\n", "1. Plan\n")
    for number, text in enumerate(fuzzed(seed=19, count=1500)):
        note = text + headings[number % len(headings)] + text
        position = 0
        for section in sections(note, lang):
            assert section.start == position < section.end
            assert section.start <= section.body <= section.end
            position = section.end
        assert position == len(note)


@pytest.mark.parametrize("unit", ["a", " ", "A:", "*", "A\n", ": ", "=", "\r"])
def test_attacks_take_linear_time(unit):
    start = time.process_time()
    sections("A" + unit * 50_000 + "x\n", "fr")
    assert time.process_time() - start < 2
