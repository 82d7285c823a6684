"""The contextual model as a detector: ONNX Runtime and numpy, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from innominate.core import Document, Span
from innominate.detect.contextual.model import ContextualModel, load_contextual_model
from innominate.detect.contextual.reading import read_texts
from innominate.detect.dial.dial import current_dial
from innominate.detect.dial.threshold import Marginals, Point

MODELS = Path(__file__).parent / "models"
STUDENT, TEACHER = "student", "teacher"


@dataclass(frozen=True)
class ContextualDetector:
    """Finds identifiers in the sentence they stand in; one model for all languages. `recall` turns the dial."""

    model: str | Path = STUDENT  # one that ships, or a folder
    lang: str = ""
    recall: str = ""
    threads: int = 1
    device: str = "cpu"

    name = "contextual"
    apart = True  # what is found in a note does not depend on those beside it

    @property
    def taxonomy(self) -> str:
        """The taxonomy of the labels: ours, or that of the notes a model was adapted to."""
        return self._loaded.taxonomy

    @property
    def folder(self) -> Path:
        """The folder of the model."""
        return MODELS / self.model if str(self.model) in (STUDENT, TEACHER) else Path(self.model)

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give."""
        _ = self._points  # a recall that the model cannot give is an error before the first note
        return frozenset(self._loaded.labels)

    @property
    def model_labels(self) -> tuple[str, ...]:
        """The same in the order of the model's scores."""
        return self._loaded.labels

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes, faster than one by one."""
        points, dial = self._points, current_dial(self.folder)
        return [dial.spans(found, points, self.name) for found in self.marginals(documents)]

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the model believes of each word of each note."""
        return read_texts(self._loaded, [document.text for document in documents])

    @property
    def _loaded(self) -> ContextualModel:
        return load_contextual_model(self.folder, self.threads, self.device)

    @property
    def _points(self) -> dict[str, Point]:
        return current_dial(self.folder).choose(self.recall, self._loaded.labels, self.taxonomy)
