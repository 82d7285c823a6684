"""The front door for Python: `load` gives something to call with a text; the rest works on files and corpora.

nlp = innominate.load("fr", policy="pseudo", key="project.key")
nlp("Vu par le Dr Rochat le 18.03.2022").text
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from innominate.core import Document, InnominateError, ProcessingError, Span, UsageError
from innominate.core.protocols import Cleaner, Concealer, Detector
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.models.named import dev_f1, warn_if_useless
from innominate.detect.neural.settings import kinds
from innominate.evaluate.evaluation import evaluate
from innominate.formats import read_annotated, read_documents, reject_second_ids
from innominate.run.concealing import Done
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.journal import Watch
from innominate.run.outcome import Quarantined, Task
from innominate.run.pipeline import check
from innominate.run.record import RunRecord
from innominate.run.series import is_series, like, texts_of
from innominate.run.settings import Settings
from innominate.run.survey import patient_finder
from innominate.run.units import after, of_patients
from innominate.run.workers import outcomes
from innominate.text.language import common_language

__all__ = ["Deidentified", "Deidentifier", "deidentify", "evaluate", "load", "train"]

Place = str | os.PathLike[str]
Notes = Place | Iterable[Document]  # where annotated notes are, or the notes


class Choices(TypedDict, total=False):
    """How notes are worked on. What is not given is as `innominate.run.settings.Settings` has it."""

    unknown_language: str  # withhold a note that does not look like its language, or search it with all
    detector: Place | Detector  # a name, the folder of a model, `rules+` and either, or an object
    recall: str  # how much may be missed: F1, F10, 0.995, names=F20,dates=F1
    rules: Place | Sequence[Place]  # files of your own rules
    taxonomy: str  # whose labels
    policy: Place | Concealer  # pseudo, class, mask, remove, another name, a file, or an object
    key: Place  # the file of the key that pseudonyms are made with
    consistency: str  # who shares pseudonyms: patient, document, markov or none
    propagate: bool  # find again what is marked once
    entities: str | Sequence[str]  # labels of the source that are no identifiers
    cleaners: str | Cleaner | Sequence[str | Cleaner]
    keep_meta: str | Sequence[str]  # metadata that may stay: `lang`, `note_date=DATE`, `ward=keep`, `patient` as a pseudonym
    keep_ids: bool  # ids and names of files as they are, in the output of `deidentify`
    patients: Place  # a file of known identifiers
    patient_key: str  # where the metadata of a note says whose it is
    patients_required: bool
    time_limit: float  # seconds for one note


def load(lang: str = "auto", **choices: Unpack[Choices]) -> Deidentifier:
    """Load what de-identifies notes. What is missing or wrong, such as the key of pseudonyms, is said here.

    >>> load("fr")("Vu le 18.03.2022 à 9h30.").text
    'Vu le <DATE> à <TIME>.'
    """
    settings = _settings(lang, choices)
    check(settings)
    return Deidentifier(settings)


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A note that was de-identified: its `text`, the `spans` in it, and the `original` with what was found there.

    `str` gives the text. A notebook shows the text too, and never the original: what it shows is saved with it.
    """

    id: str
    text: str = field(repr=False)
    spans: tuple[Span, ...]
    original: Document = field(repr=False)
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from innominate.report.preview import render_snippet

        return str(render_snippet(Document(self.id, self.text, self.spans)))


@dataclass(frozen=True, slots=True)
class Deidentifier:
    """De-identifies texts, documents, and columns of pandas and polars, as its settings say. `load` makes one."""

    settings: Settings

    @overload
    def __call__(self, note: str | Document) -> Deidentified: ...

    @overload
    def __call__(self, note: Any) -> Any: ...

    def __call__(self, note: Any) -> Any:
        """De-identify a text or a document; or a Series of texts, which gives a Series of what became of them.

        A note that fails in any step is withheld: of one note the failure is raised, in a Series it leaves an empty cell.
        """
        if is_series(note):
            return self._series(note)
        (result,) = self.pipe([_document(note, "text")])
        if isinstance(result, Quarantined):
            raise ProcessingError(result.step, InnominateError(result.reason))
        return result

    def detect(self, note: str | Document) -> Document:
        """The note with the identifiers found in it, in place of any spans that it carried."""
        result = Task("detect", self.settings)(_document(note, "text"))
        if isinstance(result, Quarantined):
            raise ProcessingError(result.step, InnominateError(result.reason))
        return result.document

    def pipe(self, notes: Iterable[str | Document], *, workers: int = 1) -> Iterator[Deidentified | Quarantined]:
        """De-identify many notes, in order; several processes help from some hundreds of notes on.

        Notes of one patient that follow each other are worked on together, by the metadata that `patient_key` names. In the
        place of a note that fails comes a `Quarantined` with the step and the reason, and none of its text.
        """
        if not isinstance(notes, Iterable) or isinstance(notes, str | bytes | Mapping):
            raise TypeError(f"pipe takes many notes, such as a list, not {type(notes).__name__}; call with one note alone")
        _check_workers(workers)
        documents = (_document(note, str(number)) for number, note in enumerate(notes, start=1))
        units = of_patients(reject_second_ids(documents), patient_finder(self.settings))
        done = outcomes(after(units, 0), Task("deidentify", self.settings, originals=True), workers)
        return (_deidentified(result) if isinstance(result, Done) else result for result in done)

    def _series(self, series: Any) -> Any:
        texts = texts_of(series)
        results = iter(self.pipe(text for text in texts if text is not None))
        concealed = [None if text is None else _text_of(next(results)) for text in texts]
        withheld = sum(new is None and old is not None for old, new in zip(texts, concealed, strict=True))
        if withheld:
            warnings.warn(f"{withheld} of {len(texts)} notes failed and are empty; `pipe` says why", stacklevel=3)
        return like(series, concealed)


