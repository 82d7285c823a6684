import pytest
from stdnum import luhn

from innominate.conceal import conceal
from innominate.conceal.keys import Key
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import Document, LabelError, annotated
from innominate.detect.dial.dial import labels_in_group
from innominate.detect.models.named import detector as find_detector
from innominate.labels import kind_of, labels_of_all, names, taxonomy
from innominate.labels.kinds import read_kind
from innominate.labels.taxonomy import read_label

CATEGORIES = {"ID": {"colour": "#000000", "description": "Numbers"}}


def test_a_label_without_a_kind_is_refused_with_its_name_its_file_and_the_remedy():
    with pytest.raises(
        LabelError, match=r"labels/data/mine\.toml: label 'BADGE' names no kind; write `kind = ...` .*id.*add-a-kind"
    ):
        read_label("BADGE", {"category": "ID", "description": "Badge"}, CATEGORIES, "mine")
    with pytest.raises(LabelError, match="names a kind 'badge' that does not exist"):
        read_label("BADGE", {"category": "ID", "description": "Badge", "kind": "badge"}, CATEGORIES, "mine")


def test_an_entry_that_lacks_something_or_says_something_unknown_is_refused():
    whole = {"title": "badges", "identifier": "direct", "policy": "ids", "examples": ["B 12"]}
    assert read_kind("badge", whole).title == "badges"
    with pytest.raises(LabelError, match=r"\[badge\].*title"):
        read_kind("badge", {name: value for name, value in whole.items() if name != "title"})
    with pytest.raises(LabelError, match=r"\[badge\].*groop"):
        read_kind("badge", {**whole, "groop": "ids"})
    with pytest.raises(LabelError, match="write direct or quasi"):
        read_kind("badge", {**whole, "identifier": "both"})


def test_a_name_that_two_taxonomies_share_is_of_one_kind():
    for name in names():
        assert {label: entry.kind for label, entry in taxonomy(name).labels.items()} == {
            label: labels_of_all()[label].kind for label in taxonomy(name).labels
        }
    assert kind_of("a label of nobody") == "other"


def test_words_of_the_recall_dial_stand_for_the_same_kinds_in_every_taxonomy():
    assert labels_in_group("names", list(taxonomy("chuv").labels), "chuv") == [
        "PATIENT_E",
        "PERSONNEL_MÉDICAL",
        "LIEN_DE_PARENTÉ",
    ]
    assert labels_in_group("organisations", list(taxonomy("i2b2").labels), "i2b2") == [
        "HOSPITAL",
        "ORGANIZATION",
        "DEPARTMENT",
        "ROOM",
    ]
    assert labels_in_group("LOCATION", ["HOSPITAL", "CITY", "AGE"], "i2b2") == ["HOSPITAL", "CITY"]


@pytest.mark.parametrize("label", sorted(labels_of_all()))
def test_every_label_can_be_replaced_by_a_surrogate_of_its_kind(label):
    kind = labels_of_all()[label].kind
    (example, *_) = kind.example("es")
    concealed = conceal(annotated(f"seen: [{example}]({label})."), Pseudo(Key(bytes(32)), lang="es"))
    assert (example in concealed.document.text) == kind.stays


@pytest.mark.parametrize("detector", ["rules", "combined"])
def test_a_bank_card_is_found_and_becomes_a_number_that_no_bank_has(detector):
    note = annotated("Carte retrouvée: [4539 1488 0343 6467](CARTE_BANCAIRE), rendue à la patiente le lendemain.")
    found = find_detector(detector, "fr").detect(Document("n", note.text))
    (card,) = (span for span in found if kind_of(span.label) == "card")
    assert card.of(note.text) == "4539 1488 0343 6467"
    concealed = conceal(note, Pseudo(Key(bytes(32)), lang="fr"))
    surrogate = concealed.treated[0].target.of(concealed.document.text)
    assert [len(group) for group in surrogate.split()] == [4, 4, 4, 4]
    assert surrogate.startswith("99")
    assert luhn.is_valid(surrogate.replace(" ", ""))
