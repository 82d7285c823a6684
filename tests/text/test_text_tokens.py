import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_fuzz import fuzzed

from innominate.text.tokens import tokens


def shown(text: str) -> list[str]:
    return [text[start:end] for start, end in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("38.5°C", "38.5 °C"),
        ("38,5 °", "38,5 °"),
        ("Dr.X", "Dr. X"),
        ("DrA. Chollet", "Dr A. Chollet"),
        ("Prof.Meier, MmeFavre", "Prof. Meier , Mme Favre"),
        ("M.Mustafa", "M. Mustafa"),
        ("Dr J. Aschwanden/", "Dr J. Aschwanden /"),
        ("vu à 12h30, 8h05", "vu à 12h30 , 8h05"),
        ("M.-L. Rochat", "M.-L. Rochat"),
        ("18.03.2022 18#03#2022 18/03/2022 2022-03-18", "18.03.2022 18#03#2022 18/03/2022 2022-03-18"),
        ("19500503-1234", "19500503-1234"),
        ("eva.meier@chuv.ch.", "eva.meier@chuv.ch ."),
        ("(www.chuv.ch), https://chuv.ch/a?b=1.", "( www.chuv.ch ) , https://chuv.ch/a?b=1 ."),
        ("10 mg/kg, 5 mmol/l, 3 mg/kg/h", "10 mg/kg , 5 mmol/l , 3 mg/kg/h"),
        ("+41 21 314 11 11", "+41 21 314 11 11"),
        ("Tél:+41 78", "Tél : +41 78"),
        ("l'hôpital d’Eva qu'il", "l' hôpital d’ Eva qu' il"),
        ("aujourd'hui O'Brien don't", "aujourd'hui O'Brien don't"),
        ("Eva's", "Eva 's"),
        ("Jean-Luc Saint-Légier-La Chiésaz", "Jean-Luc Saint-Légier-La Chiésaz"),
        ("t.ex. p.g.a. bl.a. e.g.", "t.ex. p.g.a. bl.a. e.g."),
        ("fin.Le patient", "fin . Le patient"),
        ("120/80 mmHg", "120/80 mmHg"),
        ("T4N1M0 L5-S1", "T4N1M0 L5-S1"),
        ("Rene\u0301 dort...", "Rene\u0301 dort ..."),
        ("5mg", "5 mg"),
        ("A#Ojanguren", "A # Ojanguren"),
    ],
)
def test_clinical_tokens(text, expected):
    assert shown(text) == expected.split()


def check(text: str) -> None:
    position = 0
    for start, end in tokens(text):
        assert position <= start < end
        assert not text[position:start].strip()
        assert not any(character.isspace() for character in text[start:end])
        position = end
    assert not text[position:].strip()


@settings(max_examples=300)
@given(st.text())
def test_every_character_but_white_space_is_in_one_token(text):
    check(text)


def test_fuzzed_texts_too():
    for text in fuzzed(seed=23, count=5000):
        check(text)


@pytest.mark.parametrize("unit", ["a.", "a-", "1.", "a@", "@", "a'", "www.", "+", "a/"])
def test_attacks_take_linear_time(unit):
    start = time.process_time()
    tokens(unit * 100_000 + "@")
    assert time.process_time() - start < 2
