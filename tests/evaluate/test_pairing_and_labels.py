"""What does not fit is an error, never a silent skip."""

import pytest

from innominate.core import Document, LabelError, Span, UsageError, annotated
from innominate.evaluate import Evaluation, paired
from innominate.evaluate.i2b2 import I2b2Note, Tag
from innominate.evaluate.labelling import check_shared, mapped, note

GOLD = [annotated("[Eva Ek](PATIENT) slept.", "a"), annotated("Seen by [Dr Lind](DOCTOR).", "b")]


def test_a_missing_document_is_an_error_that_names_it():
    with pytest.raises(UsageError, match=r"1 document.* no system output.*'b'"):
        paired(GOLD, GOLD[:1])


def test_a_missing_document_counts_as_nothing_found_if_asked():
    pairing = paired(GOLD, GOLD[:1], missing="empty")
    assert [(gold.id, len(system.spans)) for gold, system in pairing.pairs] == [("a", 1), ("b", 0)]


def test_a_missing_document_is_left_out_if_asked_and_the_result_says_so():
    result = Evaluation("i2b2", missing="skip").run(GOLD, {"mine": GOLD[:1]})
    assert result["systems"]["mine"]["n_documents"] == 1
    assert result["systems"]["mine"]["missing_documents"] == ["b"]
    assert "left out, as the official scorers do" in result["notes"][0]


@pytest.mark.parametrize("missing", ["error", "empty"])
def test_an_extra_document_is_an_error_unless_skipped(missing):
    extra = [*GOLD, Document("c", "text")]
    with pytest.raises(UsageError, match=r"not in the gold.*'c'"):
        paired(GOLD, extra, missing=missing)
    assert paired(GOLD, extra, missing="skip").extra == ("c",)


@pytest.mark.parametrize("missing", ["error", "empty", "skip"])
def test_a_text_that_differs_is_always_an_error_without_quoting_it(missing):
    other = [Document("a", "Eva Ek slept?"), GOLD[1]]
    with pytest.raises(UsageError, match="differ from character 12") as caught:
        paired(GOLD, other, missing=missing)
    assert "Eva" not in str(caught.value)


def test_two_documents_with_one_id_are_an_error():
    with pytest.raises(UsageError, match="two documents have the id 'a'"):
        paired(GOLD, [*GOLD, GOLD[0]])


def test_spans_without_text_are_joined_with_the_text_of_the_gold():
    pairing = paired(GOLD, {"a": [Span(0, 3, "PATIENT")], "b": []})
    assert pairing.pairs[0][1].text == "Eva Ek slept."
    with pytest.raises(UsageError, match="not of the gold's text"):
        paired(GOLD, {"a": [Span(0, 300, "PATIENT")], "b": []})


@pytest.mark.parametrize("standard", ["i2b2", "meddocan"])
def test_a_label_that_the_standard_does_not_know_is_an_error(standard):
    gold = [annotated("[Eva](WIZARD)", "a")]
    with pytest.raises(LabelError, match="WIZARD"):
        Evaluation(standard).run(gold, {"mine": gold})


def test_labels_of_another_taxonomy_are_an_error_in_spans_too():
    with pytest.raises(LabelError, match="CODE_POSTAL"):
        check_shared(frozenset({"PATIENT", "DOCTOR"}), frozenset({"CODE_POSTAL"}))
    check_shared(frozenset({"PATIENT", "DOCTOR"}), frozenset({"CITY"}))  # i2b2 knows them all
    check_shared(frozenset({"A", "B"}), frozenset({"A"}))


def test_mapping_both_sides_makes_them_comparable_and_says_what_it_leaves_out():
    gold = [annotated("[1003](CODE_POSTAL) à [14:00](TEMPS)", "a")]
    system = [annotated("[1003](ZIP) à 14:00", "a")]
    result = Evaluation("i2b2", mapping="i2b2").run(gold, {"mine": system})
    assert result["systems"]["mine"]["blocks"]["Strict"]["micro"]["tp"] == 1
    assert result["notes"] == ["gold: no counterpart in i2b2, left out: TEMPS (1)"]


def test_a_source_taxonomy_may_be_named():
    assert mapped({"a": [Span(0, 4, "CODE_POSTAL")]}, "i2b2", "chuv").spans["a"][0].label == "ZIP"
    with pytest.raises(LabelError, match="no taxonomy knows"):
        mapped({"a": [Span(0, 4, "WIZARD")]}, "i2b2")


def test_documents_become_the_tags_that_the_i2b2_reader_made_labels_of():
    spans = [Span(0, 1, "CITY"), Span(1, 2, "NAME:CITY"), Span(2, 3, "OTHER"), Span(3, 4, "PHI:DATE"), Span(4, 5, "ID")]
    assert note(Document("a", "abcde", tuple(spans))) == I2b2Note(
        "a",
        "abcde",
        [
            Tag("LOCATION", "0", "1", "CITY"),
            Tag("NAME", "1", "2", "CITY"),
            Tag("OTHER", "2", "3", "OTHER"),
            Tag("PHI", "3", "4", "DATE"),
            Tag("ID", "4", "5", ""),
        ],
    )


def test_an_unknown_standard_or_policy_is_refused():
    with pytest.raises(UsageError, match="--standard"):
        Evaluation("conll")
    with pytest.raises(UsageError, match="--missing"):
        paired(GOLD, GOLD, missing="ignore")
    with pytest.raises(UsageError, match="no document"):
        Evaluation().run([], {"mine": []})
