"""Notes are looked at together because that is quicker; what comes out is the same as for each alone."""

import time

import pytest

from innominate.core import Document, Rejected, Span
from innominate.run import pipeline as road
from innominate.run.outcome import AHEAD, Quarantined, Task
from innominate.run.settings import Settings
from innominate.run.units import Unit
from innominate.run.workers import outcomes
from innominate.synth.generate import generate

NOTES = [Document(f"n{i}", f"{i}: vu par le Dr Rochat le 18.03.2022") for i in range(9)]
SETTINGS = Settings(lang="fr", detector="rules")


class Together:
    """Finds the first character of each note; a note that says so makes it fail, and with it the notes beside it."""

    name, labels, needs, apart = "together", frozenset({"NAME"}), (), True

    def __init__(self):
        self.asked = []

    def detect(self, document):
        return self.detect_many([document])[0]

    def detect_many(self, documents):
        self.asked.append(len(documents))
        for document in documents:
            if "hang" in document.text:
                while True:
                    time.sleep(0.01)
            if "fail" in document.text:
                raise ValueError(document.text)
        return [[Span(0, 1, "NOM")] for _ in documents]


def worked(task, notes):
    return list(outcomes(((Unit((note,)), 0) for note in notes), task, workers=1))


def told(outcome):
    return (
        outcome if isinstance(outcome, Quarantined) else (outcome.document.id, outcome.document.text, outcome.document.spans)
    )


@pytest.mark.parametrize("action", ["detect", "deidentify"])
def test_together_and_alone_are_the_same(action):
    task = Task(action, SETTINGS.with_options(policy="class"))
    notes = [*generate("fr", 12, seed=3), Document("h", "<p>Vu par <b>Dr Rochat</b> <!-- Mme Favre --></p>"), *NOTES]
    bad = Rejected("bad", "no text", "bad.json")
    units = task.look_ahead([Unit((note,)) for note in [bad, *notes]])
    assert [unit.looks != (None,) for unit in units] == [False] + [True] * len(notes)
    assert [told(task.work(unit)[0]) for unit in units[1:]] == [told(task(note)) for note in notes]


def test_the_same_note_twice_is_seen_twice():
    """What is seen belongs to a place in the unit, not to an object that may come again or go."""
    note = NOTES[0]
    (unit,) = Task("detect", SETTINGS).look_ahead([Unit((note, NOTES[1], note))])
    first, _, last = unit.looks
    assert first.views[0][2] == last.views[0][2]
    assert first is not last


@pytest.mark.parametrize("word", ["fail", "hang"])
def test_a_note_that_fails_among_others_is_withheld_alone(monkeypatch, word):
    finder = Together()
    monkeypatch.setattr(road, "_detector", lambda *_: finder)
    notes = [*NOTES[:4], Document("bad", f"{word}: Mme Favre"), *NOTES[4:]]
    found = worked(Task("detect", SETTINGS.with_options(time_limit=0.2)), notes)
    assert [one.id for one in found if isinstance(one, Quarantined)] == ["bad"]
    assert [told(one)[0] for one in found if not isinstance(one, Quarantined)] == [note.id for note in NOTES]
    assert all("Favre" not in one.reason for one in found if isinstance(one, Quarantined))
    assert len(notes) in finder.asked  # they were together at first


def test_so_many_are_looked_at_together_as_fit(monkeypatch):
    finder = Together()
    monkeypatch.setattr(road, "_detector", lambda *_: finder)
    long = [Document(f"l{i}", "mot " * (AHEAD // 8)) for i in range(5)]
    finder.asked.clear()
    Task("detect", SETTINGS).look_ahead([Unit(tuple(long))])
    assert [count for count in finder.asked if count > 1] == [2, 2]  # the fifth waits for its turn


def test_a_detector_whose_notes_depend_on_each_other_is_asked_one_by_one(monkeypatch):
    finder = Together()
    finder.apart = False
    monkeypatch.setattr(road, "_detector", lambda *_: finder)
    worked(Task("detect", SETTINGS), NOTES)
    assert set(finder.asked) == {1}
