"""Operating points: what each finds, what the dial promises, and what it refuses."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.core import Document, Span, UsageError
from innominate.detect.dial.dial import Curve, Dial, identifiers_needed, read_dial, write_dial
from innominate.detect.dial.threshold import Marginals, Point, decide, spans_of
from innominate.detect.dial.tuning import BETAS, TokenEvidence, best_points, cross_fitted, isotonic, recall_curve, tune
from innominate.evaluate.stats import lower_bound

TAGS = ("B-NAME", "I-NAME", "B-DATE", "I-DATE", "O")


def believed(rows, words):
    """A note of words, with what a model believes of each: probabilities by tag, the rest is O."""
    starts = [sum(len(word) + 1 for word in words[:index]) for index in range(len(words))]
    probabilities = np.zeros((len(words), len(TAGS)), np.float32)
    for index, row in enumerate(rows):
        for tag, value in row.items():
            probabilities[index, TAGS.index(tag)] = value
        probabilities[index, -1] = 1 - sum(row.values())
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    return Marginals(" ".join(words), starts, ends, TAGS, probabilities, probabilities.argmax(axis=1))


def chance(seed, notes=6, tokens=12):
    """Notes with a model that is right more often than not."""
    rng = np.random.default_rng(seed)
    pairs = []
    for number in range(notes):
        gold = rng.random(tokens) < 0.4
        sure = np.clip(rng.beta(0.4, 0.4, tokens) * 0.7 + 0.3 * gold, 1e-6, 1 - 1e-6)
        found = believed([{"B-NAME": share} for share in sure.tolist()], ["word"] * tokens)
        spans = [Span(found.starts[i], found.ends[i], "NAME") for i in np.flatnonzero(gold)] or [Span(0, 4, "NAME")]
        pairs.append((Document(f"n{number}", found.text, tuple(spans)), found))
    return pairs


def test_a_token_is_raised_by_both_thresholds_and_only_with_both():
    note = believed([{"B-NAME": 0.9}, {"I-NAME": 0.3, "B-DATE": 0.12}, {"B-DATE": 0.04}], ["Eva", "Ek", "x"])
    labels = ("NAME", "DATE")

    def found(main, alt):
        tags = decide(note, dict.fromkeys(labels, Point(main, alt)))
        return [(span.of(note.text), span.label) for span in spans_of(note, tags, "crf")]

    assert found(0.0, 1.0) == [("Eva", "NAME")]
    assert found(0.75, 0.15) == [("Eva Ek", "NAME")]
    assert found(0.57, 0.15) == [("Eva", "NAME")]  # 0.58 of non-PHI is not below 0.57
    assert found(0.75, 0.35) == [("Eva", "NAME")]  # 0.3 of NAME is not 0.35
    assert found(0.99, 0.01) == [("Eva Ek", "NAME"), ("x", "DATE")]


def test_an_unlikely_token_is_raised_beside_a_span_and_leaves_its_border_alone():
    note = believed([{"B-NAME": 0.9}, {"I-NAME": 0.1}, {"I-NAME": 0.1}], ["Eva", "Ek", "sov"])
    tags = decide(note, {"NAME": Point(0.95, 0.01)})
    assert [span.of(note.text) for span in spans_of(note, tags, "crf")] == ["Eva", "Ek sov"]


def test_labels_can_have_points_of_their_own():
    note = believed([{"B-NAME": 0.2}, {"B-DATE": 0.2}], ["Eva", "1950"])
    tags = decide(note, {"NAME": Point(0.99, 0.01)})
    assert [span.label for span in spans_of(note, tags, "crf")] == ["NAME"]


def test_a_comma_is_never_raised():
    note = believed([{"B-NAME": 0.9}, {"I-NAME": 0.3}, {"I-NAME": 0.9}], ["Ek", ",", "Eva"])
    tags = decide(note, {"NAME": Point(0.99, 0.01)})
    assert [span.of(note.text) for span in spans_of(note, tags, "crf")] == ["Ek", "Eva"]


@settings(max_examples=50)
@given(st.integers(0, 10**6))
def test_from_f1_to_f40_recall_never_falls_on_any_text_and_precision_never_rises_on_these(seed):
    mine, other = TokenEvidence.of(chance(seed)), TokenEvidence.of(chance(seed + 1))
    points = list(best_points(mine, BETAS).values())
    for evidence in (mine, other):
        recalls = [evidence.at(point).recall for point in points]
        assert recalls == sorted(recalls)
    precisions = [mine.at(point).precision for point in points]
    assert precisions == sorted(precisions, reverse=True)


@settings(max_examples=50)
@given(st.integers(0, 10**6))
def test_the_counts_of_a_point_are_those_of_the_spans_it_gives(seed):
    pairs = chance(seed)
    point = Point(0.9, 0.2)
    score = TokenEvidence.of(pairs).at(point)
    covered = sum(len(spans_of(found, decide(found, {"NAME": point}), "")) for _, found in pairs)
    assert score.tp + score.fp == covered  # all tags here are B, so a span is a token


def test_a_recall_is_given_only_where_it_was_shown():
    curve = recall_curve(TokenEvidence.of(chance(3, notes=200)), lower_bound)
    shown = [value for value in curve.shown if value]
    assert shown == sorted(shown)  # the lower the threshold, the more
    point = curve.point(0.9)
    at = curve.thresholds.index(min(curve.thresholds, key=lambda t: abs(t - (1 - point.main))))
    assert curve.shown[at] >= 0.9 > curve.shown[at - 1]
    with pytest.raises(UsageError, match=r"cannot be shown.*at least 2,995 identifiers"):
        Curve([0.1], [1.0], [0.99], [1.0], 300).point(0.999)
    assert (
        lower_bound(identifiers_needed(0.999), identifiers_needed(0.999))
        >= 0.999
        > lower_bound(identifiers_needed(0.999) - 1, identifiers_needed(0.999) - 1)
    )


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_calibration_rises_and_keeps_the_number_of_right_spans(scored):
    raw, right = isotonic([score for score, _ in scored], [good for _, good in scored], least=5)
    assert right == sorted(right)
    assert raw == sorted(raw)
    dial = Dial(raw=raw, right=right)
    values = [dial.calibrated(score / 20) for score in range(21)]
    assert values == sorted(values)
    assert all(0 <= value <= 1 for value in values)


def test_what_recall_means():
    point, wide = Point(0.9, 0.1), Point(0.999, 0.001)
    dial = Dial(
        {"F1": point, "F20": wide},
        {"F20": {"First_Name": Point(0.99, 0.0)}},
        Curve([0.5, 0.1], [0.8, 1], [0.7, 0.99], [1, 0.9], 500),
    )
    labels = ["First_Name", "Last_Name", "Full_Date"]
    assert dial.choose("", labels, "swedish") == dict.fromkeys(labels, point)
    assert dial.choose("F20", labels, "swedish") == dict.fromkeys(labels, wide)
    assert dial.choose("0.98", labels, "swedish")["Full_Date"] == Point(0.9, 0.0)
    chosen = dial.choose("names=F20, dates=F1", labels, "swedish")
    assert chosen == {"First_Name": Point(0.99, 0.0), "Last_Name": wide, "Full_Date": point}
    assert dial.choose("Last_Name=F20", labels, "swedish")["Last_Name"] == wide
    for wrong in ("F7", "2", "often", "nobody=F20"):
        with pytest.raises(UsageError):
            dial.choose(wrong, labels, "swedish")
    with pytest.raises(UsageError, match="innominate tune"):
        Dial().choose("F10", labels, "swedish")


def test_a_dial_comes_back_from_its_file(tmp_path):
    dial = tune(chance(5, notes=40), BETAS, partial(lower_bound, confidence=0.9), confidence=0.9, source="chance")
    write_dial(dial, tmp_path)
    back = read_dial(tmp_path)
    assert (back.points, back.labels, list(back.raw)) == (dial.points, dial.labels, list(dial.raw))
    assert list(back.curve.shown) == list(dial.curve.shown)
    (tmp_path / "dial.toml").write_text("points = 3\n")
    with pytest.raises(UsageError, match=r"dial\.toml"):
        read_dial(tmp_path)


def test_held_out_counts_cover_every_token_once():
    evidence = TokenEvidence.of(chance(9))
    for score in cross_fitted(evidence).values():
        assert score.tp + score.fn == int(evidence.gold.sum())
