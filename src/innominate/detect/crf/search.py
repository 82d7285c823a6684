"""Random search over the training parameters of the seed (Berg et al. 2020, table 2), in parallel and resumable.

The table prints 0.05 twice for c1 and c2; between 0.01 and 0.001 it must be 0.005.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import UsageError
from innominate.detect.crf.features import Features
from innominate.detect.crf.training import Clock, Example, Fold, TrialOutcome, try_fold

SPACE: Mapping[str, Sequence[Any]] = {
    "linesearch": ("MoreThuente", "StrongBacktracking", "Backtracking"),
    "max_iterations": (50, 100, 150, 200, 250),
    "feature.minfreq": (0, 3, 5),
    "period": (5, 10, 15),
    "num_memories": (3, 6, 9, 12),
    "c1": (0.1, 0.05, 0.01, 0.005, 0.001, 0.0005),
    "c2": (0.1, 0.05, 0.01, 0.005, 0.001, 0.0005),
    "epsilon": (1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
    "delta": (1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
    "feature.possible_transitions": (True, False),
    "feature.possible_states": (True, False),
}


def draw(trial: int, seed: int, space: Mapping[str, Sequence[Any]] = SPACE) -> dict[str, Any]:
    """The parameters of a trial; they depend on its number and the seed alone, so trials can run in any order.

    >>> draw(3, seed=1) == draw(3, seed=1) != draw(4, seed=1)
    True
    """
    rng = Random(f"{seed}/{trial}")
    return {name: rng.choice(options) for name, options in space.items()}


class Search:
    """Trials of one search, kept in a file of JSON lines; what is there already is not run again."""

    def __init__(
        self, path: Path, examples: Sequence[Example], folds: Sequence[Fold], features: Features, *, seed: int
    ) -> None:
        self.path, self.seed = path, seed
        self._work = (examples, folds, features)
        self._header = {"seed": seed, "notes": len(examples), "folds": len(folds), "features": features.as_dict()}
        self.done = self._read()

    def _read(self) -> dict[int, dict[str, Any]]:
        if not self.path.is_file():
            return {}
        lines = [row for line in self.path.read_text(encoding="utf-8").splitlines() if (row := _row(line))]
        if lines and lines[0] != self._header:
            raise UsageError(f"{self.path}: these trials belong to another search; move the file away to start anew")
        return {line["trial"]: line for line in lines[1:]}

    def run(self, count: int, workers: int) -> Iterator[dict[str, Any]]:
        """Run what is missing of `count` trials, and yield each as it ends."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Written anew: a row that was cut off when the last search was stopped would spoil the one after it.
        kept = "".join(json.dumps(row) + "\n" for row in (self._header, *self.done.values()))
        self.path.write_text(kept, encoding="utf-8")
        missing = [trial for trial in range(count) if trial not in self.done]
        context = multiprocessing.get_context("fork")  # examples are inherited, not copied
        begin = (self._work, os.getpid())
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=begin) as pool:
            running = [pool.submit(_run, trial, draw(trial, self.seed)) for trial in missing]
            for finished in as_completed(running):
                row = finished.result()
                self.done[row["trial"]] = row
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
                yield row

    def rank_trials(self) -> list[dict[str, Any]]:
        """Trials, the best strict F1 first."""
        return sorted(self.done.values(), key=lambda row: (-row["span_f1"], row["trial"]))


def _row(line: str) -> dict[str, Any]:
    """A line of the file; nothing if the search was stopped while it wrote it."""
    try:
        row: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return row


_work: tuple[Sequence[Example], Sequence[Fold], Features] | None = None


def _begin(work: tuple[Sequence[Example], Sequence[Fold], Features], parent: int) -> None:
    global _work  # noqa: PLW0603 - the state of a worker process
    _work = work
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    """End this worker when the search is gone: one that was killed can not tell its workers to stop."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _run(trial: int, parameters: dict[str, Any]) -> dict[str, Any]:
    assert _work is not None
    examples, folds, features = _work
    clock, total = Clock(), TrialOutcome()
    for fold in folds:
        total += try_fold(examples, fold, features, parameters)
    return {"trial": trial, **total.as_dict(), "parameters": parameters, **clock.as_dict()}
