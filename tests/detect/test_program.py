"""The native matcher gives the same matches and groups as `re`, at every place and for every expression of the packs."""

import os
import random
import re
import time
from array import array
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.core import annotated
from innominate.detect.rules.expressions import program as writing
from innominate.detect.rules.expressions.alternation import compiled
from innominate.detect.rules.expressions.behind import Behind
from innominate.detect.rules.expressions.image import CHARACTERS, image
from innominate.detect.rules.expressions.lazy import Lazy
from innominate.detect.rules.expressions.program import matcher, program, programs
from innominate.detect.rules.kinds.names import NamesRule
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.native import native
from innominate.detect.rules.pack import PACKS, load_pack
from innominate.synth.generate import generate

LANGUAGES = sorted(entry.name for entry in PACKS.iterdir() if entry.is_dir() and entry.name != "common")
ODD = str.maketrans({"'": "’", "-": "–", '"': "“"})
SHORT = 6000  # characters: a longer expression takes `re` long to compile
EVERY = 1 if os.environ.get("INNOMINATE_SLOW") else 4  # of the long ones


def spans(match):
    return match and tuple(match.span(group) for group in range(match.re.groups + 1))


def shown(text):
    """A text with an image."""
    return "".join(c if c in CHARACTERS else "?" for c in text)


@cache
def both(expression):
    """An expression for `re`, and for the matcher."""
    return compiled(expression), matcher(program(expression))


def same(expression, text, start, end=None):
    """Ask both: match, full match and search."""
    exact, quick = both(expression)
    data, end = native.image(text), len(text) if end is None else end
    assert quick.match(data, start, end) == spans(exact.match(text, start, end)), (expression, text, start, end)
    assert quick.match(data, start, end, True) == spans(exact.fullmatch(text, start, end)), (expression, text, start, end)
    assert quick.search(data, start, end) == spans(exact.search(text, start, end)), (expression, text, start, end)


def same_everywhere(expression, text):
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            same(expression, text, start, end)


@cache
def pack_expressions(lang):
    """Every expression of a pack, with the examples of its rule."""
    rules = load_pack(lang).rules
    found = []
    for rule in rules:
        examples = [annotated(sentence).text for sentence in (*rule.header.match, *rule.header.no_match)]
        if isinstance(rule, PatternRule):
            found.append((rule.expression, examples))
        for field in getattr(type(rule), "__slots__", ()):
            lazy = getattr(rule, field)
            if isinstance(lazy, Lazy):
                ending = r"\Z" if lazy.make == Behind.of else ""
                found.append((lazy.expression + ending, examples))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_expression_of_a_pack_matches_as_re_does(lang):
    note = next(iter(generate(lang, 1, seed=5))).text[:900]
    rng = random.Random(lang)
    mixed = "".join(rng.choice(CHARACTERS) if rng.random() < 0.05 else c for c in note[:400])
    texts = [shown(note), shown(note.translate(ODD).replace("oe", "œ")[:500]), shown(mixed)]
    matched = 0
    short = [case for case in pack_expressions(lang) if len(case[0]) < SHORT]
    long = [case for case in pack_expressions(lang) if len(case[0]) >= SHORT]
    for expression, examples in [*short, *long[::EVERY]]:
        exact, quick = both(expression)
        assert quick is not None, expression[:100]
        for text in [*texts, *map(shown, examples)]:
            data = native.image(text)
            for start in range(len(text) + 1):
                found = exact.match(text, start)
                assert quick.match(data, start) == spans(found), (expression[:100], text, start)
                if found:
                    matched += 1
                    for end in {found.end(), max(start, found.end() - 1), min(len(text), start + 80)}:
                        assert quick.match(data, start, end) == spans(exact.match(text, start, end))
                        assert quick.match(data, start, end, True) == spans(exact.fullmatch(text, start, end))
    assert matched > 1000


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_are_read_as_re_reads_them(lang):
    (rule,) = (rule for rule in load_pack(lang).rules if isinstance(rule, NamesRule))
    (exact, quick), (exact_back, quick_back) = both(rule.shape.forwards.expression), both(rule.shape.backwards.expression)
    text = shown(
        next(iter(generate(lang, 1, seed=8))).text[:600].replace("'", "’") + " L. J.-P. O'Shea d’Arc van der Berg A.  B. - C."
    )
    data = native.image(text)
    for place in range(len(text) + 1):
        assert quick.match(data, place, place + 80) == spans(exact.match(text, place, place + 80))
        begin = max(0, place - 60)
        assert quick_back.search(data, begin, place) == spans(exact_back.search(text, begin, place))


def test_many_initials_are_read_soon():
    (rule,) = (rule for rule in load_pack("en").rules if isinstance(rule, NamesRule))
    exact, quick = both(rule.shape.backwards.expression)
    for text in ("A. " * 19 + "1A", "A.-" * 19 + "1A", "A.  " * 14 + "1A", "A. - " * 11 + "1A"):
        seconds = []
        for _ in range(3):  # the collector of garbage may come in between
            started = time.process_time()
            assert [exact.search(text), quick.search(text.encode(), 0)] == [None, None]
            seconds.append(time.process_time() - started)
        assert min(seconds) < 0.05


