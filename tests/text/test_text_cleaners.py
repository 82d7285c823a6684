"""What every cleaner keeps: the contract of the Cleaner protocol, on hostile texts."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_fuzz import PIECES, check_map, fuzzed

from innominate.core import apply_edits
from innominate.core.plugins import available, load
from innominate.core.protocols import Cleaner
from innominate.text.fold import FoldedLetters
from innominate.text.view import DETECTION, PREPROCESSING, named, view

NAMES = sorted(available("cleaners"))
HOSTILE = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=20).map("".join))


@pytest.mark.parametrize("name", NAMES)
def test_is_a_cleaner_under_its_own_name(name):
    cleaner = load("cleaners", name)
    assert isinstance(cleaner, Cleaner)
    assert cleaner.name == name


@pytest.mark.parametrize("name", NAMES)
def test_edits_tile_on_ten_thousand_fuzzed_texts(name):
    cleaner = load("cleaners", name)
    for text in fuzzed(seed=7, count=10_000, longest=8):
        edits = cleaner.edits(text)
        assert edits == sorted(edits)
        assert all(text[start:end] != new for start, end, new in edits)
        check_map(text, *apply_edits(text, edits))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(text=HOSTILE)
def test_edits_tile_on_any_text(name, text):
    check_map(text, *apply_edits(text, load("cleaners", name).edits(text)))


@pytest.mark.parametrize("names", [PREPROCESSING, DETECTION, PREPROCESSING + DETECTION])
def test_composed_views_tile(names):
    cleaners = named(names)
    for text in fuzzed(seed=11, count=1500):
        seen = view(text, cleaners)
        check_map(text, seen.text, seen.offsets)


@pytest.mark.parametrize("cleaner", [*named(["nfkc", "whitespace", "full-stops", "digit-dash"]), FoldedLetters()])
def test_cleaning_twice_is_cleaning_once(cleaner):
    for text in fuzzed(seed=13, count=1500):
        once = view(text, [cleaner]).text
        assert cleaner.edits(once) == []


ATTACKS = {
    "tags that never close": "<a ",
    "angle brackets": "<",
    "quotes in tags": "<a \"'",
    "quotes with tags in them": '<p "<p <p" ',
    "comments that never close": "<!--",
    "scripts that never close": "<script>",
    "ampersands": "&",
    "references": "&a",
    "digits": "1",
    "dots": "1.",
    "marks": "\u0301",
    "marks out of order": "\u0301\u0316",
    "invisible": "a\u200b\u200b",
    "blank": " \n\t",
    "jamo": "\u1100\u1161",
}


def seconds(work) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_time_grows_with_the_text_and_not_faster(name, attack):
    cleaner = load("cleaners", name)
    unit = ATTACKS[attack]
    small, large = (unit * (size // len(unit)) for size in (8_000, 64_000))
    # Eight times the text: linear is 8, quadratic 64. Times under 20 ms are noise.
    assert seconds(lambda: cleaner.edits(large)) < max(40 * seconds(lambda: cleaner.edits(small)), 0.1)
