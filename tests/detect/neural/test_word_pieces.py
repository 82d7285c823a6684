"""Word pieces and their places, compared with those of `tokenizers` 0.22.1 (BertWordPieceTokenizer, the same 55 pieces)."""

import re
import unicodedata

import numpy as np
import pytest
from bert_cases import WORDS
from hypothesis import given
from hypothesis import strategies as st

from innominate.detect.neural.readers.encoder import pool_rows
from innominate.detect.neural.readers.word_pieces import WordPieces

UNCASED, CASED, ACCENTED = (WordPieces(tuple(WORDS), *how) for how in ((True, True), (False, False), (True, False)))


@pytest.mark.parametrize(
    ("how", "text", "words", "places"),
    [
        (
            UNCASED,
            "Vu par Dr Rochat, le 12.05",
            "vu par dr ro ##chat , le 1 ##2 . 0 ##5",
            [(0, 2), (3, 6), (7, 9), (10, 12), (12, 16), (16, 17), (18, 20), (21, 22), (22, 23), (23, 24), (24, 25), (25, 26)],
        ),
        (UNCASED, "Rochats ROCHAT rochatz", "ro ##chats ro ##chat [UNK]", [(0, 2), (2, 7), (8, 10), (10, 14), (15, 22)]),
        (UNCASED, "É é E\u0301", "[UNK] [UNK] [UNK]", [(0, 1), (2, 3), (4, 5)]),
        (CASED, "É é E\u0301", "É é [UNK]", [(0, 1), (2, 3), (4, 6)]),
        (ACCENTED, "É é E\u0301", "é é [UNK]", [(0, 1), (2, 3), (4, 6)]),
        (UNCASED, "McDonald’s a\u00adb", "mcdonald ’ [UNK] [UNK]", [(0, 8), (8, 9), (9, 10), (11, 14)]),
        (CASED, "Vu par", "[UNK] par", [(0, 2), (3, 6)]),
        (UNCASED, "10\tmg≠20", "1 ##0 mg = 2 ##0", [(0, 1), (1, 2), (3, 5), (5, 6), (6, 7), (7, 8)]),
        (ACCENTED, "10\tmg≠20", "1 ##0 [UNK]", [(0, 1), (1, 2), (3, 8)]),
        (UNCASED, "東京 ab", "[UNK] 京 [UNK]", [(0, 1), (1, 2), (3, 5)]),
        (UNCASED, "b" * 101 + " b", "[UNK] b", [(0, 101), (102, 103)]),
        (UNCASED, "😀, \u200b\n", "[UNK] ,", [(0, 1), (1, 2)]),
    ],
)
def test_a_text_falls_into_the_word_pieces_of_bert(how, text, words, places):
    for _ in range(2):  # the second time from memory
        numbers, found = how.split(text)
        assert " ".join(WORDS[number] for number in numbers) == words
        assert found == places


@given(st.text(alphabet=st.one_of(st.sampled_from("aéÉ ro.chatFAVRE\n’0125"), st.characters())))
def test_word_pieces_stand_one_after_the_other_and_leave_no_letter_out(text):
    _, places = UNCASED.split(text)
    ends = [0, *(end for _, end in places)]
    assert all(end <= start < stop for end, (start, stop) in zip(ends, places, strict=False))
    covered = {place for start, stop in places for place in range(start, stop)}
    assert {place for place, letter in enumerate(text) if unicodedata.category(letter) in {"Lu", "Ll", "Nd"}} <= covered
    assert not {match.start() for match in re.finditer(r"[ \n]", text)} & covered


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(1, 4), max_size=8), st.integers(0, 99))
def test_a_piece_is_the_mean_of_the_word_pieces_it_touches(gaps, lengths, seed):
    found, at = [], 0
    for gap in gaps:  # one character each, with gaps between them
        found.append((at + gap, at + gap + 1))
        at += gap + 1
    places, at = [], 0
    for length in lengths:
        places.append((at, at + length))
        at += length
    rows = np.random.default_rng(seed).integers(-8, 8, (len(found), 3)).astype(np.float16)
    means = pool_rows(rows, found, places)
    assert means.shape == (len(places), 3)
    for (start, end), mean in zip(places, means, strict=True):
        mine = [row for row, (a, b) in zip(rows, found, strict=True) if a < end and start < b]
        np.testing.assert_allclose(mean, np.mean(mine, 0) if mine else 0, atol=4e-3)