@cache
def short_expressions():
    return [
        (expression, example)
        for lang in LANGUAGES
        for expression, examples in pack_expressions(lang)
        if len(expression) < SHORT
        for example in map(shown, examples)
        if example
    ]


@settings(max_examples=200)
@given(st.data())
def test_examples_with_characters_swapped_match_as_re_does(data):
    expression, example = data.draw(st.sampled_from(short_expressions()))
    place = st.integers(0, len(example) - 1)
    character = st.one_of(st.sampled_from(example), st.sampled_from(" .-'’,:\nœ"), st.sampled_from(CHARACTERS))
    changed = list(example)
    for at, new in data.draw(st.lists(st.tuples(place, character), max_size=6)):
        changed[at] = new
    text = "".join(changed)
    end = data.draw(st.integers(0, len(text)))
    for start in range(end + 1):
        same(expression, text, start, end)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (r"(?:a|ab)(?:c|bcd)(d*)", "abcd"),  # the first alternative that leads on wins, not the longest
        (r"(?:(?:ab?)+|a{2})b?", "aabab"),  # repetitions in each other
        (r"(?:a*)*b|a", "aaab"),  # rounds that match nothing
        (r"(?:a?|b)+c", "aabc"),
        (r"(?:a?){3,5}b?", "aab"),
        (r"(?:|a)+b?", "aab"),
        (r"(?:a|(?=b))*?bc?", "aabc"),
        (r"(?:\b|a){2,3}a", "aaa a"),
        (r"a{0}b", "ab"),
        (r"a*?b", "aaab"),  # as few as possible
        (r"(?:ab){1,3}?(a?)", "ababab"),
        (r"<.{0,9}?>", "<a><b>"),
        (r"a*+a|b", "aab"),  # nothing is given back
        (r"(?:ab?){1,2}+b", "abb"),
        (r"(?:a|ab){2}+c", "aababc"),
        (r"(?>a|ab)c|(?>a+?)b", "abcaab"),
        (r"(?>(a)|b)(?:c|$)", "acb"),
        (r"(?<=a)b|(?<!a)c|(?<=ab)c", "abcc"),  # behind the start too
        (r"(?<!^a)b|(?<=\bab)c", "abcab"),
        (r"(?=(a+))a*b\1", "aaabaaa"),  # a group in a condition
        (r"(?:(?=(a))ab|a(c))", "abac"),
        (r"(?!a(?:b|c)d)a.{0,2}", "abdacx"),
        (r"(a)?(?:b|(c))\2|a", "abcc"),
        (r"(?P<x>a)|(?P<y>b)", "ab"),
        (r"(?:(a)b)?(?:(a)c)?", "abacac"),
        (r"\bab\b|\Bb\B", "ab abb xbx"),  # the end of the text is where it is said to be
        (r"a$|^b|b\Z|\Ac", "ca\nb\n"),
        (r"(?m)^a$|^$", "a\n\na\n"),
        (r"(?=\s|$)|a(?!b|$)|(?=a|$)", "ab a\n"),
        (r"a.c|(?s:a.)|[^\n]\n", "a\nca\n"),
        (r"(?x) a  b # a comment", "abb"),
        (r"(?i)straße|(?-i:A)b|[k-s]{2}", "STRASSEstraßeabABKsſ"[:-1]),
        (r"\w+|\d|\W", "é_œŠ1²½ª’ "),
        (r"(?a:\w)|(?a:\b)x", "éxœ_"),
        (r"(?!)|a", "a"),
        (r"œ|€|[–—]|[^’]", "œ€–’x"),
        (r"b|字|[字c]|a字?", "abc"),
        (r"(?:Mary|Mark|John|Mar|Ann|Anna|Bo|Cy)(n?)", "MaryMarkMarAnnaJohnn"),
    ],
)
def test_small_expressions_match_as_re_does(expression, text):
    assert both(expression)[1] is not None
    same_everywhere(expression, text)


@pytest.mark.parametrize("letter", "µΜÿŸßẞſsSKkKÅåıİiœŒžŽƒσς")
def test_case_is_ignored_as_re_ignores_it(letter):
    for expression in (f"(?i){letter}", f"(?i)[{letter}]", f"(?i)[^{letter}]", f"(?i)[{letter}-{chr(ord(letter) + 2)}]"):
        exact, quick = re.compile(expression), both(expression)[1]
        for character in CHARACTERS:
            assert bool(quick.match(image(character), 0)) == bool(exact.match(character)), (expression, character)


def test_an_empty_text_has_borders_as_re_has_them():
    for expression in (r"\b", r"\B", "^", "$", r"\A", r"\Z", "(?m)^$", "a*", "(?!a)", "(?=a)", "(?<!a)", "(?<=a)"):
        same(expression, "", 0)
        same(expression, "a", 0, 0)


