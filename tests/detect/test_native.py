"""The automaton stops at least where the exact expressions match, and with or without it the rules find the same."""

import random
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.core import Document
from innominate.detect.rules.board import Board, Header
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.expressions import automaton as automata
from innominate.detect.rules.expressions.automaton import automaton
from innominate.detect.rules.expressions.matching import Behind, Lazy
from innominate.detect.rules.expressions.parsed import bytes_to_scan
from innominate.detect.rules.kinds.beside import BesideRule, RelabelRule
from innominate.detect.rules.kinds.keep import KeepRule
from innominate.detect.rules.kinds.names import NamesRule
from innominate.detect.rules.kinds.text_alone import CASES, ListRule, PatternRule, span_groups
from innominate.detect.rules.native import native
from innominate.detect.rules.pack import Pack
from innominate.run.limits import NoteClock, TimeLimitError

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


def test_the_native_part_is_built_from_these_sources():
    assert native is not None, "there should be a compiler where the tests run"
    built = Path(native.__file__)
    sources = [path for path in built.parent.iterdir() if path.suffix in (".c", ".h")]
    assert sources
    assert max(path.stat().st_mtime for path in sources) <= built.stat().st_mtime, "install again: make, or pip install -e ."


WITHOUT = """
import sys
sys.modules["innominate.detect.rules.native._native"] = None  # as if it was not built
from innominate.core import Document
from innominate.detect.rules.engine import RulesDetector
for lang in ("sv", "en", "sv"):
    print([span.label for span in RulesDetector(lang).detect(Document("n", "Dr Eva Holm, 2020-03-12"))])
"""


def test_a_native_part_that_is_missing_is_said_once_and_loudly():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert done.stderr.count("the native part of the rules is not built") == 1
    assert "Install a C compiler" in done.stderr
    assert (
        done.stdout.splitlines()[0]
        == done.stdout.splitlines()[2]
        == str([span.label for span in RulesDetector("sv").detect(Document("n", "Dr Eva Holm, 2020-03-12"))])
    )


@settings(max_examples=1500)
@given(st.lists(expressions(), min_size=1, max_size=3), st.text(CHARACTERS, max_size=14))
def test_the_automaton_stops_wherever_an_expression_matches(several, text):
    exact = [re.compile(expression) for expression in several]
    starts = dict(automaton(dict(enumerate(several))).starts(bytes_to_scan(text)))
    for number, expression in enumerate(exact):
        matching = {place for place in range(len(text) + 1) if expression.match(text, place)}
        assert matching <= {place for place, numbers in starts.items() if number in numbers}


@settings(max_examples=700)
@given(expressions(), st.text(CHARACTERS, max_size=14))
def test_looking_behind_finds_what_a_search_finds(expression, text):
    behind, plain, board = Behind.of(expression), re.compile(rf"(?:{expression})\Z"), Board(text)
    for place in range(len(text) + 1):
        wanted = plain.search(text, max(0, place - behind.reach), place)
        found = behind.search(board, place)
        assert (found and found.span()) == (wanted and wanted.span())


def test_an_automaton_that_stops_too_often_would_be_no_help():
    patterns = {0: r"\bDr\.? [A-Z][a-z]{1,20}", 1: r"(?<!\d)\d\d:\d\d(?!\d)", 2: r"(?<=[a-z]) [A-Z]{2,3}(?=\n|$)"}
    stops = automaton(patterns).starts(bytes_to_scan("seen by Dr. No at 10:30, 110:300, addresses Drab MD\nward"))
    assert stops == [(8, (0,)), (18, (1,)), (48, (2,))]


def test_too_many_states_are_forgotten_and_nothing_is_lost(monkeypatch):
    rng = random.Random(3)
    patterns = {n: "".join(rng.choices("ab.", k=rng.randint(3, 9))) + "{1,3}c" for n in range(40)}
    texts = [bytes_to_scan("".join(rng.choices("abc", k=300))) for _ in range(40)]
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


WORDS = [
    "Anna",
    "Berg",
    "Petrović",
    "ANNA",
    "berg",
    "Dr",
    "Mme",
    "12",
    "3",
    "de",
    "von",
    "A.",
    "B.",
    "Anna-Berg",
    "Anna's",
    "O’Shea",
    "Œuvre",
    "ÅSA",
    "Lund",
    "Parkinson",
    "maladie",
    "Fax",
    "x",
]
LABELS = ["NAME", "CITY", "PHONE", ".mark", ".shield", ".title", ".staff_title", ".first_name", ".last_name", ".name_field"]
MARKS = [label for label in LABELS if label.startswith(".")]
some_words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)
some_labels = st.frozensets(st.sampled_from(LABELS), min_size=1, max_size=3)
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", " ", " ", ", ", "\n", ": ", "-", "  "])), max_size=30)
sides = ["Fax ", r"\bDr\.? ", "(?i)mme ", "de ?", r"\d{1,2}[ ,]{1,2}"]
EMPTY = ["{}(?P<span>[A-Z])?[a-z]", "(?P<span>[a-z]?){}", "{}(?:1|(?P<span>A))"]  # a pack would be refused
hits = [
    r"\b[A-Z][a-z]{2,9}",
    r"\d{1,2}",
    r"(?P<span>Anna)[ -]Berg",
    "Fax: (?P<span>[0-9]{1,2})",
    r"(?i)\bmaladie de \w{1,20}",
    "[a-z]",
]


@st.composite
def headers(draw, number, labels=LABELS):
    """What a rule gives."""
    score, priority = draw(st.sampled_from([0.5, 0.85, 0.9, 0.97])), draw(st.integers(0, 1))
    return Header(name=f"rule{number}", label=draw(st.sampled_from(labels)), score=score, priority=priority)


