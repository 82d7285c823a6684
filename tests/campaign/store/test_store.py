"""The store: what was acknowledged is there, once; leases end; a chunk has exactly as many people as wanted."""

import os
import stat
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from store_cases import MINUTE, NOW, answer, made, notes

from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.planning.notes import prepare_note
from innominate.campaign.records import Annotator, Answer
from innominate.campaign.store import Event, StoreError, Suggestion, create_store, open_store
from innominate.campaign.store import database as migrations
from innominate.campaign.store.database import Database
from innominate.campaign.store.drivers import StoreAddress
from innominate.core import Document, PluginError, Span, UsageError


def work_through(store, annotator, now=NOW, limit=10_000):
    """Let one person do everything that is left for them, and return the samples in the order they came."""
    seen = []
    while len(seen) < limit and (task := store.lease(annotator, now)):
        seen.append(task.sample)
        assert store.answer(answer(task, f"{annotator}/{task.sample.id}"), now).outcome == "stored"
        now += 1
    return seen


def test_what_was_put_in_comes_out_after_closing(url):
    store = made(url, goal=50)
    store.put_guidelines("# Rules\n", NOW)
    task = store.lease("a0", NOW)
    given = answer(task, "x", comment="unsure\0", suggested=(Span(0, 5, "DATE", source="rules"),), meta={"seconds": 3})
    assert store.answer(given, NOW).outcome == "stored"
    store.close()
    again = open_store(url, NOW)
    (kept,) = again.answers()
    assert kept == replace(given, meta={"seconds": 3, "guidelines": 1})
    assert kept.suggested[0].source == "rules"
    assert again.campaign() == Campaign("contest", "chuv", goal=50)
    assert [person.team for person in again.annotators()] == ["team0", "team1", "team0"]
    assert again.samples() == [sample for note in notes(again.campaign()) for sample in note.samples]
    assert again.notes() == notes(again.campaign())


def test_a_repeated_answer_is_recognised_and_another_one_with_its_id_is_a_conflict(url):
    store = made(url)
    task = store.lease("a0", NOW)
    first = answer(task, "x")
    assert store.answer(first, NOW).outcome == "stored"
    assert store.answer(first, NOW + 1000 * MINUTE).outcome == "repeated"
    other = replace(first, spans=())
    assert [store.answer(other, NOW).outcome for _ in range(3)] == ["conflict"] * 3
    assert store.answers() == [first]
    (logged,) = [event for event in store.events() if event.kind == "conflict"]  # kept for a person to look at, once
    assert logged.data["id"] == "x"
    assert logged.data["spans"] == []


def test_revisions_follow_each_other_and_two_windows_do_not_overwrite_each_other(url):
    store = made(url)
    task = store.lease("a0", NOW)
    assert store.answer(answer(task, "x0"), NOW).revision == 0
    assert store.answer(answer(task, "x1", revision=1, spans=()), NOW).revision == 1
    from_other_window = store.answer(answer(task, "y1", revision=1), NOW)
    assert (from_other_window.outcome, from_other_window.revision) == ("conflict", 1)
    assert store.answer(answer(task, "z9", revision=9), NOW).outcome == "conflict"
    assert [one.id for one in store.answers()] == ["x1"]
    assert [one.id for one in store.answers(latest=False)] == ["x0", "x1"]


def test_who_comes_back_gets_the_task_they_hold(url):
    store = made(url)
    task = store.lease("a0", NOW)
    again = store.lease("a0", NOW + MINUTE)
    assert again.sample == task.sample
    assert again.until == task.until + MINUTE


def test_a_lease_ends_and_a_late_answer_is_kept_only_if_there_is_still_a_place(url):
    store = made(url, people=3, documents=1, lines=1, annotators_per_chunk=1, lease_minutes=30)
    task = store.lease("a0", NOW)
    assert store.lease("a1", NOW + 29 * MINUTE) is None
    assert store.renew("a0", task.sample.id, NOW + 29 * MINUTE)
    assert store.lease("a1", NOW + 31 * MINUTE) is None
    taken = store.lease("a1", NOW + 60 * MINUTE)
    assert taken.sample == task.sample
    assert not store.renew("a0", task.sample.id, NOW + 60 * MINUTE)
    late = store.answer(answer(task, "late"), NOW + 61 * MINUTE)
    assert (late.outcome, late.kept) == ("late", False)
    assert [event.data["id"] for event in store.events() if event.kind == "late"] == ["late"]
    assert store.answer(answer(taken, "good"), NOW + 89 * MINUTE).kept
    assert [one.id for one in store.answers()] == ["good"]


