import pytest

from innominate.core import LabelError, Span
from innominate.labels import mapping, names, taxonomy
from innominate.labels.taxonomy import read_mapping

PAIRS = [(source, target) for source in names() for target in names() if source != target]


def test_the_taxonomies_have_the_labels_of_their_sources():
    chuv = taxonomy("chuv")
    assert len(chuv.categories) == 10
    assert len(chuv.standard) == 26  # 25 categories and the fallback AUTRES
    assert {
        "BÂTIMENT_CHAMBRE_OU_LIT",
        "ÂGE",
        "ÉTAT_CIVIL",
        "NATIONALITÉ",
        "NUMÉRO_SÉJOUR",
        "LIEN_DE_PARENTÉ",
    } <= chuv.labels.keys()
    assert len(taxonomy("hipaa").standard) == 18
    assert len(taxonomy("meddocan").standard) == 29
    assert set(taxonomy("swedish").standard) == {
        "Age", "Full_Date", "Date_Part", "First_Name", "Last_Name", "Health_Care_Unit", "Location", "Phone_Number",
    }  # fmt: skip


def test_i2b2_has_7_categories_25_sub_types_and_says_which_are_hipaa():
    i2b2 = taxonomy("i2b2")
    assert len(i2b2.categories) == 7
    assert len([label for label in i2b2.standard.values() if label.name != label.category]) == 25
    hipaa = {name for name, label in i2b2.labels.items() if label.hipaa}
    assert {"PATIENT", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "AGE", "IDNUM"} <= hipaa
    assert not {"DOCTOR", "HOSPITAL", "STATE", "COUNTRY", "PROFESSION", "URL", "USERNAME"} & hipaa


@pytest.mark.parametrize("name", names())
def test_every_label_has_a_colour_a_description_and_a_kind(name):
    for label in taxonomy(name).labels.values():
        assert label.colour.startswith("#")
        assert len(label.colour) == 7
        assert label.description
        assert label.kind.identifier in {"direct", "quasi"}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_pair_of_taxonomies_has_a_complete_mapping(source, target):
    assert set(mapping(source, target).pairs) == set(taxonomy(source).labels)


def test_one_label_may_not_become_many():
    with pytest.raises(LabelError, match="one label only"):
        read_mapping("swedish", "i2b2", {"Age": ["AGE", "DATE"]})


def test_a_forgotten_or_unknown_label_is_refused():
    with pytest.raises(LabelError, match="no entry for"):
        read_mapping("swedish", "i2b2", {"Age": "AGE"})
    with pytest.raises(LabelError, match="does not exist"):
        read_mapping("swedish", "i2b2", {"Age": "AGES"})


def test_mapped_spans_keep_their_place_and_those_without_counterpart_go():
    spans = [Span(0, 4, "CODE_POSTAL", 0.7), Span(5, 9, "TEMPS")]
    (moved,) = mapping("chuv", "i2b2").apply(spans)
    assert (moved.start, moved.end, moved.label, moved.score) == (0, 4, "ZIP", 0.7)


def test_unknown_names_are_answered_with_the_known_ones():
    with pytest.raises(LabelError, match="chuv"):
        taxonomy("nhs")
    with pytest.raises(LabelError, match="PATIENT_E"):
        taxonomy("chuv")["PATIENT"]
