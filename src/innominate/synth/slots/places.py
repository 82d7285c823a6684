"""Addresses and their parts, laid out as the language says."""

from __future__ import annotations

from innominate.synth.language import Language
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op, sequence
from innominate.synth.slot import Slot


def compile_place(slot: Slot, language: Language) -> Op:
    """A place, or part of it: the layout of the language names the fields and their labels."""
    if slot.attr not in language.layouts:
        raise ValueError(f"languages/{language.lang}.toml has no layout for {slot.attr!r}")
    which = slot.head

    def field(inner: Slot) -> Op:
        attribute = inner.attr

        def run(note: Note, out: list[Piece]) -> None:
            out.append((getattr(note.places[which], attribute), ""))

        return run

    return sequence(language.layouts[slot.attr], field)
