"""From an export to the store: everything is checked first, then kept; what is wrong is listed and kept out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from innominate.campaign.imports.tools import Given, number_records, read_given, recognise_tool
from innominate.campaign.records import Annotator, Answer, Problem, Sample
from innominate.campaign.store import Event, Store
from innominate.campaign.store.answers import find_problem
from innominate.core import FormatError, Span
from innominate.core.protocols import SourceFile
from innominate.formats.sources import read_bytes
from innominate.labels import Taxonomy, taxonomy


class Samples:
    """Samples by id and by text. Several may have the same text; a person's answers are spread over them."""

    def __init__(self, samples: Iterable[Sample], answers: Iterable[Answer]) -> None:
        self._by_id = {sample.id: sample for sample in samples}
        self._by_text: dict[str, list[Sample]] = {}
        for sample in self._by_id.values():
            self._by_text.setdefault(sample.text, []).append(sample)
        answered = list(answers)
        self._of_answer = {answer.id: answer.sample for answer in answered}
        self._done = {(answer.sample, answer.annotator) for answer in answered}

    def of(self, given: Given, id: str, annotator: str) -> Sample:
        """The sample of an answer; an answer that is in the store already keeps the one it has."""
        if given.sample in self._by_id:
            sample = self._by_id[given.sample]
            if given.text and given.text != sample.text:
                raise FormatError(f"its text differs from sample {sample.id!r}")
        elif not given.text:
            raise FormatError(f"there is no sample {given.sample!r}")
        else:
            sample = self._by_id.get(self._of_answer.get(id, "")) or self._with_text(given.text, annotator)
        self._done.add((sample.id, annotator))
        return sample

    def _with_text(self, text: str, annotator: str) -> Sample:
        same = self._by_text.get(text)
        if not same:
            raise FormatError("its text is not that of any sample")
        return next((sample for sample in same if (sample.id, annotator) not in self._done), same[0])


class AnnotatorNames:
    """The registered annotators by all their names: id, session (`annotator_team`), e-mail address, and `also`.

    >>> people = AnnotatorNames([Annotator("jeff_bezos", "farfalle", email="jb@example.org")])
    >>> people.named(["contest-jeff_bezos_farfalle"]).id, people.named(["jb@example.org"]).id
    ('jeff_bezos', 'jeff_bezos')
    """

    def __init__(self, annotators: Iterable[Annotator]) -> None:
        self._by_name: dict[str, set[Annotator]] = {}
        self._ids: list[str] = []
        for person in annotators:
            self._ids.append(person.id)
            for name in (*person.also, person.email, person.id, f"{person.id}_{person.team}"):
                self._by_name.setdefault(name, set()).add(person)

    def named(self, names: Sequence[str]) -> Annotator:
        """The person of these names; the first that is known counts."""
        for name in filter(None, names):
            for known in _without_dataset(name):
                people = self._by_name.get(known, set())
                if len(people) > 1:
                    raise FormatError(f"{known!r} may be {' or '.join(sorted(person.id for person in people))}")
                if people:
                    return next(iter(people))
        if not names:
            raise FormatError("does not say who annotated; name the person with --annotator")
        raise FormatError(self._unknown(names[0]))

    def _unknown(self, name: str) -> str:
        for known in _without_dataset(name):
            if any(known.startswith(f"{id}_") for id in self._ids):
                return f"the session {name!r} names another team than the registration"
        return f"the annotator {name!r} is not registered"


