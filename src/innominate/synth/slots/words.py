"""Slots that are filled from the lexicon: hospitals and wards, traits of the patient, and everything that is no identifier."""

from __future__ import annotations

from innominate.surrogates.shapes import fill
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot

_SAME = 0.55  # a note mostly speaks of the hospital and the ward it was written in


def compile_word(slot: Slot, setting: Setting) -> Op:
    """Compile a slot whose words stand in a list; a list that is missing raises ValueError."""
    if slot.kind == "number":
        return _number
    if slot.head == "sex":
        return _sex(setting)
    if slot.kind == "trait":
        return _trait(slot.head, setting)
    kind = "lab" if slot.kind == "labs" else slot.head
    if kind not in setting.words:
        raise ValueError(f"{{{slot.head}}} needs the list {setting.lang}/lexicon/{kind}.txt")
    if slot.kind == "labs":
        return _labs(int(slot.form))
    label = setting.notes.label(kind)
    if kind in ("hospital", "department"):
        return _institution(kind, label)
    return lambda note, out: out.append((note.words.draw(kind, note.rng), label))


def _institution(kind: str, label: str) -> Op:
    """The hospital or ward of the stay, or another one: always the stay's at its first mention in a note."""

    def run(note: Note, out: list[Piece]) -> None:
        first = kind not in note.drawn
        note.drawn[kind] = 1
        same = first or note.rng.random() < _SAME
        text = getattr(note.episode, kind) if same else note.words.draw(kind, note.rng)
        out.append((text, label))

    return run


def _trait(trait: str, setting: Setting) -> Op:
    for gender in "mf":
        if f"{trait}_{gender}" not in setting.words:
            raise ValueError(f"{{{trait}}} needs the list {setting.lang}/lexicon/{trait}_{gender}.txt")
    label = setting.notes.label(trait)
    return lambda note, out: out.append((note.case.traits[trait], label))


def _sex(setting: Setting) -> Op:
    values, label, count = setting.notes.sexes, setting.notes.label("sex"), len(setting.notes.sexes)

    def run(note: Note, out: list[Piece]) -> None:
        out.append((values[note.once("sex", count)][note.case.patient.name.gender == "f"], label))

    return run


def _labs(count: int) -> Op:
    def run(note: Note, out: list[Piece]) -> None:
        out.append(("\n".join([note.words.draw("lab", note.rng) for _ in range(count)]), ""))

    return run


def _number(note: Note, out: list[Piece]) -> None:
    """Two to five digits."""
    out.append((fill("%" + "#" * (1 + int(note.rng.random() * 4)), note.rng), ""))
