"""What the native part of the rules must survive: tables that are damaged in any way.

Run by test_sanitised.py on a copy that was built with sanitisers; by itself it only shows that nothing crashes.
"""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from test_native import CHARACTERS, expressions

from innominate.detect.rules.expressions import automaton as automata
from innominate.detect.rules.expressions.automaton import LIMIT, MOST_STATES
from innominate.detect.rules.expressions.parsed import bytes_to_scan
from innominate.detect.rules.native import native

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


@settings(max_examples=1000)
@given(st.lists(expressions(), max_size=4), st.text(CHARACTERS, max_size=20), st.randoms(use_true_random=False), st.booleans())
def test_damaged_tables_are_refused_or_do_no_harm(several, text, rng, backwards):
    make = automata._backwards if backwards else automata._forwards
    given_over = (*make(dict(enumerate(several))), LIMIT, backwards, MOST_STATES)
    for _ in range(rng.randrange(3)):
        given_over = damaged(given_over, rng)
    with suppress(Exception):
        made = native.Automaton(*given_over)
        made.starts(bytes_to_scan(text))
        for place in range(-1, len(text) + 4):
            with suppress(IndexError):
                made.at(bytes_to_scan(text), place)
                made.ends(bytes_to_scan(text), place)


@settings(max_examples=10)
@given(st.lists(expressions(), min_size=1, max_size=3), st.text(CHARACTERS, max_size=20), st.booleans())
def test_every_number_of_the_tables_may_be_wrong(several, text, backwards):
    make = automata._backwards if backwards else automata._forwards
    right = make(dict(enumerate(several)))
    for field, table in enumerate(right[2:], start=2):
        for place in range(0, len(table), 4):
            for number in NUMBERS[1:9]:
                wrong = table[:place] + number.to_bytes(4, "little", signed=True) + table[place + 4 :]
                with suppress(ValueError):
                    made = native.Automaton(*right[:field], wrong, *right[field + 1 :], LIMIT, backwards, 50)
                    made.starts(bytes_to_scan(text))
