"""Concealing keeps nothing of a note: what is remembered are the lists, and short texts in caches of a fixed size."""

import gc
import tracemalloc
from itertools import pairwise

from conceal_cases import KEY, SLOW

from innominate.conceal import conceal
from innominate.conceal.dates import forms as dates
from innominate.conceal.people import bank, known_names, name_words
from innominate.conceal.places import organisations
from innominate.conceal.strategies import operations
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.synth.generate import generate
from innominate.text import accents

NOTES = 1500 if SLOW else 150
ROUNDS = 4
# caches with a largest size, emptied here so that filling them is not taken for growth
BOUNDED = (
    bank._place,
    bank.is_accented,
    accents._fold,
    dates.match_forms,
    dates._class_of,
    dates._layouts,
    known_names.weights,
    known_names.leaning,
    known_names.gender,
    organisations._words,
    organisations._others,
    name_words._name_words,
    name_words.title_gender,
    operations.is_what_it_says,
)


def held():
    for cache in BOUNDED:
        assert cache.cache_info().maxsize is not None
        cache.cache_clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_memory_does_not_grow_with_the_number_of_notes():
    notes = generate("fr", ROUNDS * NOTES, seed=21)
    pseudo = Pseudo(KEY)
    tracemalloc.start()
    try:
        sizes = []
        for _ in range(ROUNDS):
            for _ in range(NOTES):
                conceal(next(notes), pseudo)
            sizes.append(held())
    finally:
        tracemalloc.stop()
    growth = [later - earlier for earlier, later in pairwise(sizes)]
    # bytes; lists that are filled on the way grow less and less, and what keeps notes grows as much in every round
    assert min(growth) < max(500 * NOTES, max(growth) / 2)