def _without_dataset(session: str) -> list[str]:
    """Prodigy writes the name of the dataset and a dash in front of a session; either may hold dashes.

    >>> _without_dataset("set-1-eva_gnocchi")
    ['set-1-eva_gnocchi', '1-eva_gnocchi', 'eva_gnocchi']
    """
    parts = session.split("-")
    return ["-".join(parts[start:]) for start in range(len(parts))]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of an export: answers that are new, that were there already, and what was kept out."""

    source: str
    tool: str
    stored: int
    repeated: int
    problems: tuple[Problem, ...]
    empty: int = 0  # left out because nobody can tell whether somebody looked at them


def import_file(
    store: Store,
    file: SourceFile,
    now: float,
    *,
    tool: str | None = None,
    annotator: str | None = None,
    empty: bool = False,
) -> ImportReport:
    """Import the answers of an export.

    With `annotator`, answers that name nobody are this person's. doccano exports what nobody has looked at like what holds
    nothing; with `empty` such records count as looked at.
    """
    name = recognise_tool(file, tool)
    checked = _Checked(store, name, annotator)
    answers: list[tuple[int, Answer]] = []
    problems: list[Problem] = []
    left_out = 0
    read = (given for line, record in number_records(file) for given in read_given(name, record, line))
    for found in read:
        if isinstance(found, Problem):
            problems.append(found)
        elif name == "doccano" and not found.spans and not empty:
            left_out += 1
        elif isinstance(result := checked.answer(found, file), Problem):
            problems.append(result)
        else:
            answers.append((found.line, result))
    answers.sort(key=lambda item: (checked.place[item[1].sample], item[1].at))  # one order of locks for everybody
    receipts = store.import_answers([answer for _, answer in answers], now)
    for (line, _), receipt in zip(answers, receipts, strict=True):
        if not receipt.kept:
            problems.append(Problem("another answer with the same id is in the store", line))
    outcomes = [receipt.outcome for receipt in receipts]
    report = ImportReport(
        *(file.name, name, outcomes.count("stored"), outcomes.count("repeated")),
        tuple(sorted(problems, key=lambda problem: problem.line or 0)),
        left_out,
    )
    known = {
        "tool": name,
        "stored": report.stored,
        "repeated": report.repeated,
        "empty": left_out,
        "problems": [[problem.line, problem.reason] for problem in report.problems],
        "sha256": hashlib.sha256(read_bytes(file)).hexdigest(),
    }
    store.log(Event(now, "imported", subject=file.name, data=known))
    return report


class _Checked:
    """Checks answers against the campaign."""

    def __init__(self, store: Store, tool: str, annotator: str | None) -> None:
        self._tool, self._annotator = tool, annotator
        self._labels = taxonomy(store.campaign().taxonomy)
        self._people = AnnotatorNames(store.annotators())
        samples = store.samples(training=None)
        self._samples = Samples(samples, store.answers(latest=False, training=None))
        self.place = {sample.id: place for place, sample in enumerate(samples)}
        self._lines: dict[str, int] = {}

    def answer(self, given: Given, file: SourceFile) -> Answer | Problem:
        """The answer to keep, or why it is kept out."""
        in_file_name = (file.id.rpartition("/")[2],) if self._tool == "doccano" else ()  # it names the file after the person
        names = given.names or ((self._annotator,) if self._annotator else in_file_name)
        try:
            person = self._people.named(names)
            parts = (self._tool, person.id, given.key, given.version)
            id = given.key if self._tool == "answers" else "/".join(part for part in parts if part)
            key = f"{person.id}/{given.key}"
            if key in self._lines:
                raise FormatError(f"a second answer with the id of that on line {self._lines[key]}")
            sample = self._samples.of(given, id, person.id)
        except FormatError as error:
            return given.problem(error.reason)
        self._lines[key] = given.line
        answer = Answer(
            *(id, sample.id, person.id, self._rename_labels(given.spans), given.decision, given.at, 0, given.comment),
            suggested=self._rename_labels(given.suggested),
            meta=given.meta,
        )
        reason = find_problem(answer, sample, self._labels)
        return given.problem(reason) if reason else answer

    def _rename_labels(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        return tuple(replace(span, label=_label(span.label, self._labels)) for span in spans)


def _label(label: str, labels: Taxonomy) -> str:
    """A label of the taxonomy; many projects write its category in front, as in TEMPORAL:DATE.

    >>> _label("TEMPORAL:DATE", taxonomy("chuv")), _label("NOM:DATE", taxonomy("chuv"))
    ('DATE', 'NOM:DATE')
    """
    category, colon, name = label.partition(":")
    return name if colon and name in labels and labels[name].category == category else label
