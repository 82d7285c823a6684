"""Networks that learn, in the way of `CrfDetector.fit`; a network learns in its folder, where a stopped training goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.core import Document, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.settings import Settings, of_kind
from innominate.labels import with_labels
from innominate.text.language import languages_of

NO_TORCH = "training neural models needs torch: pip install 'innominate[train]'"
HISTORY = "training.json"


@dataclass(frozen=True, slots=True)
class Watching:
    """Who is told how a training goes."""

    epoch: Callable[[int, Mapping[str, float]], None] = lambda number, scores: None  # its loss, and F1 on dev as `ner`
    guessing: Callable[[int, float], None] = lambda number, loss: None  # an epoch in which an encoder guesses hidden words


_NOBODY = Watching()


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """What came of a training: the detector, how long it took, and how good it is on the notes that said when to stop."""

    detector: NeuralDetector
    seconds: float
    dev_f1: float
    fall: float  # of F1 by eight-bit weights


@dataclass(frozen=True, slots=True)
class NetworkLearner:
    """A network that is to learn: its kind, where it learns, and what it reads through."""

    kind: str
    folder: Path
    options: Mapping[str, str] = field(default_factory=dict)  # settings by name, as they are typed: {"hidden": "128"}
    unlabelled: Sequence[Document] = field(default=(), repr=False)  # for cross-view training
    reading: Mapping[str, Any] = field(default_factory=dict)  # language_model, word_lm, parts_of_speech, vectors, rare

    def settings(self, seed: int) -> Settings:
        """The network and its recipe."""
        return of_kind(self.kind).with_options({**self.options, "seed": str(seed)})

    def fit(
        self, train: Sequence[Document], dev: Sequence[Document], *, seed: int = 1, watching: Watching = _NOBODY
    ) -> TrainedNetwork:
        """Learn from annotated notes until others say that it is enough; the folder is then a model."""
        try:
            from innominate.detect.neural.training.fit import fit, make_small
        except ImportError:
            raise UsageError(NO_TORCH) from None

        shown, held_out, more = ([as_seen(note) for note in notes] for notes in (train, dev, self.unlabelled))
        progress = fit(
            self.settings(seed),
            shown,
            held_out,
            self.folder,
            unlabelled=more,
            about=_about(shown),
            watch=lambda state, _: watching.epoch(state.epoch, state.history[-1]),
            guessing=watching.guessing,
            **self.reading,
        )
        (self.folder / HISTORY).write_text(json.dumps(progress.history), encoding="utf-8")
        fall = make_small(self.folder, held_out)
        return TrainedNetwork(NeuralDetector(self.folder), progress.seconds, progress.best, fall)


def _about(notes: Sequence[Document]) -> dict[str, str]:
    """The language of the notes and the taxonomy of their labels, for the card; empty where there is not one."""
    found = languages_of(notes)
    lang = found.pop() if len(found) == 1 else ""
    known = with_labels({span.label for note in notes for span in note.spans}, lang)
    return {"lang": lang, "taxonomy": known.name if known else ""}
