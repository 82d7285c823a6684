"""The native part of the rules finds at least what the exact expressions find, and does the same as its twin in Python."""

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.core import Document, Span
from innominate.detect.rules import automaton as automata
from innominate.detect.rules.alternation import compiled
from innominate.detect.rules.automaton import automaton
from innominate.detect.rules.behind import Behind
from innominate.detect.rules.board import Board, Found
from innominate.detect.rules.characters import seen
from innominate.detect.rules.engine import RulesDetector
from innominate.detect.rules.kinds.keep import KeepRule
from innominate.detect.rules.native import native
from innominate.detect.rules.nearby import new_board
from innominate.detect.rules.rule import Header
from innominate.detect.rules.settled import _clusters, settled
from innominate.run.limits import TimeLimitError, time_limit

CHARACTERS = "aAbsSk1 .-\n_éÉſ\u212aœ字?"
SETS = ["a", "b", "(?i:s)", "[ab]", "[^a]", r"\d", r"\w", r"\s", "[a-kœ]", ".", r"\W", "(?i:é)", "(?i:[r-t])"]
CONDITIONS = [
    r"\b",
    "^",
    "$",
    "(?<!a)",
    r"(?<=[\s.])",
    "(?=b|1)",
    r"(?![\w-])",
    r"(?<!\w)",
    "(?=a$|.b)",
    r"(?<=\ba)",
    "(?!ab)",
]
REPETITIONS = ["", "", "", "?", "{1,2}", "{0,9}", "{2,3}?", "{1,12}"]


def expressions():
    """Expressions of all that rules use."""
    single = st.builds("{}{}".format, st.sampled_from(SETS), st.sampled_from(REPETITIONS))
    part = st.one_of(single, st.sampled_from(CONDITIONS))

    def grown(inner):
        sequence = st.lists(inner, min_size=1, max_size=3).map("".join)
        group = st.builds("(?:{}|{}){}".format, sequence, sequence, st.sampled_from(REPETITIONS[:6]))
        return st.one_of(sequence, group, st.builds("({})".format, sequence))

    return st.recursive(part, grown, max_leaves=8)


def test_the_native_part_is_built():
    assert native is not None, "there should be a compiler where the tests run"


@settings(max_examples=1500, deadline=None)
@given(st.lists(expressions(), min_size=1, max_size=3), st.text(CHARACTERS, max_size=14))
def test_the_automaton_stops_wherever_an_expression_matches(several, text):
    exact = [compiled(expression) for expression in several]
    starts = dict(automaton(dict(enumerate(several))).starts(seen(text)))
    for number, expression in enumerate(exact):
        matching = {place for place in range(len(text) + 1) if expression.match(text, place)}
        assert matching <= {place for place, numbers in starts.items() if number in numbers}


@settings(max_examples=700, deadline=None)
@given(expressions(), st.text(CHARACTERS, max_size=14))
def test_looking_behind_finds_what_a_search_finds(expression, text):
    behind, plain, board = Behind.of(expression), re.compile(rf"(?:{expression})\Z"), Board(text)
    for place in range(len(text) + 1):
        wanted = plain.search(text, max(0, place - behind.reach), place)
        found = behind.search(board, place)
        assert (found and found.span()) == (wanted and wanted.span())


def test_an_automaton_that_stops_too_often_would_be_no_help():
    patterns = {0: r"\bDr\.? [A-Z][a-z]{1,20}", 1: r"(?<!\d)\d\d:\d\d(?!\d)", 2: r"(?<=[a-z]) [A-Z]{2,3}(?=\n|$)"}
    stops = automaton(patterns).starts(seen("seen by Dr. No at 10:30, 110:300, addresses Drab MD\nward"))
    assert stops == [(8, (0,)), (18, (1,)), (48, (2,))]


def test_too_many_states_are_forgotten_and_nothing_is_lost(monkeypatch):
    rng = random.Random(3)
    patterns = {n: "".join(rng.choices("ab.", k=rng.randint(3, 9))) + "{1,3}c" for n in range(40)}
    texts = [seen("".join(rng.choices("abc", k=300))) for _ in range(40)]
    wanted = [automaton(patterns).starts(text) for text in texts]
    monkeypatch.setattr(automata, "MOST_STATES", 50)
    small = automaton(patterns)
    assert [small.starts(text) for text in texts] == wanted
    assert small.states() <= 51


def test_tables_that_were_damaged_are_made_again(tmp_path):
    patterns = {0: "a[bc]"}
    wanted = automaton(patterns, cache=tmp_path).starts(b"\nab\n")
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    for damaged in (b"", whole[:40], whole[:-3], whole.replace(b"\x00\x00\x00\x01", b"\x00\x00\x00\x09")):
        kept.write_bytes(damaged)
        assert automaton(patterns, cache=tmp_path).starts(b"\nab\n") == wanted


