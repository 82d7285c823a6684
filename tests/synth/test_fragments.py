"""Pieces of notes hold whole identifiers, and all of a note if all pieces are taken."""

from random import Random

import pytest

from fragments import fragments
from innominate.synth.generate import generate


@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
def test_pieces_together_hold_every_identifier_once(lang):
    for note in generate(lang, 12, seed=3):
        pieces = list(fragments(note, Random(1), share=1))
        assert all(note.text[int(piece.id.rpartition("/")[2]) :].startswith(piece.text) for piece in pieces)
        found = [(span.of(piece.text), span.label) for piece in pieces for span in piece.spans]
        assert found == [(span.of(note.text), span.label) for span in note.spans]
        assert len(pieces) > 1


def test_a_share_of_the_pieces_is_taken_and_the_same_chance_takes_the_same():
    notes = list(generate("en", 20, seed=4))
    every = [piece for note in notes for piece in fragments(note, Random(5), share=1)]
    some = [piece for note in notes for piece in fragments(note, Random(5), share=0.5)]
    assert 0.3 < len(some) / len(every) < 0.7
    assert some == [piece for note in notes for piece in fragments(note, Random(5), share=0.5)]
