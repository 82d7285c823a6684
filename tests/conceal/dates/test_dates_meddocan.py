import re
from pathlib import Path

import pytest
from dates_shape import full_date, same_shape
from shifting import shift_all

from innominate.conceal.dates import parse_dates
from innominate.conceal.dates.verify import verify_dates
from innominate.formats import read_documents

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "meddocan"
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS.is_dir(), reason="the MEDDOCAN corpus is not in ../shared/corpora"),
]


def notes():
    for document in read_documents(CORPUS / "train"):
        yield [span.of(document.text) for span in document.spans if span.label == "FECHAS"]


def test_97_percent_of_dates_are_read_and_keep_form_and_interval():
    read = total = 0
    for texts in notes():
        moved = shift_all(texts, "es", 7 * 123)
        total += len(texts)
        pairs = [(old, new) for old, new in zip(texts, moved, strict=True) if new is not None]
        read += len(pairs)
        verify_dates(pairs, "es")
        order = "en" if any(re.match(r"\d\d/(1[3-9]|[23]\d)/", text) for text in texts) else "es"  # one note is American
        for old, new in pairs:
            assert same_shape(old, new, "es")
            if day := full_date(old, order):
                assert (full_date(new, order, day) - day).days == 7 * 123
    assert read >= 0.97 * total


def test_almost_no_date_needs_the_rest_of_the_note_to_be_understood():
    kinds = [found.kind for texts in notes() for found in parse_dates(texts, "es") if found]
    assert kinds.count("day") > 0.8 * len(kinds)
