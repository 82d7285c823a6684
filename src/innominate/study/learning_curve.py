"""How much annotation a detector needs: kinds of model x shares of the training notes x seeds (figure 20 of the seed on CVT).

Every cell of that table is one JSON file, written when it is complete; a study that was killed goes on with the cells that are
missing. The notes of a smaller share are also in every larger one of the same seed, and all kinds learn from the same notes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import Document, UsageError
from innominate.formats.durable import partial_of

NO_CHANCE = ("crf",)  # kinds whose training draws nothing: with all notes every seed is the same
Cells = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One training.

    >>> Cell("crf", 0.25, 3).name
    'crf_0.25_3'
    """

    kind: str
    fraction: float
    seed: int

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"{self.kind}_{self.fraction:g}_{self.seed}"


Learn = Callable[[Cell, Sequence[Document], Sequence[Document], Path], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """The plan of a study and the folder of its results. `mark` says what notes and settings its cells depend on."""

    folder: Path
    kinds: tuple[str, ...]
    fractions: tuple[float, ...]
    seeds: tuple[int, ...]
    notes: Sequence[Document] = field(repr=False)
    mark: str = ""

    def __post_init__(self) -> None:
        if not all(0 < fraction <= 1 for fraction in self.fractions):
            raise UsageError("--fractions are shares of the training notes, over 0 and up to 1")
        for what, values in (("--kinds", self.kinds), ("--fractions", self.fractions), ("--seeds", self.seeds)):
            if not values or len(set(values)) != len(values):
                raise UsageError(f"{what} is a list without doubles, with commas between")

    def cells(self) -> list[Cell]:
        """All cells, small shares first, so that a picture of the whole is there early."""
        return [
            Cell(kind, fraction, seed)
            for fraction in sorted(self.fractions)
            for seed in self.seeds
            for kind in self.kinds
            if not (kind in NO_CHANCE and fraction == 1 and seed != self.seeds[0])
        ]

    def shared_out(self, cell: Cell) -> tuple[list[Document], list[Document]]:
        """The notes that a cell learns from, and the others."""
        order = list(range(len(self.notes)))
        Random(f"learning-curve/{cell.seed}").shuffle(order)
        chosen = set(order[: max(1, round(cell.fraction * len(order)))])
        mine, others = ([note for i, note in enumerate(self.notes) if (i in chosen) is own] for own in (True, False))
        return mine, others

    def done(self) -> Cells:
        """The cells that are complete; one of other notes or settings is an error."""
        found = {}
        for cell in self.cells():
            path = self._path(cell)
            if not path.is_file():
                continue
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["mark"] != self.mark:
                raise UsageError(f"{path}: this cell comes from other notes or settings; choose another folder with -o")
            found[cell.name] = content
        return found

    def run(self, learn: Learn) -> Iterator[dict[str, Any]]:
        """Work on the cells that are missing, one after the other."""
        done = self.done()
        (self.folder / "cells").mkdir(parents=True, exist_ok=True)
        for cell in self.cells():
            if cell.name in done:
                continue
            mine, others = self.shared_out(cell)
            facts = learn(cell, mine, others, self.folder / "work" / cell.name)
            content = {
                "kind": cell.kind,
                "fraction": cell.fraction,
                "seed": cell.seed,
                "notes": len(mine),
                "spans": sum(len(note.spans) for note in mine),
                **facts,
                "mark": self.mark,
            }
            _write(self._path(cell), content)
            yield content

    def _path(self, cell: Cell) -> Path:
        return self.folder / "cells" / f"{cell.name}.json"

    def result(self) -> dict[str, Any]:
        """All cells and their summary, saved as `result.json`."""
        cells = list(self.done().values())
        content = {"cells": cells, "table": summarised(cells), "planned": len(self.cells()), "training_notes": len(self.notes)}
        _write(self.folder / "result.json", content)
        return content


def _write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a file that is there as a whole or not at all."""
    part = partial_of(path)
    with part.open("w", encoding="utf-8") as file:
        file.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def summarised(cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Mean, least and most over seeds, for each kind and share.

    >>> two = [{"kind": "crf", "fraction": 0.5, "notes": 4, "ner": {"f1": f1}, "span": {"f1": 1.0}} for f1 in (0.8, 0.9)]
    >>> summarised(two)[0]["ner"]
    {'mean': 0.85, 'least': 0.8, 'most': 0.9}
    """
    groups: dict[tuple[str, float], list[Mapping[str, Any]]] = {}
    for cell in cells:
        groups.setdefault((cell["kind"], cell["fraction"]), []).append(cell)
    return [
        {
            "kind": kind,
            "fraction": fraction,
            "seeds": len(some),
            "notes": some[0]["notes"],
            **{measure: _spread([cell[measure]["f1"] for cell in some]) for measure in ("ner", "span")},
        }
        for (kind, fraction), some in groups.items()
    ]


def _spread(values: Sequence[float]) -> dict[str, float]:
    found = {"mean": sum(values) / len(values), "least": min(values), "most": max(values)}
    return {name: round(value, 6) for name, value in found.items()}


def mark_of(*parts: Any) -> str:
    """A short hash of everything that a cell depends on.

    >>> mark_of([Document("n", "x")], {"epochs": 3}) == mark_of([Document("n", "y")], {"epochs": 3})
    False
    """

    def plain(part: Any) -> Any:
        return (
            [part.id, part.text, [[s.start, s.end, s.label] for s in part.spans]] if isinstance(part, Document) else str(part)
        )

    return hashlib.sha256(json.dumps(parts, default=plain, sort_keys=True).encode()).hexdigest()[:16]
