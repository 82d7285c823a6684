"""The engine behind the rules: the native gate is never narrower than the exact patterns, and bad rules are refused."""

import math
import os
import random
import re
import statistics
import time
import warnings

import pytest

from innominate.core import Document, UsageError
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.explain import explained, why_not
from innominate.detect.rules.gate import gate_expression, latin1, widest
from innominate.detect.rules.pack import PACKS, load_pack
from innominate.detect.rules.scanner import Scanner
from innominate.synth.generate import generate

SLOW = bool(os.environ.get("INNOMINATE_SLOW"))
LANGUAGES = sorted(entry.name for entry in PACKS.iterdir() if entry.is_dir() and entry.name != "common")

EXPRESSIONS = {
    "date": r"(?<!\d)\d{1,2}([./-])\d{1,2}\1\d{2,4}(?!\d)",
    "word": r"(?i)\b(?:mai|août|été)\b",
    "name": r"(?:Dr|Mme)\.?\s{1,2}(?P<span>[A-ZÀ-Þ][\w'-]{1,20})",
    "negated": r"[^\W\d_]{2,6}@[^\s<>]{1,9}",
    "optional": r"(a)?b(?(1)c|d)",
    "lazy": r"x.{0,5}?y",
    "outside": r"cœur|€\d{1,3}",
    "surrounded": r"(?<=[ .])(?P<span>[a-z]{1,3})(?=[ ]\d|@)",
}
PIECES = [
    "12",
    ".",
    "/",
    "3",
    "2022",
    " ",
    "mai",
    "MAI",
    "août",
    "AOÛT",
    "Dr",
    "Mme",
    ". ",
    "Œuvre",
    "Élise",
    "a",
    "b",
    "c",
    "d",
    "x",
    "y",
]
PIECES += ["@", "é", "œ", "cœur", "€", "77", "\n", "ſ", "\u212a", "字", "-"]


def test_the_gate_lets_through_everything_that_matches():
    rng = random.Random(3)
    native, plain = Scanner(EXPRESSIONS), Scanner(EXPRESSIONS, native=False)
    assert native.database is not None, "Hyperscan should be installed where the tests run on Linux"
    found = 0
    for _ in range(3000):
        text = "".join(rng.choices(PIECES, k=rng.randint(1, 25)))
        wanted = sorted((name, match.span()) for name, match in plain.matches(text))
        assert sorted((name, match.span()) for name, match in native.matches(text)) == wanted
        found += len(wanted)
    assert found > 1000


@pytest.mark.parametrize("lang", LANGUAGES)
def test_with_and_without_the_native_scanner_the_spans_are_the_same(lang):
    slow = RulesDetector(lang, native=False)
    fast = RulesDetector(lang)
    for note in generate(lang, 60, seed=31):
        assert fast.detect(note) == slow.detect(note)


def test_the_gate_of_an_expression_matches_at_least_as_much():
    assert gate_expression(r"(?<=x)a\b") == b"xa"
    assert gate_expression(r"(?<!x)a(?=[.,]|$)(?!b)") == rb"a(?:[\x2c\x2e]|)"
    for expression, text in (
        (r"(?i)é", "É"),
        (r"œ", "œ"),
        (r"(?i)s", "ſ"),
        (r"ſ", "ſ"),
        (r"(?<!\d)a\b", "a"),
        (r"\bé\b", "é"),
    ):
        assert re.search(expression, text)
        assert re.search(gate_expression(expression), latin1(text))


def test_a_pattern_without_a_limit_is_refused():
    assert widest(r"a{1,5}b?") == 6
    with pytest.raises(UsageError, match="bound its repetitions"):
        widest(r"\w+@")


GOOD = """
[[pattern]]
name = "mine.badge"
label = "AUTRES"
expression = 'badge (?P<span>[A-Z]{2}\\d{4})'
match = ["badge [AB1234](AUTRES)"]
"""

BAD = {
    "unbounded": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "a*"\n', "x.bad"),
    "not an expression": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "(a"\n', "x.bad"),
    "unknown macro": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "{nothing}"\n', "nothing"),
    "unknown list": ('[[list]]\nname = "x.bad"\nlabel = "DATE"\nwords = "nothing"\n', "nothing"),
    "unknown check": ('[[pattern]]\nname = "x.bad"\nlabel = "DATE"\nexpression = "a"\ncheck = "moon"\n', "moon"),
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
    by_text = {span.of(text): reasons for span, reasons in explained(engine, text)}
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


@pytest.mark.parametrize("lang", LANGUAGES)
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
            for _ in range(3):
                started = time.process_time()
                detector.detect(document)
                best = min(best, time.process_time() - started)
            points.append((math.log(size), math.log(max(best, 1e-5))))
        slope = statistics.linear_regression(*zip(*points, strict=True)).slope
        assert slope <= 1.35 if not SLOW else slope <= 1.2, f"{attack!r}: {slope:.2f}"


def test_no_expression_of_a_pack_warns():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for lang in LANGUAGES:
            load_pack(lang)
