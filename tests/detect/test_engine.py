"""The engine behind the rules: with and without the native part the spans are the same, and bad rules are refused."""

import gc
import math
import os
import random
import re
import statistics
import time
import warnings
from collections import Counter
from importlib.metadata import metadata
from pathlib import Path

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import innominate
from innominate.core import Document, UsageError
from innominate.detect.rules import sources
from innominate.detect.rules.cache import read_or_make
from innominate.detect.rules.checks import check
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.explain import explain_spans, why_not
from innominate.detect.rules.expressions import automaton
from innominate.detect.rules.expressions.expand import alternatives
from innominate.detect.rules.expressions.parsed import bytes_to_scan, check_width
from innominate.detect.rules.kinds.names import NamesRule
from innominate.detect.rules.pack import load_pack
from innominate.languages import language_codes, load_languages
from innominate.synth.generate import generate

SLOW = bool(os.environ.get("INNOMINATE_SLOW"))


@pytest.mark.parametrize("lang", language_codes())
def test_with_and_without_the_native_scanner_the_spans_are_the_same(lang, monkeypatch):
    fast = Engine.of(load_pack(lang))
    monkeypatch.setattr(automaton, "native", None)
    slow = Engine.of(load_pack(lang))
    for note in generate(lang, 60, seed=31):
        assert fast.spans(fast.run(note.text)) == slow.spans(slow.run(note.text))


LETTERS = "abiskkIKSſ\u212aİıÅå\u212bµμéÉßẞΣσς1 "


@settings(max_examples=500)
@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=4).filter(str.strip), min_size=1, max_size=8), st.text(LETTERS, max_size=12)
)
def test_alternatives_put_together_match_the_same(words, text):
    in_order = sorted(set(words), key=lambda word: (-len(word), word))
    plain = "|".join(r"\s{1,3}".join(map(re.escape, word.split())) for word in in_order)
    for around in ("(?:{})", "(?i:{})", "(?i)({})\\1"):
        wanted = [match.span() for match in re.finditer(around.format(plain), text)]
        assert [match.span() for match in re.finditer(around.format(alternatives(words)), text)] == wanted


def test_a_pattern_without_a_limit_is_refused():
    assert check_width(r"a{1,5}b?") == 6
    with pytest.raises(UsageError, match="bound its repetitions"):
        check_width(r"\w+@")


GOOD = """
[[pattern]]
name = "mine.badge"
label = "AUTRES"
expression = 'badge (?P<span>[A-Z]{2}\\d{4})'
match = ["badge [AB1234](AUTRES)"]
"""

