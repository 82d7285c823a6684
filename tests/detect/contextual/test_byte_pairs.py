import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import UsageError
from innominate.detect.contextual.byte_pairs import UNKNOWN, count_words, learn_byte_pairs, load_byte_pairs, save_byte_pairs

TEXTS = ["le patient va bien, la patiente aussi"] * 4 + ["patients et patience, 12.03.2024"] * 3


@pytest.fixture(scope="module")
def vocabulary():
    return learn_byte_pairs(count_words(TEXTS), 120)


def test_frequent_words_become_one_part_and_rare_ones_several(vocabulary):
    assert vocabulary.split_word("\u2581patient") == ["\u2581patient"]
    assert len(vocabulary.split_word("\u2581patiemment")) > 1
    assert "".join(vocabulary.split_word("\u2581patiemment")) == "\u2581patiemment"


def test_every_digit_is_a_part_of_its_own(vocabulary):
    assert vocabulary.split_word("\u25812024") == ["\u25812", "0", "2", "4"]
    assert vocabulary.encode_word("٣") == vocabulary.encode_word("3")


def test_a_letter_that_was_never_seen_is_unknown(vocabulary):
    assert vocabulary.encode_word("Ж") == (UNKNOWN,)


def test_the_same_texts_give_the_same_vocabulary(vocabulary):
    assert learn_byte_pairs(count_words(reversed(TEXTS)), 120) == vocabulary


def test_a_vocabulary_is_read_as_it_was_written(vocabulary, tmp_path):
    save_byte_pairs(vocabulary, tmp_path)
    assert load_byte_pairs(tmp_path) == vocabulary


def test_a_damaged_vocabulary_is_refused_by_name(tmp_path):
    (tmp_path / "vocabulary.json").write_text("{")
    with pytest.raises(UsageError, match=r"vocabulary\.json"):
        load_byte_pairs(tmp_path)


@given(text=st.text(max_size=60))
def test_every_word_has_parts(vocabulary, text):
    assert all(len(parts) for parts in vocabulary.encode_text(text))