LABELS = ["NAME", "CITY", ".mark"]
RULES = [({"NAME"}, "a ?", None), ({"NAME", "CITY"}, None, "b"), ({"CITY"}, None, None), ({"NAME"}, r"\bk{1,3}", r" |$")]


def found_in(text, *, labels=LABELS):
    """Candidates of a text."""
    place = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    fields = (place, st.sampled_from(labels), st.sampled_from([0.5, 0.7, 0.9]), st.sampled_from(["x", "y"]), st.integers(0, 2))
    return st.builds(lambda at, *rest: Found(*at, *rest), *fields)


@settings(max_examples=300, deadline=None)
@given(st.data(), st.text("abk ", min_size=1, max_size=12))
def test_both_boards_hold_the_same(data, text):
    quick, plain = new_board(RULES, quick=True)(text, True), new_board(RULES, quick=False)(text, True)
    for found in data.draw(st.lists(found_in(text), max_size=8)):
        quick.put(found)
        plain.put(found)
    gone = data.draw(st.lists(st.sampled_from(plain.of(LABELS)), unique_by=id, max_size=3)) if plain.of(LABELS) else []
    quick.take(gone, "why")
    plain.take(gone, "why")
    assert quick.of(LABELS[::2]) == plain.of(LABELS[::2])
    assert dict(quick.by_label) == dict(plain.by_label)
    assert quick.refused == plain.refused
    for number, (_, before, after) in enumerate(RULES):
        wanted = [
            found
            for found in plain.asked(number)
            if (before is None or re.compile(rf"(?:{before})\Z").search(text, 0, found.start))
            and (after is None or re.compile(after).match(text, found.end))
        ]
        assert quick.asked(number) == wanted


@settings(max_examples=500, deadline=None)
@given(st.lists(found_in("x" * 12, labels=["NAME", "CITY"]).filter(lambda found: found.start < found.end), max_size=9))
def test_overlaps_are_settled_alike(candidates):
    ours, wanted = settled(candidates), _clusters(candidates)
    assert [(span, span.score, span.source) for span in ours] == [(span, span.score, span.source) for span in wanted]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_what_no_shield_has_to_do_with_is_left_alone(data):
    shields = sorted(data.draw(st.lists(found_in("x" * 30, labels=[".shield"]), max_size=6)), key=lambda f: f[:2])
    names = data.draw(st.lists(found_in("x" * 30, labels=["NAME"]), max_size=6))
    resting = [name._replace(because=tuple(names[:n])) for n, name in enumerate(names)]
    rule = KeepRule(Header(name="k", label=""), frozenset({".shield"}), frozenset({"NAME"}))
    boards = [new_board([({".shield"}, None, None)], quick=quick)("Xx " * 10, False) for quick in (True, False)]
    for board in boards:
        for name in resting:
            board.put(name)
        rule.apply(board, shields)
    assert boards[0].of(["NAME"]) == boards[1].of(["NAME"])


GROWTH = """
import resource, sys
from pathlib import Path
from innominate.core import Document
from innominate.detect.rules.engine import RulesDetector
from innominate.synth.generate import generate

lang = sys.argv[1]
detector, notes = RulesDetector(lang), [Document(note.id, note.text) for note in generate(lang, 30, seed=5)]

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024

def growth(rounds, keep=False):
    before, kept = resident(), []
    for _ in range(rounds):
        boards = detector.engine.run_all([note.text for note in notes])
        kept += boards if keep else []
        detector.detect_many(notes)
    return resident() - before

growth(10)
print(growth(60), growth(60, keep=True))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux how much memory there is")
@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
def test_memory_does_not_grow_with_the_notes(lang):
    """In a process of its own: what other tests have left free would hide a leak."""
    done = subprocess.run([sys.executable, "-c", GROWTH, lang], capture_output=True, text=True, check=True)
    grown, leaking = map(int, done.stdout.split())  # kilobytes
    assert grown < 4000
    assert leaking > 8000  # what a leak would look like


def test_a_time_limit_stops_the_native_part_too():
    detector = RulesDetector("sv")
    detector.detect(Document("warm", "Anna"))
    long = Document("long", "Dr Anna Berg såg patienten 2020-03-12 på Karolinska sjukhuset. " * 200_000)
    started = time.monotonic()
    with pytest.raises(TimeLimitError), time_limit(0.1):
        detector.detect(long)
    assert time.monotonic() - started < 3  # the whole takes some eight seconds


def test_wrong_arguments_are_refused():
    board = native.Board("ab", b"\nab\n")
    for wrong in (
        lambda: native.Board("ab", b"ab"),
        lambda: board.put((1, 2)),
        lambda: automaton({0: "a"}).at(b"\na\n", 3),
        lambda: automaton({0: "a"}).ends("a", 0),
        lambda: native.settled([("no candidate",)], Span, {}, list),
        lambda: native.pattern_hits(Found, automaton({0: "a"}), [Board("a")], ()),
    ):
        with pytest.raises((TypeError, IndexError, ValueError)):
            wrong()
