"""The CRF as a detector: from a model folder to spans, one note or many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from innominate.core import Document, Span, UsageError
from innominate.detect.crf.features import Features, NoteWithRules
from innominate.detect.crf.model import CrfModel, read_card
from innominate.detect.crf.tokenise import tokenise
from innominate.detect.dial.dial import DIAL
from innominate.detect.dial.threshold import Marginals, Point, decide, spans_of
from innominate.detect.models.cards import CARD
from innominate.detect.rules.engine import RulesDetector

if TYPE_CHECKING:
    from innominate.detect.crf.training import Lessons

# Characters that are worked on at once: enough to fill arrays, and few enough that no array library starts threads for them.
_BATCH = 10_000


@lru_cache(8)
def _model(folder: Path, _read_times: tuple[int, ...]) -> CrfModel:
    return CrfModel.load(folder)


def _read_times(folder: Path) -> tuple[int, ...]:
    """When the card and the dial were last written: a model that is trained or tuned anew is read anew."""
    paths = (folder / CARD, folder / DIAL)
    return tuple(path.stat().st_mtime_ns if path.is_file() else 0 for path in paths)


@cache
def find_shipped_model(lang: str) -> Path | None:
    """The folder of the model that comes with Innominate for a language, if there is one."""
    folder = Path(str(files("innominate.detect.crf"))) / "models" / lang
    return folder if (folder / CARD).is_file() else None


@dataclass(frozen=True, slots=True)
class CrfDetector:
    """Finds identifiers with a trained model. `recall` says how: F1, F4, F10, F20, F40, a recall, or by groups of labels.

    A model with rule features wants the spans of the rules first; alone it asks for them itself. One that is to learn is made
    with what it learns by, and `fit` gives another one that has learned:

        CrfDetector("fr", parameters={"c1": 0.1}).fit(notes).save(Path("model"))
    """

    lang: str = "en"
    model: str = ""  # a folder; empty: the one that comes with the language
    recall: str = ""
    learned: CrfModel | None = field(default=None, repr=False, compare=False)  # by `fit`; it is in no folder yet
    features: Features | None = field(default=None, compare=False)  # to learn by; None: the usual ones of the language
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)  # of CRFsuite, where not the usual ones

    name = "crf"
    apart = True  # what is found in a note does not depend on those beside it

    @property
    def folder(self) -> Path:
        """Where the model is."""
        found = Path(self.model) if self.model else find_shipped_model(self.lang)
        if found is None:
            raise UsageError(f"no CRF model comes with language {self.lang!r}; name the folder of one you trained")
        return found

    @property
    def loaded(self) -> CrfModel:
        """The model, read once; one of another language would find little and say nothing."""
        if self.learned is not None:
            return self.learned
        folder = self.folder
        found = _model(folder, _read_times(folder))
        if found.card.lang != self.lang:
            raise UsageError(
                f"{folder}: this model reads {found.card.lang!r}, not {self.lang!r}; use --lang {found.card.lang}"
            )
        return found

    @classmethod
    def load(cls, folder: Path) -> CrfDetector:
        """The detector in a folder, in the language of its card."""
        return cls(read_card(folder).lang, str(folder))

    def lessons(self, train: Sequence[Document], **about: Any) -> Lessons:
        """Make annotated notes ready to learn from; `about` is as in `Lessons.of`."""
        from innominate.detect.crf.training import Lessons

        return Lessons.of(train, self.features or Features(self.lang), **about)

    def fit(self, train: Sequence[Document], dev: Sequence[Document] = (), *, seed: int = 0, **about: Any) -> CrfDetector:
        """Learn from annotated notes, and score on others: the detector that has learned. It can be used, and saved."""
        return replace(self, learned=self.lessons(train, **about).learn(self.parameters, dev, seed=seed))

    def save(self, folder: Path) -> None:
        """Write the model into a folder, to be named after `--detector`."""
        self.loaded.save(folder)

    @property
    def labels(self) -> frozenset[str]:
        """Labels this model can give."""
        _ = self._points  # a recall that the model cannot give is an error before the first note
        return self.loaded.card.labels

    @property
    def taxonomy(self) -> str:
        """The taxonomy the model was trained in."""
        return self.loaded.card.taxonomy

    @property
    def _points(self) -> dict[str, Point]:
        return self._points_of(self.loaded)

    def _points_of(self, model: CrfModel) -> dict[str, Point]:
        return model.dial.choose(self.recall, sorted(model.card.labels), model.card.taxonomy)

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans; those of the rules, if the model needs them, are found here."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes at once."""
        return self.after_rules(documents, self._rules(documents))

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the model believes about each token of each note."""
        return self.believe_with_rules(documents, self._rules(documents))

    def after_rules(self, documents: Sequence[Document], by_rules: Sequence[Sequence[Span]]) -> list[Sequence[Span]]:
        """Find spans, given those of the rules."""
        model = self.loaded
        points, calibrated = self._points_of(model), model.dial.calibrated
        return [spans_of(found, decide(found, points), "crf", calibrated) for found in _tag_notes(model, documents, by_rules)]

    def believe_with_rules(self, documents: Sequence[Document], rules: Sequence[Sequence[Span]]) -> list[Marginals]:
        """Marginals, given the spans of the rules."""
        return _tag_notes(self.loaded, documents, rules)

    def _rules(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        model = self.loaded
        if not model.card.features.needs_rules:
            return [()] * len(documents)
        return RulesDetector(model.card.lang).detect_many(documents)


def _tag_notes(model: CrfModel, documents: Sequence[Document], rules: Sequence[Sequence[Span]]) -> list[Marginals]:
    """Marginals, so many notes at once as are quick together."""
    notes = [NoteWithRules(tokenise(doc.text), found, model.card.lang) for doc, found in zip(documents, rules, strict=True)]
    believed: list[Marginals] = []
    first = size = 0
    for index, note in enumerate(notes):
        size += len(note.tokens.text)
        if size >= _BATCH or index + 1 == len(notes):
            believed += _batch(model, notes[first : index + 1])
            first, size = index + 1, 0
    return believed


def _batch(model: CrfModel, notes: Sequence[NoteWithRules]) -> list[Marginals]:
    probabilities, best = model.tagger.tag(notes)
    believed, begin = [], 0
    for note in notes:
        tokens, end = note.tokens, begin + len(note.tokens)
        rows = slice(begin, end)
        believed.append(Marginals(tokens.text, tokens.starts, tokens.ends, model.card.tags, probabilities[rows], best[rows]))
        begin = end
    return believed
