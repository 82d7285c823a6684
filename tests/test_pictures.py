"""The pictures of the README and the docs: drawn anew here, without an identifier where it is concealed, and none old."""

import re
import shutil
from pathlib import Path

import pytest

import pictures
from innominate.core import Document, annotated
from innominate.formats import read_documents

GOLD = Path(__file__).parent / "pictures"
KEPT_BY_PSEUDONYMS = {"TEMPS", "LIEN_DE_PARENTÉ"}  # the time of the day and `fille` stay what they are
SAME_DAY = "vendredi"  # one shift in seven is whole weeks


def gold(name):
    return annotated((GOLD / f"{name}.txt").read_text(encoding="utf-8"))


def shown_in(after, note, kept=()):
    """The gold identifiers of a note that can be read in the concealed text."""
    text = after.casefold()
    identifiers = {span.of(note.text) for span in note.spans if span.label not in kept}
    return {word for word in identifiers if re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", text)}


@pytest.mark.parametrize("name", sorted({*pictures.TERMINAL, *pictures.PAGE}))
def test_the_gold_is_of_the_notes_as_they_are(name):
    (note,) = read_documents(pictures.SAMPLES / f"{name}.txt")
    assert gold(name).text == note.text


def test_an_identifier_that_shows_is_seen():
    note = annotated("Mme [Rochat](PATIENT_E), [63](ÂGE) ans, [fille](LIEN_DE_PARENTÉ)")
    assert shown_in("Mme ROCHAT, <ÂGE> ans, 163, filleul", note) == {"Rochat"}


@pytest.mark.parametrize("name", [*pictures.TERMINAL, *pictures.PAGE])
def test_no_identifier_shows_after_concealment_in_the_pictures_of_the_readme(name):
    ((before, after),) = pictures.pairs((name,))
    assert before.text == gold(name).text
    assert shown_in(after.text, gold(name)) == set()


def test_no_identifier_shows_among_the_pseudonyms():
    name = pictures.PSEUDONYMS
    with pictures.a_key() as key:
        ((_, after),) = pictures.pairs((name,), detector="rules", policy="pseudo", key=str(key))
    for text in (after.text, pictures.notebook_result().text, re.sub("<[^>]*>", "", pictures.notebook_result()._repr_html_())):
        assert shown_in(text, gold(name), KEPT_BY_PSEUDONYMS) <= {SAME_DAY}


OLD = "the picture is old: draw it anew with .venv/bin/python tools/pictures.py"


@pytest.mark.parametrize("name", [name for name in pictures.PICTURES if name.endswith(".svg")])
def test_drawings_are_what_the_program_gives_today(name):
    assert (pictures.IMAGES / name).read_bytes() == pictures.PICTURES[name](), OLD


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
@pytest.mark.parametrize("name", [name for name in pictures.PICTURES if name.endswith(".png")])
def test_photographs_are_of_what_the_program_gives_today(name):
    drawn, there = pictures.PICTURES[name](), (pictures.IMAGES / name).read_bytes()
    assert drawn.startswith(b"\x89PNG")
    assert pictures.comment_of(there) == pictures.comment_of(drawn), OLD


def test_another_text_is_another_mark():
    note = Document("n", "Eva")
    assert pictures.mark_of([(note, Document("n", "<NAME>"))]) != pictures.mark_of([(note, Document("n", "Eva"))])


def test_every_picture_of_the_readme_is_one_of_these():
    shown = re.findall(r"!\[[^\]]*\]\(docs/images/([^)]+)\)", (pictures.ROOT / "README.md").read_text(encoding="utf-8"))
    assert shown
    assert set(shown) <= set(pictures.PICTURES)
    assert {path.name for path in pictures.IMAGES.iterdir()} == set(pictures.PICTURES)
