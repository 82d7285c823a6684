"""How much annotation a detector needs: kinds of model x shares of the training notes x seeds (figure 20 of the seed on CVT).

Every cell of that table is one JSON file, written when it is complete; a study that was killed goes on with the cells that are
missing. The notes of a smaller share are also in every larger one of the same seed, and all kinds learn from the same notes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import Document, Score, UsageError
from innominate.detect.models.named import load_saved_detector
from innominate.detect.neural.detector import NO_TORCH
from innominate.detect.neural.settings import change_settings, of_kind
from innominate.evaluate.counts import rates, total
from innominate.evaluate.meddocan import ner, span_strict
from innominate.evaluate.release import Leak
from innominate.formats.durable import partial_of, sync_file
from innominate.labels import for_language, with_labels

CRF, ADAPT = "crf", "adapt"  # kinds of model that are no networks from nothing
_LEVELS = {"ner": ner, "span": span_strict}
NO_CHANCE = (CRF,)  # kinds whose training draws nothing: with all notes every seed is the same
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

    def share_notes(self, cell: Cell) -> tuple[list[Document], list[Document]]:
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
            mine, others = self.share_notes(cell)
            facts = learn(cell, mine, others, self.folder / "work" / cell.name)
            counts = {"notes": len(mine), "spans": sum(len(note.spans) for note in mine)}
            content = {**asdict(cell), **counts, **facts, "mark": self.mark}
            _write(self._path(cell), content)
            yield content

    def _path(self, cell: Cell) -> Path:
        return self.folder / "cells" / f"{cell.name}.json"

    def result(self) -> dict[str, Any]:
        """All cells and their summary, saved as `result.json`."""
        cells = list(self.done().values())
        content = {
            "cells": cells,
            "table": summarise_cells(cells),
            "planned": len(self.cells()),
            "training_notes": len(self.notes),
        }
        _write(self.folder / "result.json", content)
        return content


@dataclass(frozen=True, slots=True)
class CellTraining:
    """How cells are trained and scored. No choice is made on the notes that are scored: networks learn for all their epochs.

    `options` are settings by kind; those under an empty name are for all networks.
    """

    lang: str
    dev: Sequence[Document] = field(repr=False)
    unlabelled: Sequence[Document] = field(default=(), repr=False)
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    device: str = ""
    keep: bool = False  # the models; else only their scores stay

    def settings(self, kind: str, seed: int = 1) -> Any:
        """The settings of a kind, with the options that were asked for."""
        if kind == CRF:
            from innominate.detect.crf.training import PARAMETERS

            return {**PARAMETERS, **{name: read_number(text) for name, text in self.options.get(CRF, {}).items()}}
        if kind == ADAPT:
            from innominate.detect.contextual.training.adapting import Adapting

            return change_settings(Adapting(), self.options.get(ADAPT, {}), seed)
        chosen = of_kind(kind)
        options = {"patience": "0", "seed": str(seed), **self.options.get("", {}), **self.options.get(kind, {})}
        options.setdefault("check", options.get("epochs", str(chosen.recipe.epochs)))  # dev is scored once, here
        return chosen.with_options(options)

    def describe(self, kinds: Sequence[str]) -> dict[str, Any]:
        """All settings as plain values, for the mark of a study."""
        made = {kind: self.settings(kind) for kind in kinds}
        return {kind: value if isinstance(value, dict) else asdict(value) for kind, value in made.items()}

    def learn(self, cell: Cell, notes: Sequence[Document], others: Sequence[Document], folder: Path) -> dict[str, Any]:
        """Train in a folder, score, and clean up. A training that was killed goes on from its last checkpoint."""
        began = time.process_time()
        folder.mkdir(parents=True, exist_ok=True)
        settings = self.settings(cell.kind, cell.seed)
        if cell.kind == CRF:
            self._learn_crf(settings, notes, folder)
        elif cell.kind == ADAPT:
            from innominate.detect.contextual.detector import ContextualDetector
            from innominate.detect.contextual.training.adapting import adapt

            adapt(ContextualDetector().folder, notes, folder, settings, about={"notes": len(notes)})
        else:
            self._learn_network(settings, notes, others, folder)
        facts = self._score(load_saved_detector(folder, self.lang))
        facts["processor_seconds"] = round(time.process_time() - began, 1)
        if not self.keep:
            shutil.rmtree(folder)
            with suppress(OSError):  # another cell's training was stopped there
                folder.parent.rmdir()
        return facts

    def _learn_crf(self, settings: Any, notes: Sequence[Document], folder: Path) -> None:
        from innominate.detect.crf.detector import CrfDetector

        known = with_labels({span.label for note in notes for span in note.spans}, self.lang) or for_language(self.lang)
        detector = CrfDetector(self.lang, parameters=settings)
        detector.fit(notes, taxonomy=known.name, source="learning curve").save(folder)

    def _learn_network(self, settings: Any, notes: Sequence[Document], others: Sequence[Document], folder: Path) -> None:
        try:
            from innominate.detect.neural.training.fit import fit
        except ImportError:
            raise UsageError(NO_TORCH) from None
        # Cross-view training reads the other notes too, without their annotations.
        more = [note.with_spans(()) for note in (*others, *self.unlabelled)] if settings.network.views else ()
        fit(settings, notes, self.dev, folder, unlabelled=more, device=self.device)

    def _score(self, detector: Any) -> dict[str, Any]:
        found = detector.detect_many(self.dev)
        pairs = [(note, note.with_spans(tuple(spans))) for note, spans in zip(self.dev, found, strict=True)]
        leaks = [Leak.of(gold, system) for gold, system in pairs]
        hidden = Score(sum(leak.masked for leak in leaks), 0, sum(leak.identifiers - leak.masked for leak in leaks))
        by_level = {name: rates(total([count(*pair) for pair in pairs])) for name, count in _LEVELS.items()}
        return {**by_level, "hidden": hidden.recall}


def read_number(text: str) -> Any:
    """A number or a truth as it is typed; any other text as it is.

    >>> read_number("1e-3"), read_number("5"), read_number("True"), read_number("lbfgs")
    (0.001, 5, True, 'lbfgs')
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text) if "." in text or "e" in text else int(text)
    except ValueError:
        return text


def _write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a file that is there as a whole or not at all."""
    part = partial_of(path)
    part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    sync_file(part)
    part.replace(path)


def summarise_cells(cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Mean, least and most over seeds, for each kind and share.

    >>> two = [{"kind": "crf", "fraction": 0.5, "notes": 4, "ner": {"f1": f1}, "span": {"f1": 1.0}} for f1 in (0.8, 0.9)]
    >>> summarise_cells(two)[0]["ner"]
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
