"""Word vectors from text files: with a header or without, packed or not; what is wrong with a file is said with its line."""

import gzip
import tracemalloc

import numpy as np
import pytest

from innominate.core import FormatError, UsageError
from innominate.detect.neural.vectors import read_vectors

WORDS = ("", "\ufffd", "patient", "0000", "née", "absent")
GLOVE = "patient 1 2 3\n1999 4 5 6\nnée 7 8 9\nother 0 0 0\n"


def written(folder, text, name="vectors.txt"):
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize("name", ["vectors.txt", "cc.fr.vec", "vectors.txt.gz"])
@pytest.mark.parametrize("header", ["", "4 3\n"])
@pytest.mark.parametrize("ending", ["", " "])
def test_a_file_is_read_with_a_header_or_without(tmp_path, name, header, ending):
    found = read_vectors(written(tmp_path, header + GLOVE.replace("\n", ending + "\n"), name), WORDS)
    assert found.rows.tolist() == [[0, 0, 0], [0, 0, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 0, 0]]
    assert found.known.tolist() == [False, False, True, True, True, False]
    assert found.size == 3


def test_a_word_as_it_is_wins_and_of_the_others_the_first(tmp_path):
    text = "1999 1 1\n2004 2 2\nPatient 3 3\npatient 4 4\nPATIENT 5 5\n"
    found = read_vectors(written(tmp_path, text), WORDS)
    assert found.rows[3].tolist() == [1, 1]
    assert found.rows[2].tolist() == [4, 4]
    assert read_vectors(written(tmp_path, "1999 1 1\n0000 9 9\n2004 2 2\n"), WORDS).rows[3].tolist() == [9, 9]


def test_words_with_a_blank_and_broken_letters_do_no_harm(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes(b"patient 1 2 3\n. . . 4 5 6\n\xff\xfe 7 8 9\nn\xc3\xa9e 1 1 1\n\xc2\x85 2 2 2\n")
    assert read_vectors(path, WORDS).known.sum() == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [("patient 1 2 3\nnée 1 2\n", ":2: a word and 3"), ("patient 1 x 3\n", ":1: a value"), ("patient\n", ":1")],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, says):
    with pytest.raises(FormatError, match=says):
        read_vectors(written(tmp_path, text), WORDS)


def test_a_file_of_another_language_or_none_at_all_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="another language"):
        read_vectors(written(tmp_path, "хлеб 1 2\n"), WORDS)
    with pytest.raises(UsageError, match="FileNotFoundError"):
        read_vectors(tmp_path / "none.txt", WORDS)
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(GLOVE.encode() * 1000)[:-20])
    with pytest.raises(UsageError, match="cannot be read"):
        read_vectors(broken, WORDS)


def test_rows_that_the_file_lacks_look_like_those_it_has(tmp_path):
    rng = np.random.default_rng(0)
    words = ("", "\ufffd", *(f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400)))
    lines = [f"{word} {' '.join(f'{value:.4f}' for value in rng.normal(0.3, 2, 20))}" for word in words[2:202]]
    filled = read_vectors(written(tmp_path, "\n".join(lines)), words).fill_rows(np.random.default_rng(1))
    assert not filled[0].any()
    assert abs(filled[202:].mean() - 0.3) < 0.1
    assert abs(filled[202:].std() - 2) < 0.1


def test_memory_grows_with_the_vocabulary_and_not_with_the_file(tmp_path):
    path = written(
        tmp_path, "".join(f"word{chr(97 + i % 26)}{i} {'0.125 ' * 50}\n" for i in range(20_000)) + "patient" + " 1" * 50
    )
    tracemalloc.start()
    read_vectors(path, WORDS)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000 < path.stat().st_size
    tracemalloc.stop()
