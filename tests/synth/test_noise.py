from random import Random

import pytest

from innominate.synth.generate import assemble
from innominate.synth.noise import CLEAN, DEFAULT, Noise, roughen, typo, typo_in_text

PIECES = [
    ("Patient: ", ""), ("Éléonore", "NAME"), (" ", ""), ("Bétrisey", "NAME"), ("\nVue le ", ""), ("18.03.2022", "DATE"),
    (" par le Dr ", ""), ("A. Chollet", "DOCTOR"), (", elle se plaint de douleurs thoraciques depuis plusieurs jours.\n", ""),
    ("Téléphone: ", ""), ("021 314 11 11", "PHONE"), (", état stationnaire sous traitement habituel   ", ""),
]  # fmt: skip
WILD = Noise(*(0.5,) * 12)


@pytest.mark.parametrize("noise", [DEFAULT, WILD, Noise(note_caps=1.0), Noise(lost_space=1.0), Noise(note_wrapped=1.0)])
def test_no_value_is_cut_lost_or_padded(noise):
    for seed in range(300):
        rough = roughen(PIECES, noise, Random(seed))
        document = assemble(rough, "n", {})
        assert [label for _, label in rough if label] == [label for _, label in PIECES if label]
        values = [span.of(document.text) for span in document.spans]
        assert len(values) == 5
        assert all(value == value.strip() != "" and "\n" not in value and "\t" not in value for value in values)


def test_digits_survive_typing_errors():
    for seed in range(200):
        rough = roughen(PIECES, Noise(value_typo=1.0, typo=0.1), Random(seed))
        assert "18.03.2022" in [text for text, _ in rough]


def test_no_noise_changes_nothing_and_the_default_changes_little():
    assert roughen(PIECES, CLEAN, Random(1)) == PIECES
    assert sum(roughen(PIECES, DEFAULT, Random(seed)) != PIECES for seed in range(300)) < 150


def test_lost_spaces_join_title_and_name():
    texts = {"".join(text for text, _ in roughen(PIECES, Noise(lost_space=0.5), Random(seed))) for seed in range(50)}
    assert any("DrA. Chollet" in text for text in texts)


def test_the_input_is_not_changed():
    before = list(PIECES)
    roughen(PIECES, WILD, Random(1))
    assert before == PIECES


def test_short_words_stay():
    assert typo("ab", Random(1)) == "ab"
    assert typo_in_text("1 2 3", Random(1)) == "1 2 3"
