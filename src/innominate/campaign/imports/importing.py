"""From an export to the store: everything is checked first, then kept; what is wrong is listed and kept out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from innominate.campaign.imports.export_records import numbered_records
from innominate.campaign.imports.given import Given
from innominate.campaign.imports.matching import AnnotatorNames, Samples
from innominate.campaign.imports.tools import TOOLS, recognise_tool
from innominate.campaign.problems import Problem
from innominate.campaign.records import Answer
from innominate.campaign.store import Event, Store
from innominate.campaign.store.answers import find_problem
from innominate.core import FormatError, Span
from innominate.core.protocols import SourceFile
from innominate.formats.sources import read_bytes
from innominate.labels import Taxonomy, taxonomy


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
    for found in _given(file, name):
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
    store.log(Event(now, "imported", subject=file.name, data=_logged(report, file)))
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
        names = given.names or ((self._annotator,) if self._annotator else _from_file_name(self._tool, file))
        try:
            person = self._people.named(names)
            id = given.key if self._tool == "answers" else _id(self._tool, person.id, given)
            key = f"{person.id}/{given.key}"
            if key in self._lines:
                raise FormatError(f"a second answer with the id of that on line {self._lines[key]}")
            sample = self._samples.of(given, id, person.id)
        except FormatError as error:
            return given.problem(error.reason)
        self._lines[key] = given.line
        answer = Answer(
            *(id, sample.id, person.id, self._renamed(given.spans), given.decision, given.at, 0, given.comment),
            suggested=self._renamed(given.suggested),
            meta=given.meta,
        )
        reason = find_problem(answer, sample, self._labels)
        return given.problem(reason) if reason else answer

    def _renamed(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        return tuple(replace(span, label=_label(span.label, self._labels)) for span in spans)


def _given(file: SourceFile, tool: str) -> Iterator[Given | Problem]:
    for line, record in numbered_records(file):
        if isinstance(record, Problem):
            yield record
        else:
            yield from TOOLS[tool](record, line)


def _id(tool: str, annotator: str, given: Given) -> str:
    return "/".join(part for part in (tool, annotator, given.key, given.version) if part)


def _label(label: str, labels: Taxonomy) -> str:
    """A label of the taxonomy; many projects write its category in front, as in TEMPORAL:DATE.

    >>> _label("TEMPORAL:DATE", taxonomy("chuv")), _label("NOM:DATE", taxonomy("chuv"))
    ('DATE', 'NOM:DATE')
    """
    category, colon, name = label.partition(":")
    return name if colon and name in labels and labels[name].category == category else label


def _from_file_name(tool: str, file: SourceFile) -> tuple[str, ...]:
    """doccano names the file after the person."""
    return (file.id.rpartition("/")[2],) if tool == "doccano" else ()


def _logged(report: ImportReport, file: SourceFile) -> dict[str, object]:
    return {
        "tool": report.tool,
        "stored": report.stored,
        "repeated": report.repeated,
        "empty": report.empty,
        "problems": [[problem.line, problem.reason] for problem in report.problems],
        "sha256": hashlib.sha256(read_bytes(file)).hexdigest(),
    }
