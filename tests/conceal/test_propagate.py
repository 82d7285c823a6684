from innominate.conceal.propagate import find_again, gather_needles
from innominate.core import Document, annotated


def found(text, lang):
    note = annotated(text)
    return [(span.of(note.text), span.label) for span in find_again(note, gather_needles(note, lang), lang)]


def test_a_marked_name_is_found_again_in_any_form():
    assert found("[Eva Lindqvist](PATIENT) sov. Lindqvist åt. Sedan EVA ringde. eva?", "sv") == [
        ("Lindqvist", "PATIENT"),
        ("EVA", "PATIENT"),
    ]


def test_numbers_and_addresses_are_found_again():
    text = "IPP [1234567](IPP), [Rue de la Gare](RUE). Rue de la Gare, 1234567, 91234567"
    assert found(text, "fr") == [("Rue de la Gare", "RUE"), ("1234567", "IPP")]


def test_words_that_are_also_names_are_left_alone_unless_a_title_stands_before():
    assert found("Dr [Parkinson](DOCTOR) says: Parkinson disease. Call Dr Parkinson.", "en") == [("Parkinson", "DOCTOR")]
    assert found("M. [Petit](PATIENT_E): Petit pansement. M. Petit dort.", "fr") == [("Petit", "PATIENT_E")]


def test_the_other_notes_of_the_patient_tell_too():
    other = annotated("[Eva Lindqvist](PATIENT)")
    note = Document("n2", "Ringde Lindqvist.")
    (span,) = find_again(note, gather_needles(other, "sv"), "sv")
    assert (span.of(note.text), span.label, span.source) == ("Lindqvist", "PATIENT", "propagated")


def test_nothing_is_found_inside_of_words_or_marked_places():
    assert found("[Holm](PATIENT) i Stockholm, Holmgren och [Holm](PATIENT)", "sv") == []


def test_letters_that_grow_in_lower_case_do_not_shift_anything():
    assert found("İİİ [Lindqvist](PATIENT) İ Lindqvist", "sv") == [("Lindqvist", "PATIENT")]