def test_a_server_whose_clock_is_behind_gives_no_place_away_twice(url):
    store = made(url, documents=1, lines=1, annotators_per_chunk=1, lease_minutes=30)
    task = store.lease("a0", NOW)
    taken = store.lease("a1", NOW + 31 * MINUTE)
    behind = NOW + 29 * MINUTE
    assert not store.renew("a0", task.sample.id, behind)
    assert store.lease("a0", behind) is None
    assert store.answer(answer(task, "x"), behind).outcome == "late"
    assert store.answer(answer(taken, "y"), NOW + 32 * MINUTE).outcome == "stored"


def test_a_late_answer_to_a_chunk_that_nobody_took_is_welcome(url):
    store = made(url, documents=1, lines=1, annotators_per_chunk=1)
    task = store.lease("a0", NOW)
    assert store.answer(answer(task, "x"), NOW + 1000 * MINUTE).outcome == "stored"


def test_who_ignores_a_chunk_gives_the_place_to_somebody_else_but_never_sees_it_again(url):
    store = made(url, documents=1, lines=1, annotators_per_chunk=1)
    task = store.lease("a0", NOW)
    assert store.answer(answer(task, "x0", decision="ignore", spans=()), NOW).kept
    assert store.lease("a0", NOW) is None
    other = store.lease("a1", NOW)
    assert store.answer(answer(task, "x1", revision=1), NOW).outcome == "late"  # the place is not free any more
    assert store.answer(answer(other, "y"), NOW).kept
    assert store.lease("a2", NOW) is None


@pytest.mark.parametrize("wanted", [1, 2, 3])
def test_everybody_together_do_every_chunk_exactly_as_often_as_wanted(url, wanted):
    store = made(url, people=4, documents=3, lines=4, annotators_per_chunk=wanted)

    def work(person):
        return work_through(store, person)

    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(work, [f"a{number}" for number in range(4)]))
    for samples in seen:
        assert len(set(samples)) == len(samples)
    assert set(Counter(one.sample for one in store.answers()).values()) == {wanted}
    assert len(store.answers()) == 12 * wanted


def test_without_a_number_everybody_does_everything(url):
    store = made(url, people=2, documents=2, lines=2, annotators_per_chunk=0)
    assert {sample.id for sample in work_through(store, "a0")} == {sample.id for sample in work_through(store, "a1")}
    assert len(store.answers()) == 8
    assert {one.annotator for one in store.answers(annotator="a1")} == {"a1"}


def test_neighbours_of_a_document_are_kept_apart_and_everybody_has_another_order(url):
    store = made(url, people=2, documents=12, lines=6, annotators_per_chunk=0, apart=5, finish_started=False)
    orders = [work_through(store, person) for person in ("a0", "a1")]
    assert orders[0] != orders[1]
    for order in orders:
        documents = [sample.document for sample in order]
        apart = [len({*documents[place : place + 6]}) == 6 for place in range(len(documents) - 11)]
        assert all(apart)
        assert documents != sorted(documents)


def test_the_order_comes_from_the_seed_alone(tmp_path):
    def order(name, **choices):
        store = made(tmp_path / name, annotators_per_chunk=0, **choices)
        return [sample.id for sample in work_through(store, "a0")]

    assert order("a.db", seed=1) == order("b.db", seed=1) != order("c.db", seed=2)


def test_teams_of_one_group_see_the_same_tasks_in_the_same_order(tmp_path):
    conditions = (Condition("experimental", ("team0",), "1", 0.5), Condition("control", ("team1",), "1"))
    store = made(tmp_path / "c.db", annotators_per_chunk=0, shuffle="group", conditions=conditions, finish_started=False)
    assert work_through(store, "a0") == work_through(store, "a1")


def test_chunks_that_others_began_come_first(tmp_path):
    store = made(tmp_path / "c.db", documents=20, lines=1, annotators_per_chunk=2)
    first = work_through(store, "a0", limit=10)
    assert set(work_through(store, "a1", limit=10)) == set(first)


