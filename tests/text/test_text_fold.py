import pytest

from innominate.core import apply_edits
from innominate.text.fold import FoldedLetters


def shown(text: str) -> str:
    return apply_edits(text, FoldedLetters().edits(text))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lin\u200bd\u200dq\u2060v\u00adi\u034fs\ufeff\ufe0ft", "Lindqvist"),
        ("\u202eEva\u202c \u2066Meier\u2069", "Eva Meier"),
        ("Eva\U000e0041\U000e0042\U000e0100", "Eva"),
        ("Еvа Меiеr", "Eva Meier"),
        ("Αννα", "Avva"),
        ("Ｅｖａ　Ｍｅｉｅｒ　１９５０", "Eva Meier 1950"),
        ("𝐄𝐯𝐚 𝓜𝓮𝓲𝓮𝓻 𝟏𝟗𝟓𝟎 𝔼𝕧𝕒", "Eva Meier 1950 Eva"),
        ("Ⓔⓥⓐ ﬁn", "Eva fin"),
        ("١٩٥٠ १९५० ۱۹", "1950 1950 19"),
        ("18\u201103\u20132022 \u2212 5", "18-03-2022 - 5"),
        ("l’hôpital ‘x’ “y” d\x92un", "l'hôpital 'x' \"y\" d'un"),
        ("a\u00a0b\u2009c\u202fd\u3000e", "a b c d e"),
        ("Rene\u0301 A\u030asa Nun\u0303ez", "René Åsa Nuñez"),
        ("e\u200b\u0301te\u034f\u0301", "été"),
        ("Е\u0301va", "Éva"),
        ("\u212bsa", "Åsa"),
        ("eva＠chuv．ch", "eva@chuv.ch"),
        ("eva﹫chuv﹒ch 12∶30 12꞉30 a。b", "eva@chuv.ch 12:30 12:30 a.b"),
        ("R\u0336o\u0336c\u0336h\u0336a\u0336t\u0336 e\u0336\u0301te\u0301", "Rochat été"),
        ("🅡🅞🅒🅗🅐🅣 🅴🆅🅰", "ROCHAT EVA"),
        ("ⅯⅠⅬⅬ ⅾⅰⅽ Roſa", "MILL dic Rosa"),
        ("Eva\u3164Meier 021˗314", "Eva Meier 021-314"),
    ],
)
def test_disguises_come_off(text, expected):
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text", ["René Åsa Núñez Müller Œuvre ß Łódź", "38.5 °C", "Nº 3, Mª José, 4 m², 5 µg", "😀 日本", "β-bloquant γ-GT"]
)
def test_what_means_something_stays(text):
    assert FoldedLetters().edits(text) == []


def test_ascii_is_left_alone():
    assert FoldedLetters().edits("Eva\0 Meier\t\r\n") == []


def test_every_edit_is_as_small_as_it_can_be():
    assert [tuple(edit) for edit in FoldedLetters().edits("E\u200bva")] == [(1, 2, "")]


def test_a_stroke_is_covered_together_with_its_letter():
    assert [tuple(edit) for edit in FoldedLetters().edits("va\u0336")] == [(1, 3, "a")]
