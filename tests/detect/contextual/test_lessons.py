from random import Random

import numpy as np
import pytest

from innominate.core import Document, annotated
from innominate.detect.contextual.byte_pairs import count_words, learn_byte_pairs
from innominate.detect.contextual.words import split_words
from innominate.detect.neural.tagset import Tagset

pytest.importorskip("torch")
from exchange_values import Values, exchange_date, exchange_values
from innominate.detect.contextual.training.lessons import (
    NOTHING,
    Marking,
    TagChoices,
    allow_tags,
    cut_windows,
    exact_marking,
    make_lesson,
    stack_windows,
)
from note_noise import KINDS, add_noise

LABELS = ("PATIENT", "STAFF", "CITY", "DATE")
NOTE = "Vu [Anna Berg](PATIENT) le [3 mai 1950](DATE) à [Nyon](CITY), signé Dr [Rochat](STAFF). [Anna](PATIENT) va bien."
VALUES = Values({
    "fr": {"first": ["Anna", "Zoé"], "last": ["Quex"], "CITY": ["Vevey"], "months": ["mai", "juin"]},
})  # fmt: skip


def allowed(note, marking):
    choices = TagChoices(Tagset(LABELS, "IOB2"))
    found = allow_tags(note, split_words(note.text), choices, marking)
    sets = {number: {choices.tagset.tags[tag] for tag in tags} for tags, number in choices.numbers.items()}
    return [sets[number] for number in found]


def test_a_corpus_that_marks_everything_allows_one_tag_a_word():
    note = annotated("[Anna Berg](PATIENT) dort")
    assert allowed(note, exact_marking(LABELS)) == [{"B-PATIENT"}, {"I-PATIENT"}, {"O"}]


def test_a_person_in_the_news_is_anybody_and_a_plain_word_may_be_what_news_do_not_mark():
    news = Marking({"PER": ("PATIENT", "STAFF")}, unmarked=("DATE",), vague_numbers=True)
    person, plain, number = allowed(annotated("[Eva](PER) on 3"), news)
    assert person == {"B-PATIENT", "I-PATIENT", "B-STAFF", "I-STAFF"}
    assert plain == {"O", "B-DATE", "I-DATE"}
    assert number == set(Tagset(LABELS, "IOB2").tags)


def test_names_marked_in_parts_may_be_one_span_with_us():
    parts = Marking({"First": ("PATIENT",), "Last": ("PATIENT",)})
    first, last = allowed(annotated("[Eva](First) [Ek](Last)"), parts)
    assert first == {"B-PATIENT"}
    assert last == {"B-PATIENT", "I-PATIENT"}


@pytest.fixture(scope="module")
def vocabulary():
    return learn_byte_pairs(count_words([annotated(NOTE).text] * 2), 90)


def test_only_first_parts_of_words_are_asked(vocabulary):
    note = annotated(NOTE)
    lesson = make_lesson(note, vocabulary, TagChoices(Tagset(LABELS, "IOB2")), exact_marking(LABELS))
    assert (lesson.choices != NOTHING).sum() == len(split_words(note.text))
    assert len(lesson.parts) == sum(map(len, vocabulary.encode_text(note.text)))


def test_windows_hold_every_word_of_a_long_note(vocabulary):
    note = Document("", annotated(NOTE).text * 30)
    lesson = make_lesson(note, vocabulary, TagChoices(Tagset(LABELS, "IOB2")), exact_marking(LABELS))
    windows = cut_windows(lesson, 64, np.random.default_rng(1))
    stacked = stack_windows(windows, 64)
    assert stacked.parts.shape == (len(windows), 64)
    assert sum(len(window.parts) for window in windows) >= len(lesson.parts)
    assert all(window.choices[0] != NOTHING for window in windows)


def test_exchanged_names_stay_equal_where_they_were_equal():
    note = exchange_values(annotated(NOTE), VALUES, "fr", Random(2), share=1.0)
    patient = [span.of(note.text) for span in note.spans if span.label == "PATIENT"]
    assert patient[0].split()[0] == patient[1]
    assert [span.label for span in note.spans] == [span.label for span in annotated(NOTE).spans]
    assert "Berg" not in note.text
    assert "Vevey" in note.text


def test_an_exchanged_date_is_still_a_date():
    for seed in range(20):
        day, month, year = exchange_date("3 mai 1950", VALUES, "fr", Random(seed)).split()
        assert 1 <= int(day) <= 12
        assert month in ("mai", "juin")
        assert 1900 < int(year) < 2030


@pytest.mark.parametrize("noise", [noise for _, noise in KINDS], ids=lambda noise: noise.__name__)
def test_noise_leaves_marks_on_their_words(noise):
    note = annotated(NOTE)
    for seed in range(10):
        noisy = noise(note, Random(seed))
        assert len(noisy.spans) == len(note.spans)
        for before, after in zip(note.spans, noisy.spans, strict=True):
            kept = set(after.of(noisy.text).lower()) & set(before.of(note.text).lower())
            assert len(kept) >= len(set(before.of(note.text).lower())) / 3


def test_noise_is_drawn_from_the_generator_alone():
    assert add_noise(annotated(NOTE), Random(4)) == add_noise(annotated(NOTE), Random(4))
