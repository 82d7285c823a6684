"""Disguised identifiers are found as well as plain ones, and all of them is covered, invisible characters too."""

import os
from collections import Counter
from functools import cache
from itertools import accumulate
from random import Random

import pytest
from evasion import KINDS, TRICKS, words

from innominate.core import Document
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.text.lists import invisible_characters

VALUES = 100 if os.environ.get("INNOMINATE_SLOW") else 5
PIPELINE = Pipeline(Settings(lang="fr", detector="rules"))


def values(kind):
    return [KINDS[kind][1](Random(f"{kind}/{number}")) for number in range(VALUES)]


def is_covered(sentence, value, disguise=list, *, everywhere=False):
    """Detect in a sentence with a disguised value, or disguised as a whole; words have to be covered from end to end."""
    before, after = sentence.split("{}")
    around = disguise if everywhere else list
    pieces = [*around(before), *disguise(value), *around(after)]
    ends = [0, *accumulate(map(len, pieces))]
    covered = {i for span in PIPELINE.detect(Document("n", "".join(pieces))).spans for i in range(span.start, span.end)}
    wanted = [(start + len(before), end + len(before)) for start, end in words(value)]
    return all(shown("".join(pieces), ends[start], ends[end]) <= covered for start, end in wanted)


def shown(text, start, end):
    """The characters from the first visible one to the last; what lies around them shows nothing and hides nothing."""
    visible = [i for i in range(start, end) if text[i] not in invisible_characters() and text[i].isprintable()]
    return set(range(visible[0], visible[-1] + 1))


@cache
def found_plain():
    return {kind: [is_covered(KINDS[kind][0], value) for value in values(kind)] for kind in KINDS}


@pytest.mark.parametrize("everywhere", [False, True], ids=["value", "sentence"])
@pytest.mark.parametrize("trick", TRICKS)
def test_recall_is_that_of_plain_text(trick, everywhere, record_property):
    lost, found = Counter(), 0
    examples = []
    for kind, (sentence, _) in KINDS.items():
        for value, plain in zip(values(kind), found_plain()[kind], strict=True):
            if plain:
                found += 1
                if not is_covered(sentence, value, TRICKS[trick], everywhere=everywhere):
                    lost[kind] += 1
                    examples.append(value)
    record_property("lost", dict(lost))
    assert sum(lost.values()) <= 0.01 * found, f"{sum(lost.values())} of {found}: {dict(lost)} {examples[:10]}"


def test_plain_text_is_found_at_all():
    """Nothing is compared with nothing: most kinds are found by the rules when they are plain."""
    rates = {kind: sum(found) / len(found) for kind, found in found_plain().items()}
    assert sum(rates.values()) / len(rates) >= 0.8, rates
