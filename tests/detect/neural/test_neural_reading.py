"""Pieces, tags, windows and the chain: everything that needs no torch."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import UsageError, annotated
from innominate.detect.neural.chain import Chain
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.settings import NeuralSettings, kinds, of_kind, settings_of
from innominate.detect.neural.tagset import Tagset, entities
from innominate.detect.neural.vocabulary import LETTERS, Vocabulary, normal, shape
from innominate.detect.neural.windows import group_windows, windows


@given(st.text())
def test_every_character_but_white_space_is_in_exactly_one_piece(text):
    places = pieces(text)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    covered = {index for start, end in places for index in range(start, end)}
    assert all(letter.isspace() or index in covered for index, letter in enumerate(text))


@pytest.mark.parametrize("scheme", ["IOB2", "BIOES"])
@pytest.mark.parametrize(
    "sentence",
    [
        "Vu par [Dr Rochat](DOCTOR) le [18.03.2022](DATE)",
        "[Eva](NAME)[Lind](NAME)",
        "[Paseo de Gracia 3, 2º](STREET)\n[28010](ZIP) [Madrid](CITY)",
        "nothing here",
    ],
)
def test_tags_of_spans_give_the_spans_back(sentence, scheme):
    document = annotated(sentence)
    places = pieces(document.text)
    tagset = Tagset(tuple(sorted({span.label for span in document.spans})) or ("NAME",), scheme)
    back = tagset.decode(tagset.encode(places, document.spans))
    assert [(places[begin][0], places[end - 1][1], label) for begin, end, label in back] == [
        (span.start, span.end, span.label) for span in document.spans
    ]


@given(st.lists(st.integers(0, 8), max_size=12), st.sampled_from(["IOB2", "BIOES"]))
def test_a_tag_with_a_label_is_never_lost_however_odd_the_sequence(numbers, scheme):
    tagset = Tagset(("A", "B"), scheme)
    numbers = [number % len(tagset.tags) for number in numbers]
    covered = {(index, label) for begin, end, label in tagset.decode(numbers) for index in range(begin, end)}
    assert covered == {(index, tagset.tags[number][2:]) for index, number in enumerate(numbers) if number}


def test_a_span_inside_a_piece_takes_the_whole_piece():
    document = annotated("x[y](NAME)z")
    assert entities(pieces(document.text), document.spans) == [(0, 1, "NAME")]


@given(st.integers(0, 500), st.integers(1, 60), st.integers(0, 59))
def test_windows_answer_every_piece_once_and_read_what_they_answer(count, size, overlap):
    overlap %= size
    found = windows(count, size, overlap)
    assert [index for window in found for index in range(window.keep_from, window.keep_to)] == list(range(count))
    assert all(window.begin <= window.keep_from <= window.keep_to <= window.end <= max(count, 0) for window in found)
    assert all(window.end - window.begin <= size for window in found)


def _all_paths(chain, emissions):
    """Every path with its score, the slow and certain way."""
    pieces_, tags = emissions.shape
    for path in product(range(tags), repeat=pieces_):
        score = chain.start[path[0]] + chain.end[path[-1]] + sum(emissions[i, tag] for i, tag in enumerate(path))
        yield path, score + sum(chain.transitions[a, b] for a, b in pairwise(path))


@given(st.integers(0, 10_000), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_best_path_and_marginals_equal_a_count_of_all_paths(seed, lengths):
    rng = np.random.default_rng(seed)
    tags, longest = 3, max(lengths)
    chain = Chain(*(rng.normal(size=shape_).astype(np.float32) for shape_ in ((tags, tags), (tags,), (tags,))))
    emissions = rng.normal(size=(len(lengths), longest, tags)).astype(np.float32)
    marginals, best = chain.read(emissions, np.array(lengths))
    for row, length in enumerate(lengths):
        paths = dict(_all_paths(chain, emissions[row, :length]))
        assert paths[tuple(best[row, :length])] == pytest.approx(max(paths.values()), abs=1e-4)
        total = sum(np.exp(score) for score in paths.values())
        for index, tag in product(range(length), range(tags)):
            expected = sum(np.exp(score) for path, score in paths.items() if path[index] == tag) / total
            assert marginals[row, index, tag] == pytest.approx(expected, abs=1e-4)


def test_words_lose_case_and_digits_and_shapes_keep_them():
    assert normal("12h") == normal("23H") == "00h"
    assert [shape(word) for word in ("Eva", "EVA", "eva", "12", "123456", "É", "-")] == [
        "Xx",
        "XX",
        "xx",
        "00",
        "00000",
        "X",
        "-",
    ]


def test_an_unknown_word_and_a_long_one_are_read_too():
    vocabulary = Vocabulary.of([["a", "a", "bb", "bb"]])
    encoded = vocabulary.encode(["zz", "a" * 40])
    assert encoded.words.tolist() == [1, 1]
    assert encoded.chars.shape == (2, LETTERS)
    assert (encoded.chars[1] > 1).all()


def test_every_kind_has_settings_that_load():
    assert {"bilstm", "bilstm-crf", "cvt", "flair", "flair-cvt"} == set(kinds())
    assert all(of_kind(kind).network.kind == kind for kind in kinds())


def test_settings_that_are_gone_are_read_from_older_cards():
    older = settings_of({"network": {"heads": 2, "window": 64}, "recipe": {"pretrain": 5}}, "encoder")
    assert older.network.reads == 64  # a transformer knows no places beyond its window
    assert of_kind("cvt").network.reads == 2 * of_kind("cvt").network.window
    with pytest.raises(UsageError, match="no setting tails"):
        settings_of({"network": {"tails": 2}}, "encoder")


def test_the_defaults_of_the_bilstm_are_those_of_the_thesis():
    settings = of_kind("bilstm")
    network, recipe = settings.network, settings.recipe
    assert (network.words, network.hidden, network.dropout, network.scheme) == (128, 64, 0.5, "IOB2")
    assert (recipe.rate, recipe.batch) == (0.001, 32)


@pytest.mark.parametrize(
    ("name", "value", "says"), [("hiden", "3", "no setting"), ("hidden", "many", "no such value"), ("kind", "x", "no setting")]
)
def test_a_wrong_setting_is_named(name, value, says):
    with pytest.raises(UsageError, match=says):
        NeuralSettings().with_options({name: value})


@given(st.lists(st.integers(0, 40), max_size=6))
def test_windows_of_many_notes_answer_every_piece_once_and_are_grouped_by_length(counts):
    groups = list(group_windows(counts, 12, 4, 3))
    answered = [(note, piece) for some in groups for note, view in some for piece in range(view.keep_from, view.keep_to)]
    assert sorted(answered) == [(note, piece) for note, count in enumerate(counts) for piece in range(count)]
    sizes = [view.end - view.begin for some in groups for _, view in some]
    assert sizes == sorted(sizes)
    assert all(len(some) <= 3 for some in groups)
