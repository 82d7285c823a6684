"""One cell of a learning curve: train a kind of model on some notes and score it on others.

No choice is made on the notes that are scored: networks learn for all their epochs, and the last weights are kept.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from innominate.core import Document, Score, UsageError
from innominate.core.protocols import Detector
from innominate.detect.models.named import load_saved_detector
from innominate.detect.neural.settings import change_settings, of_kind
from innominate.evaluate.counts import rates, total
from innominate.evaluate.meddocan import ner, span_strict
from innominate.evaluate.release import Leak
from innominate.labels import for_language, with_labels
from innominate.study.learning_curve import Cell

CRF, ADAPT = "crf", "adapt"


@dataclass(frozen=True, slots=True)
class Training:
    """How cells are trained and scored. `options` are settings by kind; those under an empty name are for all networks."""

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

            return {**PARAMETERS, **{name: _number(text) for name, text in self.options.get(CRF, {}).items()}}
        if kind == ADAPT:
            from innominate.detect.contextual.training.adapting import Adapting

            return change_settings(Adapting(), self.options.get(ADAPT, {}), seed)
        chosen = of_kind(kind)
        options = {"patience": "0", "seed": str(seed), **self.options.get("", {}), **self.options.get(kind, {})}
        options.setdefault("check", options.get("epochs", str(chosen.recipe.epochs)))  # dev is scored once, here
        return chosen.with_options(options)

    def described(self, kinds: Sequence[str]) -> dict[str, Any]:
        """All settings as plain values, for the mark of a study."""
        made = {kind: self.settings(kind) for kind in kinds}
        return {kind: value if isinstance(value, dict) else asdict(value) for kind, value in made.items()}

    def learn(self, cell: Cell, notes: Sequence[Document], others: Sequence[Document], folder: Path) -> dict[str, Any]:
        """Train in a folder, score, and clean up. A training that was killed goes on from its last checkpoint."""
        began = time.process_time()
        folder.mkdir(parents=True, exist_ok=True)
        if cell.kind == CRF:
            self._crf(notes, folder)
        elif cell.kind == ADAPT:
            self._adapt(cell, notes, folder)
        else:
            self._network(cell, notes, others, folder)
        facts = {
            **self._scored(load_saved_detector(folder, self.lang)),
            "processor_seconds": round(time.process_time() - began, 1),
        }
        if not self.keep:
            shutil.rmtree(folder)
            with suppress(OSError):  # another cell's training was stopped there
                folder.parent.rmdir()
        return facts

    def _crf(self, notes: Sequence[Document], folder: Path) -> None:
        from innominate.detect.crf.detector import CrfDetector

        known = with_labels({span.label for note in notes for span in note.spans}, self.lang) or for_language(self.lang)
        detector = CrfDetector(self.lang, parameters=self.settings(CRF))
        detector.fit(notes, taxonomy=known.name, source="learning curve").save(folder)

    def _adapt(self, cell: Cell, notes: Sequence[Document], folder: Path) -> None:
        from innominate.detect.contextual.detector import ContextualDetector
        from innominate.detect.contextual.training.adapting import adapt

        adapt(ContextualDetector().folder, notes, folder, self.settings(ADAPT, cell.seed), about={"notes": len(notes)})

    def _network(self, cell: Cell, notes: Sequence[Document], others: Sequence[Document], folder: Path) -> None:
        try:
            from innominate.detect.neural.training.fit import fit
        except ImportError:
            raise UsageError("training neural models needs torch: pip install 'innominate[train]'") from None
        settings = self.settings(cell.kind, cell.seed)
        # Cross-view training reads the other notes too, without their annotations.
        more = [note.with_spans(()) for note in (*others, *self.unlabelled)] if settings.network.views else ()
        fit(settings, notes, self.dev, folder, unlabelled=more, device=self.device)

    def _scored(self, detector: Detector) -> dict[str, Any]:
        together: Any = detector
        found = together.detect_many(self.dev)
        pairs = [(note, note.with_spans(tuple(spans))) for note, spans in zip(self.dev, found, strict=True)]
        leaks = [Leak.of(gold, system) for gold, system in pairs]
        hidden = Score(sum(leak.masked for leak in leaks), 0, sum(leak.identifiers - leak.masked for leak in leaks))
        levels = {"ner": ner, "span": span_strict}
        return {
            **{name: rates(total([count(*pair) for pair in pairs])) for name, count in levels.items()},
            "hidden": hidden.recall,
        }


def _number(text: str) -> Any:
    words: dict[str, Any] = {"true": True, "false": False}
    try:
        return words.get(text.lower(), float(text) if "." in text or "e" in text else int(text))
    except ValueError:
        return text
