import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Edit, OffsetMap, Span, SpanError, apply_edits

ALPHABET = "ab é\u0301🙂\n"


def random_edits(rng, length):
    ends = sorted(rng.randint(0, length) for _ in range(2 * rng.randint(0, 6)))
    return [Edit(start, end, rng.choice(["", "x", "yy", "zzz🙂"])) for start, end in zip(ends[::2], ends[1::2], strict=True)]


def check_tiles(offsets, source, target):
    """Segments follow each other without gap or overlap on both sides, and unchanged ones are equal."""
    at_source = at_target = 0
    for segment, is_change in offsets.segments():
        assert (segment.source_start, segment.target_start) == (at_source, at_target)
        if not is_change:
            assert source[at_source : segment.source_end] == target[at_target : segment.target_end]
        at_source, at_target = segment.source_end, segment.target_end
    assert (at_source, at_target) == (len(source), len(target))


def check_covers(offsets, rng):
    """A range that went to the other side and back still covers all that had a counterpart there."""
    start = rng.randrange(offsets.source_length)
    end = rng.randint(start + 1, offsets.source_length)
    there = offsets.to_target(start, end)
    assert 0 <= there[0] <= there[1] <= offsets.target_length
    for position in range(start, end):
        one = offsets.to_target(position, position + 1)
        if one[0] < one[1]:
            assert there[0] <= one[0]
            assert one[1] <= there[1]
    kept = [position for position in range(start, end) if range(*offsets.to_target(position, position + 1))]
    if kept:
        back = offsets.to_source(*there)
        assert back[0] <= kept[0]
        assert kept[-1] < back[1]


def test_20000_random_edit_sets_tile_both_texts_and_cover_their_source():
    rng = random.Random(20221)
    for _ in range(20_000):
        source = "".join(rng.choices(ALPHABET, k=rng.randint(1, 24)))
        target, offsets = apply_edits(source, random_edits(rng, len(source)))
        check_tiles(offsets, source, target)
        check_covers(offsets, rng)


def test_composed_maps_tile_and_agree_with_going_step_by_step():
    rng = random.Random(20222)
    for _ in range(5_000):
        source = "".join(rng.choices(ALPHABET, k=rng.randint(1, 24)))
        middle, first = apply_edits(source, random_edits(rng, len(source)))
        target, second = apply_edits(middle, random_edits(rng, len(middle)))
        composed = first.then(second)
        check_tiles(composed, source, target)
        check_covers(composed, rng)
        for start in range(len(target)):
            end = rng.randint(start + 1, len(target))
            through = second.to_source(start, end)
            if through[0] < through[1]:
                stepwise, direct = first.to_source(*through), composed.to_source(start, end)
                assert direct[0] <= stepwise[0]
                assert stepwise[1] <= direct[1]


def test_a_tag_inside_a_name_is_covered_and_tags_around_it_are_not():
    text = "<b>Jo</b>hn</p>"
    view, offsets = apply_edits(text, [Edit(0, 3, ""), Edit(5, 9, ""), Edit(11, 15, "")])
    assert view == "John"
    assert text[slice(*offsets.to_source(0, 4))] == "Jo</b>hn"


def test_a_span_over_inserted_characters_alone_has_no_source():
    _, offsets = apply_edits("ab", [Edit(1, 1, "\n")])
    assert offsets.spans_to_source([Span(1, 2, "X"), Span(0, 3, "Y")]) == [Span(0, 2, "Y")]
    assert offsets.spans_to_target([Span(0, 2, "Y")]) == [Span(0, 3, "Y")]


def test_a_span_over_deleted_characters_alone_is_gone():
    _, offsets = apply_edits("abc", [Edit(1, 2, "")])
    assert offsets.spans_to_target([Span(1, 2, "X"), Span(0, 2, "Y")]) == [Span(0, 1, "Y")]


@pytest.mark.parametrize("edits", [[Edit(0, 2, ""), Edit(1, 3, "")], [Edit(2, 9, "")], [Edit(3, 2, "")], [Edit(-1, 1, "")]])
def test_edits_that_overlap_or_lie_outside_are_refused(edits):
    with pytest.raises(SpanError):
        apply_edits("abcd", edits)


@given(st.text(), st.text())
def test_no_edits_is_identity(text, other):
    assert apply_edits(text, []) == (text, OffsetMap.identity(len(text)))


def test_maps_that_do_not_meet_are_refused():
    with pytest.raises(SpanError):
        OffsetMap.identity(3).then(OffsetMap.identity(4))
