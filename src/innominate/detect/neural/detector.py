"""The neural detector: ONNX Runtime and numpy, no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

from innominate.core import Document, Span, UsageError
from innominate.detect.dial.dial import current_dial
from innominate.detect.dial.threshold import Marginals, Point
from innominate.detect.models.cards import load_card
from innominate.detect.neural.model import NeuralModel
from innominate.detect.neural.serving import Served, load_served, read_marginals
from innominate.detect.neural.settings import NeuralSettings, Watch, of_kind
from innominate.labels import with_labels

SHIPPED = Path(__file__).parent / "models"
NO_TORCH = "training neural models needs torch: pip install 'innominate[train]'"


_NOBODY = Watch()


@dataclass(frozen=True)
class NeuralDetector:
    """Finds identifiers with a trained network. `recall` says how, once the model is tuned: F1, F10, 0.995, names=F20.

    Spans carry the probability that the least certain of their pieces belongs to the label, calibrated by the tuning. One that
    is to learn is made with its kind and the folder that it learns in, where a stopped training goes on:

        NeuralDetector("model", kind="bilstm-crf", parameters={"hidden": 128}).fit(notes, dev)
    """

    model: str | Path = ""  # the network that comes with the language
    lang: str = ""
    recall: str = ""
    threads: int = 1
    kind: str = field(default="bilstm-crf", compare=False)  # of network, to learn
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)  # its settings, where not the usual ones

    name = "neural"

    @classmethod
    def load(cls, folder: Path) -> NeuralDetector:
        """The detector in a folder, in the language of its card."""
        return cls(folder, str(load_card(folder).get("lang", "")))

    def settings(self, seed: int = 1) -> NeuralSettings:
        """The network that is to learn, and its recipe."""
        return of_kind(self.kind).with_options({**self.parameters, "seed": seed})

    def fit(
        self, train: Sequence[Document], dev: Sequence[Document], *, seed: int = 1, watch: Watch = _NOBODY, **about: Any
    ) -> NeuralDetector:
        """Learn from annotated notes until others say that it is enough: the detector that has learned.

        `about` is as in `training.fit`: `unlabelled`, `language_model`, `word_lm`, `parts_of_speech`, `vectors`, `rare`.
        """
        try:
            from innominate.detect.neural.training.fit import fit_in_folder
        except ImportError:
            raise UsageError(NO_TORCH) from None

        fit_in_folder(self.settings(seed), train, dev, Path(self.model), watch=watch, **about)
        return NeuralDetector(self.model, recall=self.recall, threads=self.threads)

    def save(self, folder: Path) -> None:
        """Copy the model into a folder, to be named after `--detector`."""
        copytree(self.folder, folder, ignore=ignore_patterns("checkpoint"), dirs_exist_ok=True)

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give."""
        _ = self._points  # a recall that the model cannot give is an error before the first note
        return frozenset(self._loaded[0].tagset.labels)

    @property
    def taxonomy(self) -> str:
        """The taxonomy of the labels; empty if they are of none."""
        model = self._loaded[0]
        known = with_labels(model.tagset.labels, self.lang)
        return str(model.card.get("taxonomy") or (known.name if known else ""))

    @property
    def _points(self) -> dict[str, Point]:
        return current_dial(self.folder).choose(self.recall, self._loaded[0].tagset.labels, self.taxonomy)

    @property
    def folder(self) -> Path:
        """The folder of the model."""
        found = Path(self.model) if self.model else find_shipped_network(self.lang, self.name)
        if found is None:
            known = ", ".join(sorted(path.name for path in (SHIPPED / self.name).iterdir() if path.is_dir()))
            raise UsageError(
                f"no network comes with the language {self.lang!r}, only with: {known}; name a folder, or use --detector union"
            )
        return found

    @property
    def _loaded(self) -> tuple[NeuralModel, Served]:
        return load_served(self.folder, self.threads)

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes, faster than one by one."""
        points, dial = self._points, current_dial(self.folder)
        return [dial.spans(found, points, self.name) for found in self.marginals(documents)]

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the network believes of each piece of each note."""
        return read_marginals(*self._loaded, documents)


class FlairDetector(NeuralDetector):
    """The same with the network that is best and not quick: it reads through character language models."""

    name = "flair"


def find_shipped_network(lang: str, name: str = NeuralDetector.name) -> Path | None:
    """The folder of the network that comes with a language, if there is one: the quick one, or that of another name."""
    folder = SHIPPED / name / lang
    return folder if lang and folder.is_dir() else None
