"""The parts of a simulated campaign, from the notes to the errors of the estimates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from innominate.campaign.analysis.analysis import analyse_store
from innominate.campaign.experiment.comparison import Arms, compare_conditions
from innominate.campaign.exports import prodigy_tasks
from innominate.campaign.imports import import_file
from innominate.campaign.planning.config import Campaign, campaign_from
from innominate.campaign.planning.notes import CampaignNote, prepare_note
from innominate.campaign.planning.plan import PlanReader, read_plan
from innominate.campaign.records import Annotator
from innominate.campaign.simulate.marking import Crowd, crowd_from, read_crowd, read_thesis
from innominate.campaign.simulate.recovery import compare_with_truth
from innominate.campaign.simulate.working import FixedQueue, SimulatedTask, StoreQueue, simulate_work, true_spans
from innominate.campaign.store import Store, create_store
from innominate.campaign.suggestions.audiences import similar_labels
from innominate.core import Document, Rejected, UsageError
from innominate.formats import files_of, format_named, write

Result = dict[str, Any]
START = 1_646_640_000.0  # 7 March 2022, 08:00 UTC: simulated time does not depend on the day
_POOL = 1.4  # chunks to choose from, for each one that is annotated


@dataclass(frozen=True, slots=True)
class Scene:
    """A store that is ready, the people, and whether they work in it or in another tool."""

    store: Store
    crowd: Crowd
    export: Path | None = None  # where another tool would write; None: they work in the store
    samples: int = 0  # stop beginning new chunks after so many; 0: never

    @property
    def campaign(self) -> Campaign:
        """The choices behind it."""
        return self.store.campaign()


def stage_campaign(
    path: Path, output: Path, habits: Path | None, left_out: Callable[[Rejected], None] = lambda item: None
) -> Scene:
    """A campaign from its file."""
    plan = read_plan(path)
    if not plan.annotators:
        raise UsageError(f"{path}: nobody is registered, so nobody can be simulated")
    notes = list(PlanReader(plan, left_out).notes())
    if not any(true_spans(notes).values()):
        raise UsageError("no note carries a span, so there is no truth to simulate with; use annotated or synthetic notes")
    store = create_store(
        output / "campaign.db",
        plan.campaign,
        START,
        annotators=plan.annotators,
        notes=notes,
        guidelines=plan.guidelines,
    )
    _write_truth(store, output)
    return Scene(store, read_crowd(habits))


def stage_thesis(output: Path, scale: float, seed: int) -> Scene:
    """The contest of the thesis on synthetic notes, or a part of it."""
    content = read_thesis()
    campaign = campaign_from(content["campaign"])
    people = [Annotator(id, team) for team, ids in content["teams"].items() for id in ids]
    samples = max(1, round(content["samples"] * scale))
    for habits in content["people"].values():
        if "tasks" in habits:
            habits["tasks"] = max(2, round(habits["tasks"] * scale))
    notes = _synthetic(campaign, round(samples * _POOL), seed)
    store = create_store(output / "campaign.db", campaign, START, annotators=people, notes=notes)
    _write_truth(store, output)
    return Scene(store, crowd_from(content, "thesis.toml"), output / "export.jsonl", samples)


def work_through(scene: Scene, most: int, seed: int) -> list[SimulatedTask]:
    """Everybody works; what was done in another tool is exported and imported."""
    store, campaign = scene.store, scene.campaign
    people, truth, near = store.annotators(), true_spans(store.notes()), similar_labels(campaign.taxonomy)
    if scene.export is None:
        return simulate_work(StoreQueue(store), people, truth, scene.crowd, similar=near, seed=seed, start=START, most=most)
    queue = FixedQueue(campaign, people, store.samples(), store.suggestions(), most=scene.samples)
    done = simulate_work(queue, people, truth, scene.crowd, similar=near, seed=seed, start=START, most=most)
    samples = store.samples()
    exported = (task for person in people for task in prodigy_tasks(queue.answers, samples, person))
    write(exported, str(scene.export), format_named("prodigy"))
    for file in files_of(str(scene.export)):
        report = import_file(store, file, time.time())
        if report.problems:
            raise UsageError(
                f"{len(report.problems)} simulated answers could not be imported; the first: {report.problems[0].reason}"
            )
    return done


def summarise_simulation(scene: Scene, done: Sequence[SimulatedTask]) -> Result:
    """Numbers for planning, and the errors of the estimates."""
    store, campaign = scene.store, scene.campaign
    analysis = analyse_store(store).analysis
    given = store.suggestions()
    found = compare_conditions(analysis, campaign, given) if campaign.conditions else None
    arms = Arms.of(campaign, analysis.annotators, given) if campaign.conditions else None
    real = [one for one in done if one.answer.sample in {sample.id for sample in store.samples()}]
    estimates = compare_with_truth(real, true_spans(store.notes()), analysis, experiment=found, arms=arms)
    seconds = sum(one.seconds for one in done)
    chunks = {one.answer.sample for one in real}
    return {
        "tasks": len(done),
        "samples": len(chunks),
        "annotators_per_chunk": len(real) / max(1, len(chunks)),
        "hours": seconds / 3600,
        "days": (max((one.answer.at for one in done), default=START) - START) / 86_400,
        "not_kept": sum(not one.kept for one in done),
        "people": _people(done),
        "estimates": [asdict(one) for one in estimates],
    }


def _people(done: Sequence[SimulatedTask]) -> dict[str, dict[str, float]]:
    people: dict[str, list[float]] = {}
    for one in done:
        people.setdefault(one.answer.annotator, []).append(one.seconds)
    return {
        who: {"tasks": len(some), "hours": sum(some) / 3600, "tasks_per_minute": 60 * len(some) / sum(some)}
        for who, some in sorted(people.items())
    }


def _synthetic(campaign: Campaign, chunks: int, seed: int) -> Iterator[CampaignNote]:
    """Synthetic French notes with at least so many chunks."""
    from innominate.synth.generate import generate  # loads the name lists of several libraries

    made = 0
    for document in generate("fr", chunks, seed=seed):
        note = prepare_note(document, campaign)
        made += len(note.samples)
        yield note
        if made >= chunks:
            return


def _write_truth(store: Store, output: Path) -> None:
    truth = true_spans(store.notes())
    documents = [Document(sample.id, sample.text, truth[sample.id]) for sample in store.samples()]
    write(documents, str(output / "truth.jsonl"), format_named("jsonl"))