def deidentify(
    sources: Place | Sequence[Place],
    output: Place,
    *,
    lang: str = "auto",
    format: str | None = None,
    options: Mapping[str, Any] | None = None,
    to: str | None = None,
    to_options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    resume: bool = False,
    spans: Place = "",
    patient_from: str = "",
    watch: Watch = lambda state, total: None,
    **choices: Unpack[Choices],
) -> RunRecord:
    """De-identify files, folders or a database into an output, as the command of the same name does; returns the record.

    A run that was stopped goes on with `resume=True`. Notes that failed are counted there and listed beside the output.
    `spans` is a file for yourself: what was concealed where, which the output does not say then, nor beside pseudonyms.
    `patient_from` is a regular expression whose first group is the patient in the path of a file.
    """
    if workers is not None:
        _check_workers(workers)
    inputs = Inputs(_places(sources), format, dict(options or {}), patient_from)
    settings = _settings(lang, choices)
    job = Job("deidentify", inputs, _place(output), settings, to, to_options or {}, workers=workers, resume=resume)
    return replace(job, spans=_place(spans, "spans")).run(watch)


def train(
    kind: str,
    *,
    train: Notes,
    dev: Notes | None = None,
    output: Place | None = None,
    lang: str | None = None,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    **about: Any,
) -> Detector:
    """Train a detector on annotated notes and return it: `crf`, or a kind of network such as `bilstm-crf`.

    `parameters` are those of CRFsuite, or the settings of the network. A network learns in the folder `output` and needs `dev`
    to know when to stop; a CRF is written there if one is given. `about` is more for each kind: `features`, `taxonomy` for a
    CRF; `unlabelled`, `language_model`, `word_lm`, `vectors`, `parts_of_speech`, `rare` for networks.
    """
    notes, held_out = _annotated(train, "train"), _annotated(dev, "dev") if dev is not None else []
    if kind == "crf":
        crf = CrfDetector(lang or common_language(notes), features=about.pop("features", None), parameters=parameters or {})
        learned = crf.fit(notes, held_out, seed=seed or 0, **about)
        if output is not None:
            learned.save(Path(output))
        warn_if_useless(learned.loaded.dev_f1, "this CRF")
        return learned
    if kind not in kinds():
        raise UsageError(f"there is no kind of model {kind!r}; there are: crf, {', '.join(kinds())}")
    if output is None or not held_out:
        raise TypeError(f"{kind!r} is a network: it needs a folder to learn in, output=..., and notes to stop by, dev=...")
    from innominate.detect.neural.detector import NeuralDetector

    more = list(_documents(about.pop("unlabelled", ()), "unlabelled"))
    network = NeuralDetector(Path(output), kind=kind, parameters=parameters or {})
    trained = network.fit(notes, held_out, seed=1 if seed is None else seed, unlabelled=more, **about)
    warn_if_useless(dev_f1(Path(output)), str(output))
    return trained


def _check_workers(workers: Any) -> None:
    if not isinstance(workers, int) or isinstance(workers, bool):
        raise TypeError(f"workers is a number of processes, not {type(workers).__name__}")


def _document(note: Any, id: str) -> Document:
    if isinstance(note, Document):
        return note
    if isinstance(note, str):
        return Document(id, note)
    raise TypeError(f"a note is a text or a Document, not {type(note).__name__}; for many of them use pipe")


def _text_of(result: Deidentified | Quarantined) -> str | None:
    return None if isinstance(result, Quarantined) else result.text


def _deidentified(done: Done) -> Deidentified:
    document = done.document
    assert done.original is not None
    return Deidentified(document.id, document.text, document.spans, done.original, document.meta)


_PLACES = {"detector", "policy", "key", "patients"}
_SEVERAL = {known.name for known in fields(Settings) if isinstance(known.default, tuple)}


def _settings(lang: str, choices: Any) -> Settings:
    """Settings from what is usual in Python: paths, lists, one of several without its list."""
    known = {field.name for field in fields(Settings)} - {"lang"}
    if unknown := sorted(choices.keys() - known):
        raise TypeError(f"there is no setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    return Settings(lang, **{name: _value(name, value) for name, value in choices.items()})


def _value(name: str, value: Any) -> Any:
    if name in _SEVERAL:
        several = value if isinstance(value, list | tuple) else (value,)
        return tuple(str(one) if isinstance(one, os.PathLike) else one for one in several)
    return str(value) if name in _PLACES and isinstance(value, os.PathLike) else value


def _place(value: Any, what: str = "output") -> str:
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{what} is a path, a database URL or '-', not {type(value).__name__}")
    return os.fspath(value)


def _places(sources: Any) -> tuple[str, ...]:
    several = sources if isinstance(sources, list | tuple) else [sources]
    return tuple(_place(source, "a source") for source in several)


def _documents(notes: Any, what: str) -> Iterator[Document]:
    if isinstance(notes, str | os.PathLike):
        yield from read_documents(os.fspath(notes))
        return
    for note in notes if isinstance(notes, Iterable) and not isinstance(notes, Mapping) else [notes]:
        if not isinstance(note, Document):
            raise TypeError(f"{what} is a source of notes, or Documents, not {type(note).__name__}")
        yield note


def _annotated(notes: Notes, what: str) -> list[Document]:
    return read_annotated(os.fspath(notes)) if isinstance(notes, str | os.PathLike) else list(_documents(notes, what))
