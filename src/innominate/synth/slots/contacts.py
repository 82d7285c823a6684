"""Telephone numbers, addresses on the net, and identifiers."""

from __future__ import annotations

from innominate.surrogates import contacts
from innominate.surrogates.ids import draw_id, id_kinds
from innominate.surrogates.names import draw_name
from innominate.surrogates.phones import draw_phone
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot


def compile_contact(slot: Slot, setting: Setting) -> Op:
    """How to reach a hospital or somebody; new each time."""
    kind, label, lang = slot.head, setting.notes.label(slot.head), setting.lang

    def run(note: Note, out: list[Piece]) -> None:
        rng = note.rng
        if kind in ("phone", "fax"):
            text = draw_phone(lang, rng, fictional=rng.random() < setting.notes.fictional_phones)
        elif kind == "email":
            text = contacts.email(draw_name(lang, rng), lang, rng, work=rng.random() < 0.7)
        else:
            text = contacts.url(lang, rng) if kind == "url" else contacts.ip(rng)
        out.append((text, label))

    return run


def compile_id(slot: Slot, setting: Setting) -> Op:
    """An identifier of the patient, of the stay, or a new one."""
    kind, lang = slot.attr, setting.lang
    if kind not in setting.notes.ids or kind not in id_kinds(lang):
        raise ValueError(f"there is no slot {{id.{kind}}} in {setting.lang}; there are: {', '.join(setting.notes.ids)}")
    label, owner = setting.notes.ids[kind]

    def run(note: Note, out: list[Piece]) -> None:
        if owner == "patient":
            text = note.case.ids[kind]
        elif owner == "episode":
            text = note.episode.ids[kind]
        else:
            person = note.case.patient
            text = draw_id(lang, kind, note.rng, birth=person.birth, gender=person.name.gender)
        out.append((text, label))

    return run
