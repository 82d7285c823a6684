"""Simulated annotators, and the whole machinery end to end on a small contest whose truth is known."""

import json
from itertools import pairwise
from random import Random

import pytest
from typer.testing import CliRunner

from innominate.campaign.analysis.tasks import AnnotationTask
from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import prepare_note
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.simulate.marking import Chunk, Crowd, Habits, crowd_from, mark_chunk
from innominate.campaign.simulate.recovery import count_errors
from innominate.campaign.simulate.working import FixedQueue, StoreQueue, simulate_work, true_spans
from innominate.campaign.store import create_store
from innominate.campaign.suggestions.active import Seconds, learn_seconds, measure_uncertainty, rank_chunks
from innominate.campaign.suggestions.audiences import similar_labels
from innominate.cli.app import app
from innominate.core import Document, Span, UsageError, annotated

NEAR = similar_labels("chuv")
NOTE = annotated("vu le [3 mai](DATE) à [Nyon](EMPLACEMENT_GÉOGRAPHIQUE) par [Rochat](PERSONNEL_MÉDICAL) ce jour", id="n")
NOBODY = Crowd(Habits(), {}, hard=0.0)


def rates(habits, suggested=(), times=3000):
    chunk = Chunk("n#1", NOTE.text, NOTE.spans, tuple(suggested))
    said = [mark_chunk(chunk, habits, NOBODY, similar=NEAR, rng=Random(seed)).spans for seed in range(times)]
    return said, count_errors((NOTE.spans, spans) for spans in said)


def test_errors_come_as_often_as_was_asked():
    _, found = rates(Habits(misses=0.1, confuses=0.05, slips=0.08, invents=0.0))
    assert found.rate("missed") == pytest.approx(0.1, abs=0.01)
    assert found.rate("confused") == pytest.approx(0.9 * 0.05, abs=0.01)
    assert found.rate("slipped") == pytest.approx(0.9 * 0.08, abs=0.015)


def test_a_wrong_suggestion_is_trusted_as_often_as_was_asked():
    wrong = Span(NOTE.spans[1].start, NOTE.spans[1].end, "PAYS")
    said, _ = rates(Habits(misses=0, confuses=0, slips=0, invents=0, trusts=0.3), [wrong])
    assert sum(wrong in spans for spans in said) / len(said) == pytest.approx(0.3, abs=0.03)


def test_marks_of_one_person_never_overlap():
    for spans in rates(Habits(misses=0.1, slips=0.6, invents=0.9, trusts=0.9), [Span(3, 11, "ÂGE")], 300)[0]:
        assert all(one.end <= other.start for one, other in pairwise(spans))


def lines(n):
    return [prepare_note(Document(f"d{k}", NOTE.text, NOTE.spans), Campaign("c", "chuv")) for k in range(n)]


def test_in_the_store_exactly_as_many_people_do_a_chunk_as_wanted(tmp_path):
    people = [Annotator(f"a{n}", "gnocchi") for n in range(4)]
    store = create_store(
        tmp_path / "c.db", Campaign("c", "chuv", annotators_per_chunk=2), 0.0, annotators=people, notes=lines(12)
    )
    crowd = Crowd(Habits(ignores=0.0, breaks=0.0), {})
    done = simulate_work(StoreQueue(store), people, true_spans(store.notes()), crowd, similar=NEAR, seed=1)
    assert len(done) == 24
    assert all(one.kept for one in done)
    assert store.summary(1e9).by_annotators == {0: 0, 2: 12}


def test_in_another_tool_groups_see_their_own_order_and_stop_at_the_limit():
    people = [Annotator(f"a{n}", f"t{n % 2}") for n in range(4)]
    campaign = Campaign("c", "chuv", shuffle="team", annotators_per_chunk=0)
    samples = [sample for note in lines(40) for sample in note.samples]
    queue = FixedQueue(campaign, people, samples, most=15)
    done = simulate_work(queue, people, {}, Crowd(Habits(), {}), similar=NEAR, seed=1)
    seen = {person.id: [one.answer.sample for one in done if one.answer.annotator == person.id] for person in people}
    assert len({sample for some in seen.values() for sample in some}) == 15
    shorter, longer = sorted((seen["a0"], seen["a2"]), key=len)
    assert longer[: len(shorter)] == shorter
    assert not set(seen["a0"]) & set(seen["a1"])


def test_the_same_seed_gives_the_same_campaign():
    people = [Annotator("a", "t")]
    campaign, notes = Campaign("c", "chuv"), lines(9)
    samples = [sample for note in notes for sample in note.samples]

    def run(seed):
        return simulate_work(
            FixedQueue(campaign, people, samples), people, true_spans(notes), Crowd(Habits(), {}), similar=NEAR, seed=seed
        )

    assert run(1) == run(1) != run(2)


