"""White space, full stops and dashes as the seed asks (section 2.2, steps 3b to 3d, and the annotators' guide)."""

import pytest

from innominate.core import apply_edits
from innominate.core.plugins import load


def shown(name: str, text: str) -> str:
    return apply_edits(text, load("cleaners", name).edits(text))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Eva  Meier\t dort", "Eva Meier dort"),
        ("Eva \r\n  Meier", "Eva\nMeier"),
        ("Eva\rMeier", "Eva\nMeier"),
        ("a\n\n \t\n\nb", "a\nb"),
        ("  a b \n", "a b"),
        (" a", "a"),
        ("\na", "a"),
        ("a ", "a"),
        ("a\0b\x1fc\x7fd", "abcd"),
        ("a\x00 \x00b", "a b"),
        ("a\fb\u2028c\x85d", "a\nb\nc\nd"),
        ("Lau\u00adsanne\u200b\ufeff", "Lausanne"),
        ("a\u00a0\u3000b", "a b"),
        ("\u00a0", ""),
        ("", ""),
        ("a b\nc", "a b\nc"),
    ],
)
def test_whitespace(text, expected):
    assert shown("whitespace", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18.03.2022", "18#03#2022"),
        ("M.Mustafa", "M#Mustafa"),
        ("A.Ojanguren F.Abboretti", "A#Ojanguren F#Abboretti"),
        ("CH.DE BONMONT", "CH#DE BONMONT"),
        ("012.345.67.89", "012#345#67#89"),
        ("É.Ångström", "É#Ångström"),
        ("1.A.2", "1#A#2"),
        ("Il dort. Le 3.", "Il dort. Le 3."),
        ("DrA. Chollet", "DrA. Chollet"),
        ("fin.Le patient, e.g. 3. Puis", "fin.Le patient, e.g. 3. Puis"),
    ],
)
def test_full_stops(text, expected):
    assert shown("full-stops", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1015-Lausanne", "1015 Lausanne"),
        ("CH-1015-Lausanne", "CH-1015 Lausanne"),
        ("1015–Écublens", "1015 Écublens"),
        ("Jean-Luc, 2020-03, L5-s1, T4-", "Jean-Luc, 2020-03, L5-s1, T4-"),
        ("1015 - Lausanne", "1015 - Lausanne"),
    ],
)
def test_digit_dash(text, expected):
    assert shown("digit-dash", text) == expected
