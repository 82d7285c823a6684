import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from text_fuzz import fuzzed

from innominate.core import apply_edits
from innominate.text.clusters import normalised
from innominate.text.nfkc import Nfkc


def shown(text: str) -> str:
    return apply_edits(text, Nfkc().edits(text))[0]


@settings(max_examples=500)
@given(st.text())
def test_any_text_becomes_its_nfkc_form(text):
    assert shown(text) == unicodedata.normalize("NFKC", text)


def test_fuzzed_texts_become_their_nfkc_form():
    for text in fuzzed(seed=5, count=5000):
        assert shown(text) == unicodedata.normalize("NFKC", text)


def test_every_character_between_two_letters():
    text = "".join(f"a{chr(code)}e" for code in range(0x110000) if not 0xAC00 <= code < 0xE000)
    assert shown(text) == unicodedata.normalize("NFKC", text)


def test_every_pair_of_marks_and_halves():
    odd = "a\u1100\u1161\u11a8\uac00\u3131\uffa1\uffc2\u0301\u0316\u0344\u09c7\u09be\u3099\uff9e\u0f71\u0f73\u0345\u1100"
    for first in odd:
        for second in odd:
            for third in odd:
                text = first + second + third
                assert shown(text) == unicodedata.normalize("NFKC", text)


def test_piled_marks_are_normalised_as_python_does():
    cluster = "a" + "\u0316\u0301\u0344\u1dce" * 100
    for form in ("NFC", "NFKC"):
        assert normalised(form, cluster) == unicodedata.normalize(form, cluster)
