import pytest

from innominate.core import Span, annotated
from innominate.core.plugins import load
from innominate.text.chunks import chunks
from innominate.text.view import DETECTION, PREPROCESSING, named, view


def found_on_view(original: str, name: str, cleaners: tuple[str, ...]) -> str:
    """Look for a name on the view and return what it is in the original."""
    seen = view(original, named(cleaners))
    start = seen.text.index(name)
    (span,) = seen.to_original([Span(start, start + len(name), "NAME")])
    return span.of(original)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "😀 ",
        "e\u0301te\u0301 ",
        "a\r\nb\r\n",
        "\0\0",
        "<p>R&eacute;f. 18.03.2022</p>",
        "\ufeff",
        "\u202e",
        "ﬁ ",
        "x" * 5000,
    ],
)
@pytest.mark.parametrize("cleaners", [PREPROCESSING, DETECTION])
def test_a_name_maps_back_exactly_whatever_stands_before(before, cleaners):
    assert found_on_view(f"{before}Lindén sov.", "Lindén", cleaners) == "Lindén"


@pytest.mark.parametrize("cleaners", [PREPROCESSING, DETECTION])
def test_a_name_after_a_line_of_ten_megabytes(cleaners):
    line = "Le patient, âgé de 70 ans, est vu à l'hôpital; pas de fièvre. " * 160_000
    assert found_on_view(f"{line}Lindén", "Lindén", cleaners) == "Lindén"


@pytest.mark.parametrize(
    ("original", "name", "behind"),
    [
        ("Dr Lin\u200bdén", "Lindén", "Lin\u200bdén"),
        ("Dr Linde\u0301n", "Lindén", "Linde\u0301n"),
        ("Dr Ｌｉｎｄéｎ", "Lindén", "Ｌｉｎｄéｎ"),
        ("Dr Lin\u00addén\u200b.", "Lindén", "Lin\u00addén"),
    ],
)
def test_a_disguised_name_maps_back_with_its_disguise(original, name, behind):
    assert found_on_view(original, name, DETECTION) == behind


def test_annotations_travel_to_the_view_and_back():
    note = annotated("<p>Vu par [Dr<b>Rochat</b>](DOCTOR) le [18.03.2022](DATE)</p>")
    seen = view(note.text, named(PREPROCESSING))
    shown = seen.from_original(note.spans)
    assert [span.of(seen.text) for span in shown] == ["DrRochat", "18#03#2022"]
    assert [span.of(note.text) for span in seen.to_original(shown)] == ["Dr<b>Rochat", "18.03.2022"]


def test_preprocessing_follows_the_steps_of_the_seed():
    html = "<p>M.Mustafa,&nbsp;n&eacute; le 18.03.2022</p><table><tr><td>1015-Lausanne</td><td>ﬁn</td></tr></table>"
    assert view(html, named(PREPROCESSING)).text == "M#Mustafa, né le 18#03#2022\n1015 Lausanne fin"


def test_a_clean_text_is_its_own_view():
    seen = view("Eva slept well.", named(PREPROCESSING + DETECTION))
    assert seen.text is seen.original
    assert seen.offsets.changes == ()


def test_a_view_never_shows_the_note_in_its_repr():
    assert "Eva" not in repr(view("Eva", [load("cleaners", "fold")]))


def test_chunks_are_lines_without_the_blank_ones():
    text = "\n a\n\n \t \nb c\r\n"
    assert [text[start:end] for start, end in chunks(text)] == [" a", "b c\r"]
