"""Streams of synthetic notes: the same arguments give the same bytes.

Templates ship with the package, by language and split; a template and a case become an annotated note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from innominate.core import Document, FormatError, Span, UsageError
from innominate.languages import language_folder
from innominate.synth import noise as rough
from innominate.synth.case import Case, Episode, Fit, draw_case, fit_of
from innominate.synth.lexicon import Setting, setting
from innominate.synth.note import Note, Op, Piece, elide, sequence
from innominate.synth.slot import Slot
from innominate.synth.slots import compile_slot
from innominate.synth.template import Template, labels_in, parse_file

SPLITS = ("train", "dev", "test")
# Patients of a split are numbered from here, so that notes of two splits never share an id
FIRST_PATIENT = {"train": 0, "dev": 800_000, "test": 900_000}
NOTES_PER_PATIENT = 3
_TRIES = 12  # to find another template that fits a patient


def template_files(lang: str, split: str) -> list[Path]:
    """The files of the templates of a language and split."""
    return sorted((language_folder(lang) / "templates" / split).glob("*.txt"))


@cache
def templates(lang: str, split: str) -> tuple[Template, ...]:
    """All templates of a language and split, in the order of file names. Read once.

    >>> {template.split for template in templates("en", "dev")}
    {'dev'}
    """
    if split not in SPLITS:
        raise UsageError(f"there is no split {split!r}; there are: {', '.join(SPLITS)}")
    found: list[Template] = []
    seen: dict[str, str] = {}
    for path in template_files(lang, split):
        source = f"{lang}/{split}/{path.name}"
        for template in parse_file(path.read_text("utf-8"), source):
            if template.name in seen:
                raise FormatError(
                    f"template {template.name!r} is also in {seen[template.name]}", source=source, line=template.line
                )
            seen[template.name] = source
            found.append(replace(template, note_type=path.stem, split=split))
    if not found:
        raise UsageError(f"there are no {split} templates for {lang!r}")
    return tuple(found)


class Program:
    """A template compiled for its language. Compiling checks it: unknown labels and slots raise FormatError."""

    __slots__ = ("run", "setting", "template")

    def __init__(self, template: Template, setting: Setting) -> None:
        unknown = sorted(labels_in(template.nodes) - setting.notes.labels)
        if unknown:
            raise template.error(f"labels that the taxonomy does not have: {', '.join(unknown)}")

        def checked(slot: Slot) -> Op:
            try:
                return compile_slot(slot, setting)
            except ValueError as reason:
                raise template.error(str(reason), slot.line) from None

        self.template, self.setting = template, setting
        self.run = sequence(template.nodes, checked)

    def pieces(self, case: Case, episode: Episode, rng: Random) -> list[Piece]:
        """Write the note as pieces of text, each with its label or ''."""
        note = Note(self.template, case, episode, setting=self.setting, rng=rng)
        out: list[Piece] = []
        self.run(note, out)
        return elide(out, self.setting.lang)


def assemble(pieces: Sequence[Piece], id: str, meta: dict[str, Any]) -> Document:
    """Put pieces together; the annotated ones become spans.

    >>> assemble([("Vu par ", ""), ("Rey", "DOCTOR")], "n1", {}).spans
    (Span(start=7, end=10, label='DOCTOR', score=1.0, source=''),)
    """
    spans: list[Span] = []
    position = 0
    for text, label in pieces:
        end = position + len(text)
        if label and text:
            spans.append(Span(position, end, label))
        position = end
    return Document(id, "".join([piece[0] for piece in pieces]), tuple(spans), meta)


def generate(
    lang: str,
    n: int,
    seed: int,
    split: str = "train",
    *,
    patients: int | None = None,
    note_types: Sequence[str] | None = None,
    noise: rough.Noise = rough.DEFAULT,
) -> Iterator[Document]:
    """Yield n annotated notes of some patients (a third of n unless said otherwise).

    >>> first = next(generate("en", 3, seed=1))
    >>> first.id, sorted(first.meta)
    ('en-000000-1', ['lang', 'patient', 'split', 'template', 'type', 'unit'])
    """
    count = patients or -(-n // NOTES_PER_PATIENT)
    if n < count:
        raise UsageError(f"{n} notes cannot be spread over {count} patients")
    programs = _choose_programs(lang, split, tuple(sorted(note_types)) if note_types else ())
    notes = [1] * count
    counting = Random(f"{seed}/{lang}/{split}/notes")  # a string, because its hash does not depend on the process
    for _ in range(n - count):
        notes[int(counting.random() * count)] += 1
    for number, wanted in enumerate(notes):
        rng = Random(f"{seed}/{lang}/{split}/{number}")
        yield from patient_notes(programs, wanted, f"{lang}-{FIRST_PATIENT[split] + number:06d}", rng, noise=noise)


def patient_notes(
    programs: Sequence[tuple[Program, Fit]], n: int, patient: str, rng: Random, *, noise: rough.Noise = rough.DEFAULT
) -> Iterator[Document]:
    """Yield the notes of one patient, two to a stay. The first template decides what patient it is."""
    program, fit = _any(programs, rng)
    case = draw_case(program.setting, rng, fit, stays=(n + 1) // 2)
    for i in range(n):
        if i:
            program = _another(programs, fit, case, rng) or program
        episode = case.episodes[i // 2]
        pieces = rough.roughen(program.pieces(case, episode, rng), noise, rng)
        template = program.template
        meta = {
            "patient": patient,
            "lang": program.setting.lang,
            "type": template.note_type,
            "template": template.name,
            "unit": episode.department,
            "split": template.split,
        }
        yield assemble(pieces, f"{patient}-{i + 1}", meta)


def _any(programs: Sequence[tuple[Program, Fit]], rng: Random) -> tuple[Program, Fit]:
    return programs[int(rng.random() * len(programs))]


def _another(programs: Sequence[tuple[Program, Fit]], fit: Fit, case: Case, rng: Random) -> Program | None:
    """Another template that suits the patient; None if chance did not find one."""
    for _ in range(_TRIES):
        program, other = _any(programs, rng)
        if fit.allows(other, case):
            return program
    return None


@cache
def programs(lang: str, split: str) -> tuple[tuple[Program, Fit], ...]:
    """All templates of a language and split, compiled once, each with what it asks of its patient."""
    words = setting(lang)
    return tuple((Program(template, words), fit_of(template)) for template in templates(lang, split))


def _choose_programs(lang: str, split: str, note_types: tuple[str, ...]) -> tuple[tuple[Program, Fit], ...]:
    found = programs(lang, split)
    known = sorted({program.template.note_type for program, _ in found})
    unknown = sorted(set(note_types) - set(known))
    if unknown:
        raise UsageError(f"no {split} note type {', '.join(unknown)} in {lang}; there are: {', '.join(known)}")
    return tuple(pair for pair in found if not note_types or pair[0].template.note_type in note_types)