@st.composite
def later_rules(draw, number):
    """A rule that looks at what others found."""
    of, kind = draw(some_labels), draw(st.sampled_from(["relabel", "beside", "keep"]))
    if kind == "keep":
        of |= draw(st.sampled_from([frozenset(), frozenset({".shield"})]))
        return KeepRule(Header(name=f"rule{number}", label=""), of, draw(some_labels) | {"NAME"})
    if kind == "beside":
        expression = draw(st.sampled_from(["{}(?P<span>[A-Za-z]{{2,9}})", "(?P<span>[A-Z][a-z]{{1,9}}) ?{}", *EMPTY]))
        expression = expression.format(draw(st.sampled_from(["", " ", ", ?"])))
        before, after = draw(st.sampled_from([(Behind.of, None), (None, re.compile)]))
        return BesideRule(draw(headers(number)), of, before and Lazy(before, expression), after and Lazy(after, expression))
    before, after, itself = (
        draw(st.none() | st.sampled_from(some)) for some in (sides, [r"[ ,]", " ?de", "$"], [r"\d\d?", "(?i)anna"])
    )
    return RelabelRule(
        draw(headers(number, [*LABELS, ""])),
        of,
        before and Lazy(Behind.of, before),
        after and Lazy(re.compile, after),
        itself and Lazy(re.compile, itself),
    )


@st.composite
def packs(draw):
    """Small packs of all kinds of rules."""
    expressions = draw(st.lists(st.sampled_from(hits), max_size=4))
    patterns = [PatternRule(draw(headers(n)), e, "", span_groups(e)) for n, e in enumerate(expressions)]
    drawn = draw(
        st.lists(
            st.tuples(st.sampled_from(LABELS), st.sampled_from([0.6, 0.95]), some_words, st.sampled_from([*CASES])), max_size=5
        )
    )
    drawn += [(".first_name", 0.9, ["Anna", "Åsa"], "capital"), (".shield", 0.95, ["Anna", "Parkinson"], "title")]
    lists = [
        ListRule(Header(name=f"list{n}", label=label, score=score), frozenset(words), case)
        for n, (label, score, words, case) in enumerate(drawn)
    ]
    table = {
        "particles": "particles",
        "not_names": ["not"],
        "extent": draw(st.sampled_from(["whole", "each", "parts"])),
        "staff_label": "CITY",
        "unknown_label": draw(st.sampled_from(["NAME", "PHONE"])),
        "part_labels": ["PHONE", "NAME"],
        "needs": MARKS,
    }
    names = NamesRule.from_table(Header(name="names", label="NAME"), table, {"particles": ["de", "von"], "not": ["lund"]}.get)
    later = [draw(later_rules(10 + number)) for number in range(draw(st.integers(0, 5)))]
    later.insert(draw(st.integers(0, len(later))), names)
    return Pack("xx", (*patterns, *lists, *later), {rule.header.name: rule.expression for rule in patterns})


def with_new_expressions(pack):
    """The same rules with expressions that are still to be compiled."""
    return replace(pack, rules=tuple(map(_with_new_expressions, pack.rules)))


def _with_new_expressions(rule):
    old = {name: getattr(rule, name, None) for name in ("before", "after", "itself")}
    return replace(rule, **{name: Lazy(one.make, one.expression) for name, one in old.items() if one is not None})


def shown(engine, text, **how):
    """All that is on a board, and the spans."""
    board = engine.run(text, **how)
    found = sorted((f.start, f.end, f.label, f.score, f.rule, f.priority) for f in board.of(LABELS))
    return found, [(span, span.score, span.source) for span in engine.spans(board)]


@settings(max_examples=400)
@given(packs(), st.lists(texts, min_size=1, max_size=3))
def test_with_and_without_the_automaton_the_same_is_found(pack, written):
    several = ["".join(word + gap for word, gap in text) for text in written]
    quick = Engine.of(pack)
    found = [shown(quick, text) for text in several]
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(automata, "native", None)
        plain = Engine.of(with_new_expressions(pack))
        assert found == [shown(plain, text) for text in several]
    assert found == [shown(quick, text, explain=True) for text in several]


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
        boards = [detector.engine.run(note.text) for note in notes]
        kept += boards if keep else []
        detector.detect_many(notes)
    return resident() - before

growth(10)
print(growth(100), growth(100, keep=True))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux how much memory there is")
@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
def test_memory_does_not_grow_with_the_notes(lang):
    """In a process of its own: what other tests have left free would hide a leak."""
    done = subprocess.run([sys.executable, "-c", GROWTH, lang], capture_output=True, text=True, check=True)
    grown, leaking = map(int, done.stdout.split())  # kilobytes
    assert grown < 4000
    assert leaking > 8000  # what a leak would look like


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # one may come while Python collects garbage
def test_a_time_limit_stops_the_native_part_too():
    detector = RulesDetector("sv")
    detector.detect(Document("warm", "Anna"))
    long = Document("long", "Dr Anna Berg såg patienten 2020-03-12 på Karolinska sjukhuset. " * 200_000)
    started = time.monotonic()
    with pytest.raises(TimeLimitError):
        NoteClock(0.1).run(lambda: detector.detect(long))
    assert time.monotonic() - started < 3  # the whole takes some eight seconds


@pytest.mark.parametrize("call", ["at", "ends"])
@pytest.mark.parametrize("arguments", [(b"\na\n", 3), (b"\na\n", -1), (b"\na\n", 10**30), ("a", 0), (b"\na\n",), (b"a", "0")])
def test_places_outside_the_data_are_refused(call, arguments):
    with pytest.raises((TypeError, IndexError, OverflowError)):
        getattr(automaton({0: "a"}), call)(*arguments)