SINGLES = ["a", "b", "é", "[ab]", "[^a]", r"\w", r"\s", ".", "(?i:s)", "ab", "’"]
CONDITIONS = [r"\b", r"\B", "^", "$", r"\Z", "(?m:$)", "(?<=a)", "(?<!ab)", "(?=b|$)", "(?!a.)", r"(?=(?:a|ab)+\s)"]
REPETITIONS = ["", "", "?", "*", "+", "{1,2}", "{2}", "*?", "{0,2}?", "++", "?+"]


def expressions():
    repeated = st.builds("(?:{}){}".format, st.sampled_from(SINGLES), st.sampled_from(REPETITIONS))
    part = st.one_of(repeated, st.sampled_from(SINGLES), st.sampled_from(CONDITIONS))

    def grown(inner):
        sequence = st.lists(inner, min_size=1, max_size=3).map("".join)
        alternatives = st.lists(sequence, min_size=2, max_size=6).map("|".join)
        group = st.builds("(?:{}){}".format, alternatives, st.sampled_from(REPETITIONS))
        others = st.builds("{}{})".format, st.sampled_from(["(", "(?=", "(?!", "(?>", "(?i:"]), sequence)
        return st.one_of(sequence, group, others)

    return st.recursive(part, grown, max_leaves=8)


@settings(max_examples=600)
@given(expressions(), st.text("aabbABsSé’1 .\n", max_size=7))
def test_any_expression_matches_as_re_does(expression, text):
    if program(expression):  # a group in a repetition has none
        same_everywhere(expression, text)


@pytest.mark.parametrize("expression", [r"(?:(a)|b)*", r"(?i)(a)\1", r"(a)?(?(1)b|c)", r"(?!(a)b)a"])
def test_what_only_re_knows_has_no_program(expression):
    assert program(expression) is None


@pytest.mark.parametrize("expression", [r"(?:a+)+b", r"(?:a|aa)+b", r"(?:a?){40}a{40}b"])
def test_too_many_steps_are_left_to_re_soon(expression):
    started = time.process_time()
    with pytest.raises(OverflowError):
        both(expression)[1].match(b"a" * 200, 0)
    assert time.process_time() - started < 2  # for ever, without the limit


def test_choices_without_number_need_no_deep_stack():
    exact, quick = both(r"(?:a|b(?=b))*c?")
    text = "ab" * 5 + "a" * 20_000
    assert quick.match(text.encode(), 0) == spans(exact.match(text))


def test_every_byte_of_an_image_stands_for_one_character():
    assert sorted(image(CHARACTERS)) == list(range(256))
    assert [c for c in CHARACTERS if c in "\t\n\x0b\x0c\r"] == list("\t\n\x0b\x0c\r")
    for code in (*range(0x3000), 0xFFFD, 0x1F600):
        assert image(chr(code)) == native.image(chr(code)) == (image(chr(code)) if chr(code) in CHARACTERS else None)


@given(st.text(st.one_of(st.sampled_from(CHARACTERS), st.characters(codec="utf-8")), max_size=20))
def test_both_images_are_the_same(text):
    assert image(text) == native.image(text)


def test_programs_that_were_damaged_are_written_again(tmp_path):
    several = [r"\b(?P<x>a)b?", r"(?:(a)|b)*", "(a)(?P<y>b)"]
    wanted = programs(several, cache=tmp_path)
    assert [made and made.names for made in wanted.values()] == [("x",), None, ("", "y")]
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    for damaged in (b"", whole[:40], whole[:-3], whole.replace(b"\x01\x00\x00\x00", b"\x09\x00\x00\x00")):
        kept.write_bytes(damaged)
        assert programs(several, cache=tmp_path) == wanted
        assert kept.read_bytes() == whole


def test_a_kept_program_is_read_and_not_written(tmp_path, monkeypatch):
    wanted = programs(["ab"], cache=tmp_path)
    monkeypatch.setattr(writing, "program", None)
    assert programs(["ab"], cache=tmp_path) == wanted


WRONG = st.one_of(st.integers(-70, 70), st.sampled_from([2**31 - 1, -(2**31)]))


@settings(max_examples=300)
@given(st.sampled_from([r"\b(?:ab?|c{2,3}|d)+(?=ee?|f)", r"(?>a|b|c|dd|ef)(?!x|yz)\b$", r"(?:(?:a|bb)+?c)+(?!de)"]), st.data())
def test_a_wrong_program_is_refused_or_does_no_harm(expression, data):
    made = program(expression)
    code = array("i", made.code)
    for place in data.draw(st.lists(st.integers(0, len(code) - 1), min_size=1, max_size=2)):
        code[place] = data.draw(WRONG)
    with suppress(ValueError, OverflowError):
        native.Matcher(code.tobytes(), *made[1:-1]).match(b"abccde abbcde", 0)
