"""Telephone numbers, addresses on the net, and identifiers."""

from __future__ import annotations

from innominate.surrogates import contacts
from innominate.surrogates.ids import draw_id, id_kinds
from innominate.surrogates.names import draw_name
from innominate.surrogates.phones import draw_phone
from innominate.synth.language import Language
from innominate.synth.note import Note, Piece
from innominate.synth.ops import Op
from innominate.synth.slot import Slot


def compile_contact(slot: Slot, language: Language) -> Op:
    """How to reach a hospital or somebody; new each time."""
    kind, label, locale = slot.head, language.label(slot.head), language.locale

    def run(note: Note, out: list[Piece]) -> None:
        rng = note.rng
        if kind in ("phone", "fax"):
            text = draw_phone(locale, rng, fictional=rng.random() < language.fictional_phones)
        elif kind == "email":
            text = contacts.email(draw_name(locale, rng), locale, rng, work=rng.random() < 0.7)
        else:
            text = contacts.url(locale, rng) if kind == "url" else contacts.ip(rng)
        out.append((text, label))

    return run


def compile_id(slot: Slot, language: Language) -> Op:
    """An identifier of the patient, of the stay, or a new one."""
    kind, locale = slot.attr, language.locale
    if kind not in language.ids or kind not in id_kinds(locale):
        raise ValueError(f"there is no slot {{id.{kind}}} in {language.lang}; there are: {', '.join(language.ids)}")
    label, owner = language.ids[kind]

    def run(note: Note, out: list[Piece]) -> None:
        if owner == "patient":
            text = note.case.ids[kind]
        elif owner == "episode":
            text = note.episode.ids[kind]
        else:
            person = note.case.patient
            text = draw_id(locale, kind, note.rng, birth=person.birth, gender=person.name.gender)
        out.append((text, label))

    return run
