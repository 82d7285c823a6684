import pytest

from innominate.core import Document, annotated
from innominate.detect.combine.combined import CombinedDetector
from innominate.detect.combine.projection import join_neighbours, project
from innominate.labels import mapping, taxonomy

NAMELESS = {"PHOTO", "OTROS_SUJETO_ASISTENCIA"}  # a picture, and anything at all about the patient


@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
def test_rules_and_model_find_together(lang):
    text = "Dr Rochat, rochat@example.org, 12.03.2024"
    found = {span.label for span in CombinedDetector(lang).detect(Document("", text))}
    assert {"STAFF", "EMAIL", "DATE"} <= found


def test_many_notes_give_the_same_as_one_by_one():
    detector = CombinedDetector("en")
    notes = [Document(str(n), f"Seen by Dr Abara on 3/{n}/2021, MRN 44{n}812.") for n in range(1, 8)]
    assert detector.detect_many(notes) == [detector.detect(note) for note in notes]


def test_a_person_called_as_a_disease_is_masked_and_the_disease_is_not():
    text = "Mr Parkinson has no Parkinson's disease."
    found = [span.of(text) for span in CombinedDetector("en").detect(Document("", text))]
    assert found == ["Parkinson"]


def test_rules_help_where_the_model_alone_is_in_doubt():
    note = annotated("Seen by [Parkinson](STAFF) this morning, tremor is better.")
    assert [(span.start, span.end) for span in CombinedDetector("en").detect(note)] == [(8, 17)]


def projected(sentence, target):
    note = annotated(sentence)
    spans = join_neighbours([span for span in project(note.spans, note.text, target) if span.label], note.text, target)
    return [(span.of(note.text), span.label) for span in spans]


def test_swedish_parts_names_and_dates():
    assert projected("[Berg, Eva](PATIENT), [78-årig](AGE), [2021-03-14](DATE), [mars](DATE)", "swedish") == [
        ("Berg", "Last_Name"), ("Eva", "First_Name"), ("78", "Age"), ("2021-03-14", "Full_Date"), ("mars", "Date_Part"),
    ]  # fmt: skip


def test_chuv_has_each_name_alone_and_cantons():
    assert projected("Mme [Anne de la Tour](PATIENT) à [Nyon](CITY) [VD](REGION)", "chuv") == [
        ("Anne", "PATIENT_E"), ("de la Tour", "PATIENT_E"), ("Nyon", "EMPLACEMENT_GÉOGRAPHIQUE"), ("VD", "CODE_CANTON"),
    ]  # fmt: skip


def test_street_and_number_are_one_where_a_standard_has_them_so():
    sentence = "[Calle Mayor](STREET), [12](HOUSE_NUMBER), [Getafe](CITY)"
    assert projected(sentence, "meddocan") == [("Calle Mayor, 12", "CALLE"), ("Getafe", "TERRITORIO")]
    assert projected(sentence, "i2b2")[0] == ("Calle Mayor, 12", "STREET")
    assert projected(sentence, "chuv")[:2] == [("Calle Mayor", "RUE"), ("12", "NUMÉRO_HABITATION")]


def test_primary_care_is_no_hospital_in_meddocan():
    assert projected("[Centro de Salud Las Águilas](HOSPITAL), [Hospital La Paz](HOSPITAL)", "meddocan") == [
        ("Centro de Salud Las Águilas", "CENTRO_SALUD"), ("Hospital La Paz", "HOSPITAL"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["i2b2", "chuv", "meddocan", "swedish", "hipaa"])
def test_every_label_of_a_standard_has_one_of_ours_and_comes_back_near(name):
    back, forth = mapping(name, "innominate"), mapping("innominate", name)
    for label in taxonomy(name).labels:
        ours = back[label]
        if label in NAMELESS:
            continue
        assert ours in taxonomy("innominate")
        returned = forth[ours]
        assert returned is not None
        assert taxonomy(name)[returned].category == taxonomy(name)[label].category
