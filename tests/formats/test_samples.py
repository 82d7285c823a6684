"""The sample notes and synthetic notes of every language, through every format that keeps the text."""

from pathlib import Path

import pytest

from innominate.core.plugins import available
from innominate.formats import read_documents, write
from innominate.synth.generate import generate

SAMPLES = Path(__file__).parents[2] / "samples"
KEEPING = sorted(available("formats").keys() - {"mimic", "database"})  # mimic replaces spans, a database is no file


@pytest.fixture(scope="module")
def notes():
    synthetic = [note for lang in ("en", "fr", "sv", "es") for note in generate(lang, 40, seed=11)]
    return [*read_documents(SAMPLES), *synthetic]


@pytest.mark.parametrize("name", KEEPING)
def test_every_note_comes_back_with_its_text_and_spans(name, notes, tmp_path):
    write(notes, tmp_path / "out", name)
    back = {note.id: note for note in read_documents(tmp_path / "out", name)}
    assert back.keys() == {note.id for note in notes}
    for note in notes:
        assert (back[note.id].text, back[note.id].spans) == (note.text, note.spans)


def test_a_database_too(notes, tmp_path):
    url = f"sqlite:///{tmp_path / 'notes.db'}?table=notes"
    write(notes, url, "database")
    back = {note.id: note for note in read_documents(url)}
    assert {note.id: (note.text, note.spans) for note in notes} == {id: (n.text, n.spans) for id, n in back.items()}