def test_training_comes_first_for_everybody_and_stays_out_of_the_work(url):
    store = made(url, documents=2, lines=2, annotators_per_chunk=1)
    training = prepare_note(Document("t", "Un\nDeux"), store.campaign(), training=True)
    store.add_notes([training], NOW)
    for person in ("a0", "a1"):
        task_texts = [store_answer_text(store, person) for _ in range(2)]
        assert task_texts == ["Un", "Deux"]
    assert store.answers() == []
    assert len(store.answers(training=True)) == 4
    assert len(store.samples()) == 4
    assert [sample.training for sample in store.samples(training=True)] == [True, True]


def store_answer_text(store, person):
    task = store.lease(person, NOW)
    assert store.answer(answer(task, f"{person}{task.sample.id}", spans=()), NOW).kept
    return task.sample.text


def test_suggestions_are_shown_to_a_person_before_those_of_the_team(url):
    store = made(url, documents=1, lines=1, annotators_per_chunk=0)
    (sample,) = store.samples()
    team, own = (Span(0, 5, "RUE"),), (Span(11, 16, "DATE", source="rules"),)
    store.suggest([Suggestion(sample.id, "team team0", team, ["kept"]), Suggestion(sample.id, "a0", own)])
    assert store.lease("a0", NOW).suggested == own
    assert store.lease("a2", NOW).suggested == team
    assert store.lease("a1", NOW).suggested == ()
    with pytest.raises(UsageError, match="never changed"):
        store.suggest([Suggestion(sample.id, "a0", ())])
    assert [one.log for one in store.suggestions()] == [None, ["kept"]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"spans": (Span(11, 99, "DATE"),)}, "outside the 16"),
        ({"spans": (Span(11, 16, "DATUM"),)}, "label that taxonomy"),
        ({"spans": (Span(1, 2, "DATE"), Span(1, 2, "DATE"))}, "twice"),
        ({"id": ""}, "id"),
        ({"id": "a\0b"}, "id"),
        ({"annotator": "nobody"}, "no annotator"),
        ({"sample": "d0#77"}, "no sample"),
    ],
)
def test_what_cannot_be_an_answer_is_refused_without_a_word_of_the_text(url, changes, says):
    store = made(url)
    given = replace(answer(store.lease("a0", NOW), "x"), **changes)
    with pytest.raises(UsageError, match=says) as caught:
        store.answer(given, NOW)
    assert "mai" not in str(caught.value)
    assert store.answers() == []


def test_answers_and_events_cannot_be_changed_or_deleted_even_by_hand(url):
    store = made(url)
    store.answer(answer(store.lease("a0", NOW), "x"), NOW)
    before = store.answers(), store.events()
    for table, change in (("answers", "revision = 5"), ("events", "kind = 'x'")):
        for statement in (f"UPDATE {table} SET {change}", f"DELETE FROM {table}"):
            with pytest.raises(StoreError), store.database.transaction() as transaction:
                transaction.run(statement)
    assert (store.answers(), store.events()) == before


def test_registration_guidelines_and_choices_change_and_keep_their_history(url):
    store = made(url, people=1)
    assert store.register([Annotator("a0", "team0"), Annotator("late", "team1", goal=7)], NOW) == 1
    assert store.register([Annotator("late", "team0")], NOW + 1) == 1
    assert [event.data["team"] for event in store.events() if event.subject == "late"] == ["team1", "team0"]
    assert [store.put_guidelines(text, NOW) for text in ("one", "one", "two", "one")] == [True, False, True, True]
    assert [(one.version, one.text) for one in store.guidelines()] == [(1, "one"), (2, "two"), (3, "one")]
    assert store.change(replace(store.campaign(), goal=9), NOW)
    assert not store.change(replace(store.campaign(), goal=9), NOW)
    with pytest.raises(UsageError, match="seed cannot change"):
        store.change(replace(store.campaign(), seed=9), NOW)


def test_any_text_survives(url):
    store = made(url, documents=0)
    texts = ["👩‍⚕️ Eva\0 \ud800", "'; DROP TABLE answers; --", "e\u0301 % %s :id ::x"]
    store.add_notes([prepare_note(Document(f"n {number}", text), store.campaign()) for number, text in enumerate(texts)], NOW)
    assert [note.document.text for note in store.notes()] == texts
    store.log(Event(NOW, "x", data={"comment": "\0\ud800"}))
    assert store.events()[-1].data == {"comment": "\0\ud800"}


