"""Training with CRFsuite (L-BFGS; with L1 it is OWL-QN, which leaves most weights at 0)."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import Document, UsageError
from innominate.detect.crf.card import CrfCard
from innominate.detect.crf.features import Features
from innominate.detect.crf.place_features import NoteWithRules
from innominate.detect.crf.tags import to_tags
from innominate.detect.crf.tokenise import tokenise
from innominate.detect.crf.weights import CrfWeights
from innominate.detect.rules.engine import RulesDetector
from innominate.text.view import DETECTION, named, view

PARAMETERS: Mapping[str, Any] = {
    "c1": 0.2,
    "c2": 0.05,
    "max_iterations": 100,
    "feature.minfreq": 2,
    "feature.possible_transitions": True,
}

Progress = Callable[[int], None]  # called with the number of the iteration


@dataclass(frozen=True, slots=True)
class Example:
    """A note ready for training: what its features look at, and its tags."""

    note: NoteWithRules
    tags: list[str] = field(repr=False)


def as_seen(document: Document) -> Document:
    """The note as detectors see it: without disguise, its spans carried along."""
    shown = view(document.text, named(DETECTION))
    return Document(document.id, shown.text, tuple(shown.from_original(document.spans)), document.meta)


def prepare(
    documents: Iterable[Document], features: Features, *, hidden: float = 0.0, rng: Random | None = None
) -> Iterator[Example]:
    """Tokens, rules and tags of annotated documents, in the view that detectors get.

    A share of what the rules found can be `hidden`: where rules are nearly always right, as on the notes that they were
    written with, a model would otherwise learn that there is nothing to find where they find nothing.
    """
    rules = RulesDetector(features.lang) if features.needs_rules else None
    rng = rng or Random(0)
    for document in map(as_seen, documents):
        found = [span for span in rules.detect(document) if rng.random() >= hidden] if rules else ()
        tokens = tokenise(document.text)
        yield Example(NoteWithRules(tokens, found, features.lang), to_tags(tokens, document.spans))


def train(
    examples: Sequence[Example],
    features: Features,
    parameters: Mapping[str, Any] = PARAMETERS,
    progress: Progress | None = None,
) -> CrfWeights:
    """Learn weights. There is no chance in it: the same examples in the same order give the same weights."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.crfsuite"
        train_file(path, examples, features, parameters, progress=progress)
        return read_weights(path, features)


def train_file(
    path: Path,
    examples: Sequence[Example],
    features: Features,
    parameters: Mapping[str, Any] = PARAMETERS,
    *,
    progress: Progress | None = None,
) -> None:
    """Train into a file of CRFsuite's own."""
    trainer = _trainer(progress)
    known: dict[str, list[list[str]]] = {}
    for example in examples:
        fill(trainer, features.of_note(example.note, known), example)
    trainer.set_params(dict(parameters))
    trainer.train(str(path))


def read_weights(path: Path, features: Features) -> CrfWeights:
    """Take the weights out of a CRFsuite file."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info = tagger.info()
    return CrfWeights.of(tagger.labels(), features.offsets, info.state_features, info.transitions)


def fill(trainer: Any, items: list[list[str]], example: Example) -> None:
    """Give CRFsuite the units of a note."""
    import pycrfsuite

    first = 0
    for last in example.note.tokens.units:
        trainer.append(pycrfsuite.ItemSequence(items[first:last]), example.tags[first:last])
        first = last


def _trainer(progress: Progress | None) -> Any:
    try:
        import pycrfsuite
    except ImportError as error:
        raise UsageError("training a CRF needs python-crfsuite: pip install 'innominate[train]'") from error

    class CrfsuiteTrainer(pycrfsuite.BaseTrainer):  # type: ignore[misc]
        """Says at which iteration it is, and nothing else."""

        def message(self, message: str) -> None:
            if progress and message.startswith("***** Iteration #"):
                progress(int(message.split("#")[1].split(maxsplit=1)[0]))

    return CrfsuiteTrainer(algorithm="lbfgs", verbose=True)


def corpus_facts(documents: Sequence[Document], source: str) -> dict[str, Any]:
    """What the card says about the corpus."""
    labels = Counter(span.label for document in documents for span in document.spans)
    return {
        "source": source,
        "notes": len(documents),
        "characters": sum(len(document.text) for document in documents),
        "spans": sum(labels.values()),
        "labels": dict(sorted(labels.items())),
    }


def card_of(weights: CrfWeights, features: Features, **facts: Any) -> CrfCard:
    """The card of a model that was trained here."""
    from innominate import __version__

    versions = {"innominate": __version__, "python-crfsuite": version("python-crfsuite")}
    return CrfCard(features.lang, tags=weights.tags, features=features, versions=versions, **facts)


def save(folder: Path, card: CrfCard, weights: CrfWeights, *, half: bool = False) -> None:
    """Write a model folder."""
    folder.mkdir(parents=True, exist_ok=True)
    card.write(folder)
    weights.save(folder, half=half)


class Clock:
    """Seconds since it was made, for `training.toml`."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.monotonic(), time.process_time()

    def as_dict(self) -> dict[str, float]:
        """Wall and processor time."""
        return {
            "seconds": round(time.monotonic() - self._wall, 1),
            "processor_seconds": round(time.process_time() - self._cpu, 1),
        }
