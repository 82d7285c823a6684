"""Whatever people do, and in whatever order: the promises of the store hold after every step."""

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule
from store_cases import MINUTE, NOW, answer, made

PEOPLE, WANTED = 4, 2
WHO = st.sampled_from([f"a{number}" for number in range(PEOPLE)])


class Campaigning(RuleBasedStateMachine):
    tasks = Bundle("tasks")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = made(
            Path(self.folder.name) / "c.db", PEOPLE, documents=2, lines=2, annotators_per_chunk=WANTED, lease_minutes=30
        )
        self.now, self.number = NOW, 0
        self.kept = {}  # everything that was acknowledged
        self.answered = set()
        self.revisions = {}

    @rule(target=tasks, person=WHO)
    def lease(self, person):
        task = self.store.lease(person, self.now)
        if task is None:
            return None
        assert (task.sample.id, person) not in self.answered  # never the same chunk twice to a person
        return task

    @rule(minutes=st.sampled_from([1, 20, 31, 90]))
    def wait(self, minutes):
        self.now += minutes * MINUTE

    @rule(task=tasks, decision=st.sampled_from(["accept", "accept", "reject", "ignore"]))
    def answer(self, task, decision):
        if task is None:
            return
        self.number += 1
        key = (task.sample.id, task.annotator)
        given = answer(task, f"x{self.number}", decision=decision, revision=self.revisions.get(key, -1) + 1)
        receipt = self.store.answer(given, self.now)
        assert receipt.outcome in ("stored", "late")
        if receipt.kept:
            self.kept[given.id] = given
            self.answered.add(key)
            self.revisions[key] = given.revision

    @rule(task=consumes(tasks))
    def repeat(self, task):
        mine = [given for given in self.kept.values() if task and given.annotator == task.annotator]
        for given in mine:
            assert self.store.answer(given, self.now).outcome == "repeated"

    @invariant()
    def acknowledged_is_stored(self):
        assert {given.id: given for given in self.store.answers(latest=False)} == self.kept

    @invariant()
    def never_more_people_than_wanted(self):
        accepted = Counter(given.sample for given in self.store.answers() if given.decision == "accept")
        assert max(accepted.values(), default=0) <= WANTED

    @invariant()
    def places_are_not_given_twice(self):
        with self.store.database.transaction() as transaction:
            rows = transaction.rows(
                "SELECT count(*) FROM work WHERE state = 'accept' OR (state = 'leased' AND until > :now) GROUP BY chunk",
                now=self.now,
            )
        assert all(row[0] <= WANTED for row in rows)

    def teardown(self):
        self.store.close()
        self.folder.cleanup()


TestCampaigning = Campaigning.TestCase
TestCampaigning.settings = settings(max_examples=15, stateful_step_count=25)
