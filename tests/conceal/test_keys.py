import os
import stat

import pytest

from innominate.conceal.keys import HEADER, Draws, Key, new_key, read_key
from innominate.core import UsageError


def test_a_key_comes_back_as_it_was_written_and_only_its_owner_can_read_it(tmp_path):
    path = tmp_path / "project.key"
    key = new_key(path)
    assert read_key(path) == key
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert path.read_text().startswith(HEADER)


def test_a_key_is_never_overwritten(tmp_path):
    path = tmp_path / "project.key"
    key = new_key(path)
    with pytest.raises(UsageError, match="never overwritten"):
        new_key(path)
    assert read_key(path) == key


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a key file"),
        ("hello\nabcd\n", "first line"),
        (f"{HEADER}\n", "0 keys"),
        (f"{HEADER}\nxyz\n", "hexadecimal"),
        (f"{HEADER}\nabcd\n", "2 bytes"),
        (f"{HEADER}\n{'00' * 32}\n", "not drawn by chance"),
        (f"{HEADER}\n{'abcd' * 16}\n", "not drawn by chance"),
        ("é\n", "not a key file"),
    ],
)
def test_a_wrong_key_file_is_refused_without_showing_it(tmp_path, content, message):
    path = tmp_path / "wrong.key"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message) as error:
        read_key(path)
    assert "abcd" not in str(error.value)


def test_a_key_that_everybody_can_change_is_refused(tmp_path):
    path = tmp_path / "project.key"
    new_key(path)
    path.chmod(0o602)
    with pytest.raises(UsageError, match=r"everybody can write .* chmod 600"):
        read_key(path)


def test_a_missing_key_says_how_to_make_one(tmp_path):
    with pytest.raises(UsageError, match="innominate keys new"):
        read_key(tmp_path / "none.key")


def test_contexts_do_not_run_into_each_other():
    key = Key(bytes(32))
    assert key.digest("ab", "c") != key.digest("a", "bc")
    assert key.digest("names", "p1") != key.digest("dates", "p1")
    assert key.fingerprint() != Key(bytes(range(32))).fingerprint()


def test_numbers_are_spread_evenly():
    key = Key(bytes(range(32)))
    counts = [0] * 7
    for i in range(7000):
        counts[key.number(7, "test", str(i))] += 1
    assert min(counts) > 850
    assert max(counts) < 1150


def test_a_key_is_not_shown():
    assert "00" not in repr(Key(bytes(32)))


def test_draws_are_even_and_never_end():
    rng = Draws(Key(bytes(range(32))).digest("test"))
    drawn = [rng.random() for _ in range(20_000)]
    assert len(set(drawn)) == len(drawn)
    assert all(0 <= number < 1 for number in drawn)
    tenths = [sum(i <= 10 * number < i + 1 for number in drawn) for i in range(10)]
    assert min(tenths) > 1850
    assert max(tenths) < 2150
