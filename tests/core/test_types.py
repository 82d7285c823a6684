import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Corpus, Document, MarkupError, Score, Span, SpanError, UsageError, annotated, marked, pair


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 2), (-1, 2)])
def test_an_empty_or_backward_span_is_refused(start, end):
    with pytest.raises(SpanError):
        Span(start, end, "DATE")


def test_a_span_outside_the_text_is_refused_without_quoting_it():
    with pytest.raises(SpanError) as caught:
        Document("n1", "Marie Rochat", [Span(6, 99, "NAME")])
    assert "Rochat" not in str(caught.value)


def test_spans_are_sorted_and_the_text_is_not_in_the_repr():
    document = Document("n1", "Marie Rochat", [Span(6, 12, "B"), Span(0, 5, "A")])
    assert [span.label for span in document.spans] == ["A", "B"]
    assert "Rochat" not in repr(document)


def test_pair_raises_on_a_document_that_is_missing():
    with pytest.raises(UsageError, match="'b'"):
        list(pair([Document("a", ""), Document("b", "")], [Document("a", "")]))


def test_a_corpus_refuses_two_documents_with_one_id():
    with pytest.raises(UsageError, match="unique"):
        Corpus("c", "i2b2", [Document("a", "x"), Document("a", "y")])


def test_scores_add_up():
    total = sum([Score(1, 2, 3), Score(4, 0, 1)], Score())
    assert (total.precision, total.recall) == (5 / 7, 5 / 9)
    assert Score().f() == 0.0
    assert Score(1, 1, 0).f(10) > Score(1, 1, 0).f(1)


@pytest.mark.parametrize("broken", ["[Eva", "Eva](NAME)", "[Eva]", "[Eva](NAME", "[[Eva](NAME)](X)", "[Eva] (NAME)"])
def test_broken_markup_raises(broken):
    with pytest.raises(MarkupError):
        annotated(broken)


@given(st.text(alphabet="ab[]\\(é"), st.data())
def test_markup_round_trips(text, data):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [Span(start, end, "L") for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    document = Document("", text, spans)
    assert annotated(marked(document)) == document


def test_importing_is_fast_and_does_nothing():
    code = (
        "import sys, time, logging; t = time.process_time(); import innominate; t = time.process_time() - t;"
        "heavy = {'regex', 'lxml', 'rich', 'typer', 'babel', 'numpy'} & set(sys.modules);"
        "assert not heavy, heavy; assert not logging.root.handlers; print(t)"
    )
    seconds = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(5)
    )
    assert seconds < 0.05


def test_numbers_of_numpy_become_plain_ones():
    span = Span(np.int64(3), np.int32(7), "DATE", np.float32(0.5))
    assert [type(value) for value in (span.start, span.end, span.score)] == [int, int, float]
    with pytest.raises(TypeError):
        Span(3.0, 7, "DATE")
