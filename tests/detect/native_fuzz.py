"""What the native part of the rules must survive: packs that are damaged in any way, and tables that do not fit.

Run by test_sanitised.py on a copy that was built with sanitisers; by itself it only shows that nothing crashes.
"""

import types
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from test_native import CHARACTERS, expressions, packs, texts

from innominate.detect.rules import rulebook as books
from innominate.detect.rules.cache import cache_folder
from innominate.detect.rules.expressions import automaton as automata
from innominate.detect.rules.expressions.automaton import LIMIT, MOST_STATES
from innominate.detect.rules.expressions.characters import seen
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.kinds.word_list import ListRule
from innominate.detect.rules.native import native
from innominate.detect.rules.words import Words

NUMBERS = [-(2**63), -(2**31), -2, -1, 0, 1, 7, 64, 2**31 - 1, 2**31, 10**30]
ODD = [
    None,
    "",
    "x",
    0.5,
    (),
    [],
    b"",
    b"\xff" * 9,
    {},
    str,
    len,
    lambda *_: [(0, 99)],
    lambda *_: [(-1, -1, -1)],
    lambda *_: None,
]


def handed_over(pack):
    """What the native engine gets of a pack."""
    patterns = [rule for rule in pack.rules if isinstance(rule, PatternRule)]
    words = Words((rule, rule.words) for rule in pack.rules if isinstance(rule, ListRule))
    later = [rule for rule in pack.rules if not isinstance(rule, PatternRule | ListRule)]
    real = books.native
    books.native = types.SimpleNamespace(Rulebook=lambda *given: given)
    try:
        return books.rulebook(pack.rules, patterns, words, later, cache_folder())
    finally:
        books.native = real


def damaged(value, rng):
    """A value with something wrong in one place of it."""
    if isinstance(value, tuple) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        changed = (damaged(value[place], rng),) if rng.random() < 0.8 else rng.choice([(), (value[place],) * 2])
        return value[:place] + changed + value[place + 1 :]
    if isinstance(value, bytes) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        return rng.choice([value[:place], value + value, value[:place] + rng.randbytes(1) + value[place + 1 :]])
    if isinstance(value, int) and rng.random() < 0.8:
        return rng.choice(NUMBERS)
    return rng.choice([*ODD, *NUMBERS])


def wrong_in_turn(value):
    """A value with each of its numbers wrong in turn, those in tables too."""
    if isinstance(value, tuple):
        for place, part in enumerate(value):
            for wrong in wrong_in_turn(part):
                yield (*value[:place], wrong, *value[place + 1 :])
    elif isinstance(value, bytes):
        for place in range(0, len(value), 4) if len(value) < 100 else ():
            for number in NUMBERS[1:9]:
                yield value[:place] + number.to_bytes(4, "little", signed=True) + value[place + 4 :]
    elif value is None or type(value) is int:
        yield from NUMBERS


def written_out(text):
    return "".join(word + gap for word, gap in text)


def run(given_over, several):
    """Run what may be wrong; what comes out of it, if anything does, is inside the texts."""
    boards = []
    with suppress(Exception):
        boards = native.Rulebook(*given_over).boards(several)
    for board, text in zip(boards, several, strict=False):
        board.of(["NAME", ".mark"])
        for found in board.candidates():
            assert 0 <= found[0] < found[1] <= len(text)


@settings(max_examples=40)
@given(packs(), texts)
def test_every_number_may_be_wrong(pack, text):
    for given_over in wrong_in_turn(handed_over(pack)):
        run(given_over, [written_out(text)])


@settings(max_examples=600)
@given(packs(), st.lists(texts, min_size=1, max_size=2), st.randoms(use_true_random=False))
def test_a_damaged_pack_is_refused_or_does_no_harm(pack, written, rng):
    given_over = handed_over(pack)
    for _ in range(rng.randrange(4)):
        given_over = damaged(given_over, rng)
    run(given_over, [written_out(text) for text in written])


@settings(max_examples=600)
@given(st.lists(expressions(), max_size=4), st.text(CHARACTERS, max_size=20), st.randoms(use_true_random=False), st.booleans())
def test_damaged_tables_are_refused_or_do_no_harm(several, text, rng, backwards):
    make = automata._backwards if backwards else automata._forwards
    given_over = (*make(dict(enumerate(several))), LIMIT, backwards, MOST_STATES)
    for _ in range(rng.randrange(3)):
        given_over = damaged(given_over, rng)
    with suppress(Exception):
        made = native.Automaton(*given_over)
        made.starts(seen(text))
        for place in range(-1, len(text) + 4):
            made.ends(seen(text), place)
