import pytest

from innominate.conceal import Concealed, conceal
from innominate.conceal.plan import Treated
from innominate.conceal.strategies.by_class import ByClass
from innominate.conceal.strategies.mask import Mask
from innominate.core import Edit, annotated, apply_edits
from innominate.run.verify import NotConcealedError, verify

NOTE = annotated("Vu par [Rochat](DOCTOR) le [3 mai](DATE).")


def concealed_with(edits):
    text, offsets = apply_edits(NOTE.text, edits)
    return Concealed(NOTE.__class__(NOTE.id, text), offsets)


@pytest.mark.parametrize("concealer", [ByClass(), Mask()])
def test_what_our_strategies_do_is_accepted(concealer):
    verify(NOTE, conceal(NOTE, concealer))


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(7, 13, "XXXX")],  # one span forgotten
        [Edit(7, 13, "XXXX"), Edit(17, 22, "le 3 MAI")],  # the identifier is still there
        [Edit(7, 13, "XXXX"), Edit(17, 22, "XXXX"), Edit(0, 2, "Lu")],  # something else was touched
        [Edit(7, 12, "XXXX"), Edit(17, 22, "XXXX")],  # the last letter of the name is left
    ],
)
def test_anything_else_is_withheld_without_quoting_the_note(edits):
    with pytest.raises(NotConcealedError) as caught:
        verify(NOTE, concealed_with(edits))
    assert "Rochat" not in str(caught.value)
    assert "mai" not in str(caught.value).lower()


def test_blanks_around_an_identifier_are_no_part_of_it():
    note = annotated("on [Elm, ](STREET)the [y, ](STREET)left")

    def became(street, letter):
        text, offsets = apply_edits(note.text, [Edit(3, 8, street), Edit(12, 15, letter)])
        treated = tuple(Treated(span, "pseudo", None) for span in note.spans)
        return Concealed(note.__class__(note.id, text), offsets, treated)

    verify(note, became("Oak, ", "Healy, "))  # two characters identify nobody
    with pytest.raises(NotConcealedError, match="still holds"):
        verify(note, became("Old Elm,", "z, "))