BESIDE = '[[beside]]\nname = "x.bad"\nlabel = "DATE"\nof = "DATE"\nside = "after"\n'
BAD = {
    "unbounded": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "a*"\n', "x.bad"),
    "not an expression": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "(a"\n', "x.bad"),
    "unknown macro": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "{nothing}"\n', "nothing"),
    "unknown list": ('[[list]]\nname = "x.bad"\nlabel = "DATE"\nwords = "nothing"\n', "nothing"),
    "unknown check": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "a"\ncheck = "moon"\n', "moon"),
    "unknown case": ('[[list]]\nname = "x.bad"\nlabel = "DATE"\nwords = "kin"\ncase = "upper"\n', "x.bad"),
    "unknown kind": ('[[spell]]\nname = "x.bad"\n', "spell"),
    "no name": ('[[pattern]]\nlabel = "DATE"\nexpression = "a"\n', "no name"),
    "needs what nobody gives": (
        '[[beside]]\nname = "x.bad"\nlabel = "DATE"\nof = ".moon"\nside = "after"\nexpression = "(?P<span>a)"\n',
        ".moon",
    ),
    "a circle": (
        '[[beside]]\nname = "x.a"\nlabel = ".a"\nof = ".b"\nside = "after"\nexpression = "(?P<span>a)"\n'
        '[[beside]]\nname = "x.b"\nlabel = ".b"\nof = ".a"\nside = "after"\nexpression = "(?P<span>b)"\n',
        "circle",
    ),
    "a span that may be left out": (f"{BESIDE}expression = '(?P<span>a)?b'\n", "may be left out or empty"),
    "a span that is one of two ways": (f"{BESIDE}expression = '(?P<span>a)|b'\n", "x.bad"),
    "a span that may be empty": (f"{BESIDE}expression = '(?P<span>a{{0,3}})'\n", "may be left out or empty"),
    "not TOML": ("[[pattern]\n", "TOML"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_rule_is_refused_with_its_name_and_the_reason(case, tmp_path):
    content, says = BAD[case]
    (tmp_path / "mine.toml").write_text(content)
    with pytest.raises(Exception, match=re.escape(says)):
        Engine.of(load_pack("fr", [tmp_path / "mine.toml"]))


def test_a_user_adds_a_rule_replaces_one_and_switches_one_off(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(GOOD)
    note = Document("n", "badge AB1234, écrire à marie.rochat@example.org")
    assert "AUTRES" in [span.label for span in RulesDetector("fr", (mine,)).detect(note)]
    other = tmp_path / "other.toml"
    other.write_text('off = ["mine.badge"]\n' + GOOD)
    assert "AUTRES" not in [span.label for span in RulesDetector("fr", (other,)).detect(note)]


def test_an_explanation_names_rule_and_trigger_and_what_it_rests_on():
    text = "Vu par le Dr Rochat le 18.03.2022"
    engine = RulesDetector("fr").engine
    by_text = {span.of(text): reasons for span, reasons in explain_spans(engine, text)}
    assert {"Rochat", "18.03.2022"} <= by_text.keys()
    assert any(text[reason.start : reason.end] == "Dr" for reason in by_text["Rochat"])
    assert why_not(engine, text, 0, 2) == []


ATTACKS = [
    "1",
    "1.",
    "12/",
    "1 ",
    "a",
    "A",
    "Aa ",
    "a@",
    "a.",
    "www.",
    "-",
    " ",
    "\n",
    "Dr ",
    "M. ",
    "0",
    "+41 ",
    "é",
    "Rue de ",
    "(",
    "né le ",
]


@pytest.fixture
def _no_garbage():
    """The collector of garbage comes seldom to a short text and looks at all that other tests have left behind."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_garbage")
@pytest.mark.parametrize("lang", language_codes())
def test_time_grows_with_length_and_not_faster(lang):
    """Attack strings of repeated pieces and of repeated examples of the rules themselves."""
    detector = RulesDetector(lang)
    examples = [
        re.sub(r"\[|\]\([^)]*\)", "", example) for rule in detector.engine.pack.rules for example in rule.header.match[:1]
    ]
    attacks = ATTACKS + (examples if SLOW else examples[::9])
    sizes = (1_000, 4_000, 16_000, 64_000) if SLOW else (2_000, 8_000, 32_000)
    for attack in attacks:
        points = []
        for size in sizes:
            document = Document("n", (attack * (size // len(attack) + 1))[:size])
            best = math.inf
            for _ in range(7 if SLOW else 3):  # some take less than a tenth of a millisecond: the core is seldom so quiet
                started = time.process_time()
                detector.detect(document)
                best = min(best, time.process_time() - started)
            points.append((math.log(size), math.log(max(best, 1e-5))))
        slope = statistics.linear_regression(*zip(*points, strict=True)).slope
        assert slope <= 1.35 if not SLOW else slope <= 1.2, f"{attack!r}: {slope:.2f}"


@pytest.mark.usefixtures("_no_garbage")
@pytest.mark.parametrize("lang", language_codes())
def test_a_list_of_many_people_takes_little_longer_for_each(lang):
    rng, detector = random.Random(6), RulesDetector(lang)
    first, last = (sorted(sources.library_words(f"names:{part}", lang)) for part in ("first", "last"))
    people = [f"{rng.choice(first).title()} {rng.choice(last).title()}{rng.choice('abcdef')}o, {n}\n" for n in range(16_000)]
    seconds = {}
    for n in (1_000, 16_000):
        text = "".join(people[:n])
        rounds = []
        for _ in range(3):  # the automaton learns in the first round
            started = time.process_time()
            found = detector.detect(Document("n", text))
            rounds.append(time.process_time() - started)
        seconds[n] = min(rounds)
        assert len(found) > n / 2
    assert seconds[16_000] / seconds[1_000] < 16**1.35


def test_many_initials_are_read_soon():
    (rule,) = (rule for rule in load_pack("en").rules if isinstance(rule, NamesRule))
    for text in ("A. " * 19 + "1A", "A.-" * 19 + "1A", "A.  " * 14 + "1A", "A. - " * 11 + "1A"):
        seconds = []
        for _ in range(3):  # the collector of garbage may come in between
            started = time.process_time()
            assert rule.shape.backwards.search(text) is None
            seconds.append(time.process_time() - started)
        assert min(seconds) < 0.05


@pytest.mark.parametrize("lang", language_codes())
def test_no_expression_of_a_pack_is_wrong_or_warns(lang):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_pack(lang, check=True)


def test_a_macro_that_breaks_a_rule_of_the_pack_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_text('[macros]\nyear = "(19"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="not a regular expression"):
        load_pack("fr", [tmp_path / "mine.toml"])


@pytest.mark.parametrize("lang", language_codes())
def test_no_pattern_stops_the_scanner_all_the_time(lang):
    engine = RulesDetector(lang).engine
    stops, characters = Counter(), 0
    for note in generate(lang, 40, seed=41, split="train"):
        characters += len(note.text)
        stops.update(number for _, numbers in engine.scanner.automaton.starts(bytes_to_scan(note.text)) for number in numbers)
    often = {engine.scanner.patterns[number].header.name: count / characters * 1000 for number, count in stops.items()}
    assert {name: share for name, share in often.items() if share > 10} == {}  # in a thousand characters


@settings(max_examples=200)
@given(st.data(), st.sampled_from([language for language in load_languages() if language.ordinary_phone != "(?!)"]))
def test_a_phone_that_is_possible_at_a_glance_is_possible(data, language):
    digits = data.draw(st.from_regex(re.compile(language.ordinary_phone, re.ASCII), fullmatch=True))
    text = digits[0] + "".join(data.draw(st.sampled_from(["", "", " ", "-", ".", "/"])) + digit for digit in digits[1:])
    assert check(f"phone.{language.code}", text) == 1.0
    assert phonenumbers.is_possible_number(phonenumbers.parse(text, language.country))


@pytest.fixture
def countries(monkeypatch, tmp_path):
    """Reads the list of countries anew from a cache of its own, and says where that list is kept."""
    monkeypatch.setenv("INNOMINATE_CACHE", str(tmp_path))

    def read():
        sources.library_words.cache_clear()
        words = sources.library_words("places:countries", "sv")
        return words, sorted(tmp_path.iterdir())

    yield read
    sources.library_words.cache_clear()


def test_what_is_kept_is_named_by_what_it_is_made_from(countries, monkeypatch):
    words, kept = countries()
    assert countries() == (words, kept)
    monkeypatch.setattr(sources, "content_of", lambda *_names: "other code")
    again, both = countries()
    assert (again, len(both)) == (words, 2)


@pytest.mark.parametrize("damage", ["cut", "one letter", "empty", "words alone", "of another list"])
def test_a_list_that_was_damaged_is_made_anew_and_never_used(countries, damage):
    words, (kept,) = countries()
    whole = kept.read_bytes()
    other = kept.with_name("list-other.txt")
    read_or_make(other, lambda: b"stale")
    kept.write_bytes(
        {
            "cut": whole[: len(whole) // 2],
            "one letter": whole[:-1] + b"#",
            "empty": b"",
            "words alone": b"stale",
            "of another list": other.read_bytes(),
        }[damage]
    )
    assert countries()[0] == words
    assert kept.read_bytes() == whole


def test_a_list_is_made_even_where_it_cannot_be_kept(tmp_path):
    (tmp_path / "file").write_text("")
    assert read_or_make(tmp_path / "file" / "list.txt", lambda: b"made") == b"made"


def test_one_module_alone_reads_what_re_is_made_of_and_python_is_capped():
    private = re.compile(r"from re import _|import _sre|from _sre|\bsre_(?:parse|compile|constants)\b")
    root = Path(innominate.__file__).parent
    assert [path.name for path in root.rglob("*.py") if private.search(path.read_text(encoding="utf-8"))] == ["parsed.py"]
    assert "<" in metadata("innominate")["Requires-Python"]