def test_an_unknown_habit_is_an_error():
    with pytest.raises(UsageError, match="mises"):
        crowd_from({"everybody": {"mises": 0.1}}, "habits.toml")
    with pytest.raises(UsageError, match="between 0 and 1"):
        Habits(misses=2)


def test_seconds_are_learnt_from_earlier_tasks():
    rng = Random(1)
    samples = {f"s{n}": Sample(f"s{n}", "n", 0, 1, "x" * rng.randint(10, 400)) for n in range(300)}
    tasks = []
    for n, sample in enumerate(samples.values()):
        spans = tuple(Span(2 * k, 2 * k + 1, "DATE") for k in range(n % 4))
        tasks.append(AnnotationTask(Answer(str(n), sample.id, "eva", spans), 3 + 0.02 * len(sample.text) + 2 * len(spans)))
    learnt = learn_seconds(tasks, samples)
    assert learnt.of(200, 1) == pytest.approx(9.0, abs=0.5)
    assert learn_seconds(tasks[:5], samples) == Seconds()


class Unsure:
    """A detector with scores: it doubts every date, and is sure of times."""

    name, labels, needs = "unsure", frozenset({"DATE", "TEMPS"}), ()

    def detect(self, document):
        words = {"mai": Span(0, 3, "DATE", score=0.5), "12h": Span(0, 3, "TEMPS", score=1.0)}
        return [words[document.text[:3]]] if document.text[:3] in words else []


def test_the_next_chunks_are_those_with_most_bits_a_second():
    texts = {"long": "mai" + " rien" * 80, "short": "mai", "sure": "12h", "empty": "rien"}
    samples = [Sample(id, "n", 0, len(text), text) for id, text in texts.items()]
    found = rank_chunks(Unsure(), samples, Seconds(1.0, 0.05, 1.0))
    assert [one.sample.id for one in found][:2] == ["short", "long"]
    assert found[0].bits == found[1].bits == 1.0
    assert measure_uncertainty(Unsure(), [Document("x", "12h")]) == [0.0]
    with pytest.raises(UsageError, match="sure of everything"):
        rank_chunks(Unsure(), samples[2:], Seconds())


PLAN = """
name = "small"
taxonomy = "chuv"
notes = ["notes.jsonl"]
annotators_per_chunk = 0
shuffle = "group"
finish_started = false
annotators = [{id = "e1", team = "exp"}, {id = "e2", team = "exp"}, {id = "c1", team = "con"}, {id = "c2", team = "con"}]
[[conditions]]
name = "half"
group = "1"
teams = ["exp"]
retention = 0.5
[[conditions]]
name = "control"
group = "1"
teams = ["con"]
"""


def test_a_small_contest_from_suggestions_to_the_tests(tmp_path):
    """The whole way by the command line; the full size is tools/bench_campaign.py."""
    runner = CliRunner()

    def run(*arguments):
        done = runner.invoke(app, ["campaign", *map(str, arguments)], catch_exceptions=False)
        assert done.exit_code == 0, done.output

    text = "\n".join(f"Contrôle numéro {n}, {NOTE.text}" for n in range(15))
    ahead = text.index(NOTE.text)
    rows = [line.index(NOTE.text) for line in text.split("\n")]
    starts = [sum(len(line) + 1 for line in text.split("\n")[:n]) + rows[n] for n in range(15)]
    assert starts[0] == ahead
    spans = [{"start": at + s.start, "end": at + s.end, "label": s.label} for at in starts for s in NOTE.spans]
    records = [{"id": f"d{n}", "text": text, "spans": spans} for n in range(4)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    folder = tmp_path / "sim"
    run("simulate", tmp_path / "plan.toml", "-o", folder, "--lang", "fr", "--tasks", 200)
    result = json.loads((folder / "simulation.json").read_text(encoding="utf-8"))
    found = {one["name"]: one for one in result["estimates"]}
    assert found["tasks"]["error"] == found["samples"]["error"] == found["spans marked"]["error"] == 0
    assert found["tasks per minute, by annotator"]["error"] < 1
    assert found["quality index, by annotator"]["error"] < 0.06
    assert found["reference precision, all samples"]["estimate"] > 0.9
    store = folder / "campaign.db"
    run("reference", store, "-o", tmp_path / "reference.jsonl", "--provisional", "--workers", 1)
    run("split", tmp_path / "reference.jsonl", "-o", tmp_path / "sets")
    split = json.loads((tmp_path / "sets" / "split.json").read_text(encoding="utf-8"))["methods"]["rare-first"]["sets"]
    assert not split["test"]["below"]
    assert not split["validation"]["below"]
    run("experiment", store, "-o", tmp_path / "experiment", "--workers", 1)
    group = json.loads((tmp_path / "experiment" / "experiment.json").read_text(encoding="utf-8"))["groups"]["1"]
    assert group["conditions"]["half"]["tasks"] > 50
    assert group["models"]["duration"]["annotators"] == 4
    page = (tmp_path / "experiment" / "experiment.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http-equiv", "")
