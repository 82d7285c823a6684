"""A template and a case become an annotated note."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from innominate.core import Document, Span
from innominate.synth.case import Case, Episode
from innominate.synth.elision import elide
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op, sequence
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot
from innominate.synth.slots import leaf
from innominate.synth.template import Template, labels_in


class Program:
    """A template compiled for its language. Compiling checks it: unknown labels and slots raise FormatError."""

    __slots__ = ("run", "setting", "template")

    def __init__(self, template: Template, setting: Setting) -> None:
        unknown = sorted(labels_in(template.nodes) - setting.notes.labels)
        if unknown:
            raise template.error(f"labels that the taxonomy does not have: {', '.join(unknown)}")
        compile_slot = leaf(setting)

        def checked(slot: Slot) -> Op:
            try:
                return compile_slot(slot)
            except ValueError as reason:
                raise template.error(str(reason), slot.line) from None

        self.template, self.setting = template, setting
        self.run = sequence(template.nodes, checked)

    def pieces(self, case: Case, episode: Episode, rng: Random) -> list[Piece]:
        """Write the note as pieces of text, each with its label or ''."""
        note = Note(self.template, case, episode, self.setting, rng)
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
