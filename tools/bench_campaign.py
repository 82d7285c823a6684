"""A simulated campaign of the thesis's size, from import to the t-tests; the goal is less than 5 minutes on 2 cores.

python tools/bench_campaign.py [share of the size] [folder]

Prints the seconds of every step and the error of every estimate.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from innominate.campaign.analysis.analysis import AnalysisChoices, analyse
from innominate.campaign.experiment.comparison import Arms, compare_conditions
from innominate.campaign.exports import reference_documents
from innominate.campaign.feedback.feedback import make_feedback
from innominate.campaign.reference.splits import compare_splits, group_pieces
from innominate.campaign.simulate.recovery import compare_with_truth
from innominate.campaign.simulate.scene import stage_thesis, work_through
from innominate.campaign.simulate.working import true_spans
from innominate.campaign.suggestions.audiences import suggest
from innominate.cli.campaign.experiment import summary
from innominate.cli.campaign.suggest import detecting
from innominate.report.feedback import write_feedback

LIMIT = 300.0
T = TypeVar("T")


def main() -> None:
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    started = time.monotonic()
    scene = timed("notes and store", lambda: stage_thesis(folder, scale, seed=0))
    timed("suggestions", lambda: suggest(scene.store, detecting(scene.campaign.taxonomy, "rules", "fr")))
    done = timed("annotators, export, import", lambda: work_through(scene, 0, seed=0))
    store = scene.store
    choices = AnalysisChoices(workers=os.cpu_count() or 1)
    analysis = timed(
        "analysis and scoreboard",
        lambda: analyse(store.samples(), store.annotators(), store.answers(latest=False), choices=choices),
    )
    documents = timed("reference", lambda: reference_documents(analysis, provisional=True))
    timed("feedback", lambda: [write_feedback(one, {}) for one in make_feedback(analysis, datetime.now())])
    _, split = timed("split", lambda: compare_splits(group_pieces(documents), "rare-first"))
    given = store.suggestions()
    found = timed("t-tests and models", lambda: compare_conditions(analysis, scene.campaign, given))
    total = time.monotonic() - started
    goal = f"of {LIMIT:.0f} s" if scale == 1 else f"at {scale:g} of the size"
    print(f"{'all':28} {total:8.1f} s {goal}: {len(done):,} tasks, {len(analysis.records):,} samples")
    print()
    summary(found)
    print()
    for method, one in split["methods"].items():
        for name, row in one["sets"].items():
            gamma = row["gamma"] or 0.0
            print(f"{method:11} {name:11} {row['samples']:5} gamma {gamma:.3f}, {row['annotators']:.2f} annotators, ", end="")
            print(f"{row['distance']:6.1%} off target, {len(row['below'])} below")
    print()
    arms = Arms.of(scene.campaign, analysis.annotators, given)
    for estimate in compare_with_truth(done, true_spans(store.notes()), analysis, experiment=found, arms=arms):
        print(f"{estimate.name:52} {estimate.truth:10.4f} {estimate.estimate:10.4f} {estimate.error:+10.4f}")


def timed(name: str, step: Callable[[], T]) -> T:
    wall, cpu = time.monotonic(), time.process_time()
    result = step()
    print(f"{name:28} {time.monotonic() - wall:8.1f} s, {time.process_time() - cpu:8.1f} s of this process", flush=True)
    return result


if __name__ == "__main__":
    main()
