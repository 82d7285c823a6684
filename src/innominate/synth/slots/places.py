"""Addresses and their parts, laid out as the language says."""

from __future__ import annotations

from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op, sequence
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot


def compile_place(slot: Slot, setting: Setting) -> Op:
    """A place, or part of it: the layout of the language names the fields and their labels."""
    if slot.attr not in setting.layouts:
        raise ValueError(f"{setting.lang}/notes.toml has no layout for {slot.attr!r}")
    which = slot.head

    def field(inner: Slot) -> Op:
        attribute = inner.attr

        def run(note: Note, out: list[Piece]) -> None:
            out.append((getattr(note.places[which], attribute), ""))

        return run

    return sequence(setting.layouts[slot.attr], field)
