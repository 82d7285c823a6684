from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Span, resolve

spans = st.lists(
    st.builds(
        lambda start, length, label, score: Span(start, start + length, label, score),
        st.integers(0, 30),
        st.integers(1, 12),
        st.sampled_from("ABC"),
        st.sampled_from([0.2, 0.5, 1.0]),
    ),
    max_size=8,
)


def characters(spans):
    return [position for span in spans for position in range(span.start, span.end)]


@given(spans)
def test_resolving_uncovers_no_character_and_leaves_no_overlap(found):
    settled = resolve(found)
    assert set(characters(found)) == set(characters(settled))
    assert len(characters(settled)) == len(set(characters(settled)))
    assert list(settled) == sorted(settled)


@given(spans)
def test_every_character_belongs_to_the_surest_span_over_it(found):
    for piece in resolve(found):
        for position in range(piece.start, piece.end):
            assert piece.score == max(span.score for span in found if span.start <= position < span.end)


@given(spans)
def test_resolving_twice_changes_nothing(found):
    assert resolve(resolve(found)) == resolve(found)


def test_the_loser_keeps_what_it_does_not_share():
    assert resolve([Span(0, 10, "NAME", 0.9), Span(4, 6, "DATE", 1.0)]) == (
        Span(0, 4, "NAME"),
        Span(4, 6, "DATE"),
        Span(6, 10, "NAME"),
    )


def test_of_two_equal_spans_the_surer_is_kept():
    (kept,) = resolve([Span(0, 3, "A", 0.2), Span(0, 3, "A", 0.9)])
    assert kept.score == 0.9


def test_a_hundred_thousand_nested_spans_settle_fast():
    found = [Span(start, start + 50, "A" if start % 2 else "B", start % 7 / 7) for start in range(100_000)]
    assert set(characters(resolve(found))) == set(range(100_049))
