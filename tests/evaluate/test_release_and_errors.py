"""What is left in the text, how sure that is, and where it stands."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Document, Span, annotated
from innominate.evaluate import errors, release
from innominate.evaluate.counts import covered, letters
from innominate.evaluate.stats import upper_bound

GOLD = [
    annotated("[Eva Ek](NAME) of [Rom](CITY) slept.", "a"),
    annotated("[Eva Ek](NAME) of [Rom](CITY) ate.", "b"),
    annotated("Nothing here.", "c"),
]
SYSTEM = [
    annotated("[Eva](NAME) Ek of [Rom](NAME) slept.", "a"),
    annotated("[Eva Ek](NAME) of [Rom](CITY) [ate](NAME).", "b"),
    annotated("Nothing here.", "c"),
]
PAIRS = list(zip(GOLD, SYSTEM, strict=True))


def test_release_measures_by_hand():
    found = release.score(PAIRS, times=50)
    assert (found["character_leak"]["k"], found["character_leak"]["n"]) == (2, 16)
    assert (found["any_label_recall"]["k"], found["any_label_recall"]["n"]) == (3, 4)
    assert (found["over_redaction"]["k"], found["over_redaction"]["n"]) == (3, 7 + 5 + 11)
    assert (found["redact_full"]["k"], found["redact_full"]["n"]) == (2, 3)
    assert found["by_label"]["CITY"]["rate"] == 1
    assert found["by_label"]["NAME"]["rate"] == 0.5


def test_the_sentence_says_bound_confidence_and_sample():
    found = release.score(PAIRS, times=10)
    assert found["sentence"] == (
        f"In 3 documents with 4 identifiers, 1 was left, wholly or in part: at most {1000 * upper_bound(1, 4):.3g} per 1,000 "
        "identifiers at 95 %, from n = 4."
    )
    assert "nothing can be said" in release.score([PAIRS[2]], times=10)["sentence"]


def test_punctuation_left_at_the_edge_is_no_leak():
    gold, system = annotated("[Dr. Ek,](NAME) slept", "a"), annotated("[Dr](NAME). [Ek](NAME), slept", "a")
    assert release.score([(gold, system)], times=10)["any_label_recall"]["rate"] == 1


def test_two_runs_give_the_same_numbers_and_the_seed_matters_little():
    assert release.score(PAIRS) == release.score(PAIRS)
    low, high = release.score(PAIRS, rng=Random(7))["any_label_recall"]["bootstrap"]
    assert 0.4 <= low <= 0.75 <= high == 1


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 79), st.integers(1, 20)), max_size=6))
def test_coverage_counts_characters(text, places):
    spans = [Span(start, min(start + length, len(text)), "X") for start, length in places if start < len(text)]
    wanted = {i for span in spans for i in range(span.start, span.end) if text[i].isalnum()}
    assert (covered(spans) & letters(text)).bit_count() == len(wanted)


def test_errors_say_what_and_where_and_hold_no_text():
    found = errors.score(PAIRS)
    kinds = [(row["kind"], row["document"], row["start"], row["end"], row["left"]) for row in found["spans"]]
    assert kinds == [("boundary", "a", 0, 6, 2), ("confused", "a", 10, 13, 0), ("spurious", "b", 14, 17, 0)]
    assert found["confusion"] == {"(none)": {"NAME": 1}, "CITY": {"CITY": 1, "NAME": 1}, "NAME": {"NAME": 2}}
    assert [row["id"] for row in found["documents"]] == ["a", "b", "c"]
    assert "Eva" not in str(found)


def test_a_missed_span_is_in_the_last_column():
    gold, nothing = GOLD[0], GOLD[0].with_spans([])
    assert errors.score([(gold, nothing)])["confusion"] == {"CITY": {"(none)": 1}, "NAME": {"(none)": 1}}


@pytest.mark.parametrize("k", [0, 1, 5])
def test_leak_is_not_flattered_by_other_spans(k):
    """Spans elsewhere do not hide anything."""
    gold = Document("a", "Eva Ek slept well", (Span(0, 6, "NAME"),))
    system = gold.with_spans([Span(7, 8 + k, "NAME")])
    assert release.Leak.of(gold, system).leaked == 5
