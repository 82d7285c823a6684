from hypothesis import given
from hypothesis import strategies as st

from innominate.detect.contextual.words import spell_words, split_words


def words(text):
    return [text[start:end] for start, end in split_words(text)]


def test_names_of_any_alphabet_are_whole_words():
    assert words("Vu par Wałęsa, Şükrü, Ngũgĩ") == ["Vu", "par", "Wałęsa", ",", "Şükrü", ",", "Ngũgĩ"]


def test_glued_titles_part_from_names():
    assert words("MME.RAVEY drHolm DRAlberto") == ["MME", ".", "RAVEY", "dr", "Holm", "DR", "Alberto"]


def test_lines_and_gaps_are_words():
    assert words("Name:  Eva\nBorn\t1950") == ["Name", ":", "  ", "Eva", "\n", "Born", "\t", "1950"]


def test_a_blank_before_a_word_is_written_with_it():
    assert spell_words("a b", split_words("a b")) == ["a", "\u2581b"]
    assert spell_words("a  b", split_words("a  b")) == ["a", "\t", "b"]


@given(st.text())
def test_every_character_but_blanks_is_in_exactly_one_word(text):
    places = split_words(text)
    inside = [index for start, end in places for index in range(start, end)]
    assert inside == sorted(set(inside))
    assert all(text[index].isspace() for index in set(range(len(text))) - set(inside))
    assert len(spell_words(text, places)) == len(places)