def test_notes_are_added_once_and_another_text_with_their_id_is_refused(url):
    store = made(url)
    assert store.add_notes(notes(store.campaign()), NOW) == 0
    with pytest.raises(UsageError, match="another text"):
        store.add_notes(
            [prepare_note(Document("new", "a"), store.campaign()), prepare_note(Document("d0", "b"), store.campaign())], NOW
        )
    assert len(store.notes()) == 4  # all or none


def test_a_store_is_never_overwritten(url):
    made(url).close()
    with pytest.raises(UsageError, match="already"):
        create_store(url, Campaign("other", "chuv"), NOW)
    assert open_store(url, NOW).campaign().name == "contest"


def test_an_older_store_is_brought_up_to_date_when_it_is_opened(url, monkeypatch):
    made(url).close()
    known = migrations.read_migrations("sqlite")
    newer = {**known, len(known) + 1: "ALTER TABLE annotators ADD COLUMN colour TEXT;\n"}
    monkeypatch.setattr(migrations, "read_migrations", lambda database: newer)
    for _ in range(2):
        with open_store(url, NOW).database.transaction() as transaction:
            assert transaction.rows("SELECT colour FROM annotators") == [(None,)] * 3
            assert [row[0] for row in transaction.rows("SELECT number FROM migrations ORDER BY number")] == sorted(newer)


def test_gammas_are_remembered_and_the_first_stays(url):
    store = made(url)
    store.keep_gammas({"a": "1", "b": "2"})
    store.keep_gammas({"b": "3", "c": "4"})
    store.keep_gammas({})
    assert open_store(url, NOW).gammas() == {"a": "1", "b": "2", "c": "4"}


def test_a_store_of_a_newer_version_is_left_alone(url):
    store = made(url)
    with store.database.transaction() as transaction:
        transaction.run("INSERT INTO migrations (number, at) VALUES (99, 0)")
    with pytest.raises(UsageError, match="newer version"):
        open_store(url, NOW)


def test_two_who_make_the_same_store_at_once_make_one(cluster):
    url = cluster.new_database()

    def make(number):
        try:
            return create_store(url, Campaign(f"c{number}", "chuv"), NOW)
        except (UsageError, StoreError):
            return None

    with ThreadPoolExecutor(4) as pool:
        assert sum(store is not None for store in pool.map(make, range(4))) == 1
    open_store(url, NOW)


def test_commits_are_forced_to_disk(url):
    store = made(url)
    with store.database.transaction() as transaction:
        if transaction.driver.name == "sqlite":
            assert transaction.row("PRAGMA synchronous")[0] == 2
            assert transaction.row("PRAGMA journal_mode")[0] == "wal"
        else:
            assert transaction.row("SHOW synchronous_commit")[0] == "on"
            assert transaction.row("SHOW fsync")[0] == "on"


@pytest.mark.skipif(os.name == "nt", reason="rights of files are of another kind there")
def test_only_the_owner_can_read_the_file(tmp_path):
    made(tmp_path / "c.db")
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


def test_a_server_that_was_restarted_costs_one_try(cluster):
    store = made(cluster.new_database())
    task = store.lease("a0", NOW)
    cluster.crash()
    with pytest.raises(StoreError, match="send it again"):
        store.answer(answer(task, "x"), NOW)
    assert store.answer(answer(task, "x"), NOW).kept


def test_errors_show_neither_password_nor_values():
    with pytest.raises(StoreError) as caught, database_at("postgresql://eva:secret@127.0.0.1:1/x").transaction():
        pass
    assert "secret" not in str(caught.value)
    with pytest.raises(UsageError, match="mysql"):
        open_store("mysql://eva:secret@x/y", NOW)
    with pytest.raises(UsageError, match="no such store"):
        open_store("nowhere.db", NOW)


def database_at(url):
    return Database(StoreAddress.of(url))


def test_sqlite_needs_no_other_package_and_postgresql_says_which(tmp_path, monkeypatch):
    for name in ("sqlalchemy", "psycopg"):
        monkeypatch.setitem(sys.modules, name, None)
    assert made(tmp_path / "c.db").lease("a0", NOW)
    with pytest.raises(PluginError, match=r"pip install 'innominate\[db\]'"):
        open_store("postgresql://x/y", NOW)
    assert Answer("a", "b", "c").decision == "accept"
