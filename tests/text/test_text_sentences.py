import time
from pathlib import Path

import pytest
from text_fuzz import fuzzed

from innominate.core import UsageError
from innominate.languages import language_codes
from innominate.text.sentences import sentences


def gold_cases(lang: str) -> list[str]:
    text = (Path(__file__).parent / "gold" / f"sentences_{lang}.txt").read_text(encoding="utf-8")
    return [line.replace("⏎", "\n") for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(("lang", "case"), [(lang, case) for lang in language_codes() for case in gold_cases(lang)])
def test_gold_case(lang, case):
    text = case.replace("‖", "")
    assert [text[start:end] for start, end in sentences(text, lang)] == [part.strip() for part in case.split("‖")]


def test_there_are_enough_gold_cases():
    assert all(len(gold_cases(lang)) >= 25 for lang in language_codes())


@pytest.mark.parametrize("lang", language_codes())
def test_sentences_cover_all_but_white_space(lang):
    for text in fuzzed(seed=17, count=2000):
        end_before = 0
        for start, end in sentences(text, lang):
            assert end_before <= start < end <= len(text)
            assert not text[end_before:start].strip()
            end_before = end
        assert not text[end_before:].strip()


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError, match="'xx'"):
        sentences("Guten Tag.", "xx")


@pytest.mark.parametrize("unit", ["a", ".", "a.", "1.", "A. ", "\n", "a\n", '."'])
def test_attacks_take_linear_time(unit):
    start = time.process_time()
    sentences(unit * 50_000, "fr")
    assert time.process_time() - start < 2
