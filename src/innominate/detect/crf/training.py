"""Training with CRFsuite (L-BFGS; with L1 it is OWL-QN, which leaves most weights at 0), and testing fold by fold."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import Document, Score, UsageError
from innominate.detect.crf.features import Features, NoteWithRules
from innominate.detect.crf.model import CrfCard, CrfModel
from innominate.detect.crf.tagger import CrfTagger, CrfWeights
from innominate.detect.crf.tokenise import to_tags, tokenise
from innominate.detect.dial.threshold import OUTSIDE, runs
from innominate.detect.rules.engine import RulesDetector
from innominate.labels import for_language
from innominate.labels import taxonomy as labels_of
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


Fold = tuple[list[int], list[int]]  # numbers of the documents to train on, and to test on


def group_into_folds(documents: Sequence[Document], key: str, count: int, seed: int = 0) -> list[Fold]:
    """Spread groups over folds, the largest first and each into the smallest fold. Key `id`: each note by itself.

    >>> notes = [Document(str(n), "", meta={"patient": n // 2}) for n in range(6)]
    >>> [test for _, test in group_into_folds(notes, "patient", 3)]
    [[0, 1], [4, 5], [2, 3]]
    """
    groups = list(_groups(documents, key).values())
    if not 2 <= count <= len(groups):
        raise UsageError(f"{count} folds cannot be made of {len(groups)} groups by {key!r}; there must be 2 to {len(groups)}")
    Random(seed).shuffle(groups)
    groups.sort(key=len, reverse=True)  # stable: equal ones stay shuffled
    tests: list[list[int]] = [[] for _ in range(count)]
    for group in groups:
        min(tests, key=len).extend(group)
    return [_fold(len(documents), test) for test in tests]


def leave_one_out(documents: Sequence[Document], key: str) -> dict[str, Fold]:
    """Each group once as the test, by its name."""
    groups = _groups(documents, key)
    if len(groups) < 2:
        raise UsageError(f"all notes have the same {key!r}, so none can be left out")
    return {name: _fold(len(documents), test) for name, test in sorted(groups.items())}


def _groups(documents: Sequence[Document], key: str) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, document in enumerate(documents):
        value = document.id if key == "id" else document.meta.get(key)
        if value is None:
            raise UsageError(f"document {document.id!r} has no {key!r} in its metadata, by which folds should be made")
        groups.setdefault(str(value), []).append(index)
    return groups


def _fold(size: int, test: list[int]) -> Fold:
    held_out = set(test)
    return [index for index in range(size) if index not in held_out], sorted(test)


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """Strict counts of spans (place and label, in tokens) and binary counts of tokens."""

    spans: Score = field(default_factory=Score)
    tokens: Score = field(default_factory=Score)

    def __add__(self, other: TrialOutcome) -> TrialOutcome:
        return TrialOutcome(self.spans + other.spans, self.tokens + other.tokens)

    def as_dict(self) -> dict[str, float]:
        """For a row of a table."""
        spans, tokens = self.spans, self.tokens
        return {
            "span_precision": round(spans.precision, 5),
            "span_recall": round(spans.recall, 5),
            "span_f1": round(spans.f(), 5),
            "token_precision": round(tokens.precision, 5),
            "token_recall": round(tokens.recall, 5),
            "token_f1": round(tokens.f(), 5),
        }


def measure(weights: CrfWeights, features: Features, examples: Sequence[Example]) -> TrialOutcome:
    """Compare the best paths with the tags of the examples."""
    tagger = CrfTagger(features, weights)
    total = TrialOutcome()
    for example in examples:
        _, best = tagger.tag([example.note])
        total += _compare_tags(example.tags, [weights.tags[number] for number in best])
    return total


def _compare_tags(gold: Sequence[str], found: Sequence[str]) -> TrialOutcome:
    wanted, given = set(runs(gold)), set(runs(found))
    hits = len(wanted & given)
    binary = [(left != OUTSIDE, right != OUTSIDE) for left, right in zip(gold, found, strict=True)]
    tokens = Score(binary.count((True, True)), binary.count((False, True)), binary.count((True, False)))
    return TrialOutcome(Score(hits, len(given) - hits, len(wanted) - hits), tokens)


def try_fold(
    examples: Sequence[Example],
    fold: Fold,
    features: Features,
    parameters: Mapping[str, Any],
    *,
    progress: Progress | None = None,
) -> TrialOutcome:
    """Train on one part of a fold and test on the other."""
    train_on, test_on = fold
    weights = train([examples[index] for index in train_on], features, parameters, progress)
    return measure(weights, features, [examples[index] for index in test_on])


@dataclass(frozen=True)
class Lessons:
    """Notes, what a CRF sees of them, and where they come from."""

    notes: Sequence[Document] = field(repr=False)
    examples: Sequence[Example] = field(repr=False)
    features: Features
    taxonomy: str
    source: str
    clock: Clock = field(repr=False)

    @classmethod
    def of(
        cls,
        notes: Sequence[Document],
        features: Features,
        *,
        taxonomy: str = "",
        source: str = "notes",
        tick: Callable[[Example], Example] = lambda example: example,
    ) -> Lessons:
        """Make notes ready; their labels have to be those of the taxonomy, or else of the language."""
        clock = Clock()
        if not any(note.spans for note in notes):
            raise UsageError(f"{source}: no note here has an annotated span, so there is nothing to learn from")
        known = labels_of(taxonomy) if taxonomy else for_language(features.lang)
        if unknown := sorted({span.label for note in notes for span in note.spans} - known.labels.keys()):
            raise UsageError(
                f"labels that taxonomy {known.name!r} does not have: {', '.join(unknown)}; name another with --taxonomy"
            )
        return cls(notes, [tick(example) for example in prepare(notes, features)], features, known.name, source, clock)

    def folds(self, group: str, count: int, seed: int) -> dict[str, Fold]:
        """Folds by name that keep a group of notes together, such as those of a patient."""
        return {
            f"fold {number}": fold for number, fold in enumerate(group_into_folds(self.notes, group, count, seed), start=1)
        }

    def each_left_out(self, group: str) -> dict[str, Fold]:
        """A fold for each group, such as each clinical unit, in which it is what is tested on."""
        return leave_one_out(self.notes, group)

    def cross_validate(
        self, parts: Mapping[str, Fold], parameters: Mapping[str, Any]
    ) -> Iterator[tuple[str, int, TrialOutcome]]:
        """Learn from one part of each fold and test on the other: its name, how many notes were tested, and the outcome."""
        for name, fold in parts.items():
            yield name, len(fold[1]), try_fold(self.examples, fold, self.features, parameters)

    def learn(
        self,
        parameters: Mapping[str, Any],
        dev: Sequence[Document] = (),
        *,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> CrfModel:
        """Train on all of them, and score on other notes if there are any."""
        chosen = {**PARAMETERS, **parameters}
        weights = train(self.examples, self.features, chosen, progress)
        facts = {"corpus": corpus_facts(self.notes, self.source), "parameters": chosen, "seed": seed}
        card = card_of(weights, self.features, taxonomy=self.taxonomy, **facts)
        scores = measure(weights, self.features, list(prepare(dev, self.features))).as_dict() if dev else {}
        machine = {"python": platform.python_version(), "system": platform.platform(terse=True)}
        log = {
            "time": self.clock.as_dict(),
            "machine": {**machine, "processors": os.cpu_count() or 0},
            "scores": scores,
        }
        return CrfModel(card, CrfTagger(self.features, weights), log=log)
