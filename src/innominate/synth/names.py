"""Names in all their forms, and what is annotated of them.

Three ways: `whole` (the name is one annotation), `parts` (first names and surnames), `each` (every name apart, a particle or
an initial with the name beside it; CHUV guidelines, section NOM).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from innominate.surrogates import contacts
from innominate.surrogates.contacts import draw_phone
from innominate.surrogates.names import Name, split_name
from innominate.synth.lexicon import Setting
from innominate.synth.note import Note, Op, Piece
from innominate.synth.slot import Slot

Unit = tuple[str, str]  # kind (f: first name, l: surname, i: initials, s: separator) and text
Writer = Callable[[Name], list[Unit]]


def role_kind(role: str) -> str:
    """patient, kin or staff."""
    return {"patient": "patient", "kin": "kin", "kin2": "kin"}.get(role, "staff")


def compile_person(slot: Slot, setting: Setting) -> Op:
    """A name in one of its forms, a title, or how to reach the person."""
    role, form = slot.head, slot.attr
    if form == "title":
        return _title(role, setting)
    if form in ("email", "phone", "username"):
        return _contact(role, form, setting)
    if form == "initials":
        return _initials(role, setting)
    labels = setting.notes.roles[role_kind(role)]
    if form == "reversed":
        plain, capital = _WRITERS["reversed"], _WRITERS["reversed_caps"]
        caps, extents, share = "reversed_caps", setting.language.name_extents, int(setting.notes.names.reversed_caps * 100)

        def run_reversed(note: Note, out: list[Piece]) -> None:
            writer = capital if note.once(caps, 100) < share else plain
            out += group_units(writer(note.person(role).name), extents, labels)

        return run_reversed
    writer, extents = _WRITERS[form], setting.language.name_extents

    def run(note: Note, out: list[Piece]) -> None:
        out += group_units(writer(note.person(role).name), extents, labels)

    return run


def compile_kin_word(slot: Slot, setting: Setting) -> Op:
    """How a relative is related."""
    role, label = slot.head, setting.notes.label("kin_word")
    return lambda note, out: out.append((note.kin(role).word, label))


def group_units(units: list[Unit], extents: str, labels: tuple[str, str]) -> list[Piece]:
    """Join the units of a name into annotations.

    >>> group_units([("i", "M.-L."), ("s", " "), ("l", "Rey")], "each", ("P", "P"))
    [('M.-L. Rey', 'P')]
    """
    if extents == "whole":
        return [("".join([text for _, text in units]), labels[0])]
    if extents == "parts":
        return _by_part(units, labels)
    return _by_name(units, labels[0])


def _by_part(units: list[Unit], labels: tuple[str, str]) -> list[Piece]:
    """First names together, surnames together."""
    pieces: list[Piece] = []
    separator = ""
    for kind, text in units:
        if kind == "s":
            separator = text
            continue
        label = labels[1] if kind == "l" else labels[0]
        if pieces and pieces[-1][1] == label and labels[0] != labels[1]:
            pieces[-1] = (pieces[-1][0] + separator + text, label)
        else:
            pieces += [(separator, ""), (text, label)] if separator else [(text, label)]
        separator = ""
    return pieces


def _by_name(units: list[Unit], label: str) -> list[Piece]:
    """Each name apart; initials go with the name after them, or before if there is none after."""
    pieces: list[Piece] = []
    held = ""  # initials that wait for their name, with the separator
    for position, (kind, text) in enumerate(units):
        if kind == "s":
            if held:
                held += text
            else:
                pieces.append((text, ""))
        elif kind == "i":
            if position == len(units) - 1 and len(pieces) > 1:
                between = pieces.pop()[0]
                pieces[-1] = (pieces[-1][0] + between + text, label)
            else:
                held = text
        else:
            pieces.append((held + text, label))
            held = ""
    return pieces


def initials_of(first: str) -> str:
    """`M.-L.` for Marie-Laure.

    >>> initials_of("Marie-Laure"), initials_of("Ana")
    ('M.-L.', 'A.')
    """
    return "-".join([f"{part[:1]}." for part in first.split("-")])


def _space_units(kind: str, names: list[str]) -> list[Unit]:
    units: list[Unit] = []
    for name in names:
        if units:
            units.append(("s", " "))
        units.append((kind, name))
    return units


def _first(name: Name) -> list[Unit]:
    return _space_units("f", list(name.first))


def _last(name: Name) -> list[Unit]:
    return _space_units("l", [part for surname in name.last for part in split_name(surname)])


def _full(name: Name) -> list[Unit]:
    middle: list[Unit] = [("s", " "), ("i", name.middle)] if name.middle else []
    return [*_first(name), *middle, ("s", " "), *_last(name)]


def _initials_units(name: Name) -> Unit:
    return ("i", " ".join([initials_of(first.split(" ")[0]) for first in name.first]))


def _upper(units: list[Unit]) -> list[Unit]:
    return [(kind, text.upper()) for kind, text in units]


_WRITERS: dict[str, Writer] = {
    "full": _full,
    "first": _first,
    "last": _last,
    "reversed": lambda name: [*_last(name), ("s", " "), *_first(name)],
    "reversed_caps": lambda name: [*_upper(_last(name)), ("s", " "), *_first(name)],
    "listed": lambda name: [*_last(name), ("s", ", "), *_first(name)],
    "initial_last": lambda name: [_initials_units(name), ("s", " "), *_last(name)],
    "last_initial": lambda name: [*_last(name), ("s", " "), _initials_units(name)],
    "caps": lambda name: _upper(_full(name)),
    "last_caps": lambda name: _upper(_last(name)),
    "lower": lambda name: [(kind, text.lower()) for kind, text in _full(name)],
}


def _initials(role: str, setting: Setting) -> Op:
    """`MLC`, as a signature; whether it is annotated depends on the guidelines."""
    labels = setting.notes.roles[role_kind(role)]
    label = {"whole": labels[0], "first": labels[0], "": ""}[setting.notes.names.initials]

    def run(note: Note, out: list[Piece]) -> None:
        name = note.person(role).name
        parts = [part for first in name.first for part in first.split("-")] + [name.last[0].split(" ")[-1]]
        text = "".join([part[0] for part in parts]).upper()
        out.append((text.lower() if note.once("initials", 4) == 0 else text, label))

    return run


def _title(role: str, setting: Setting) -> Op:
    kind = "nurse" if role == "nurse" else "staff" if role_kind(role) == "staff" else "patient"
    forms = setting.notes.titles[kind]
    what, count = f"title {kind}", len(forms)

    def run(note: Note, out: list[Piece]) -> None:
        out.append((forms[note.once(what, count)][note.person(role).name.gender == "f"], ""))

    return run


def _contact(role: str, form: str, setting: Setting) -> Op:
    """What belongs to the person follows from the person's key, so that it is the same in every note."""
    label, lang, work = setting.notes.label(form), setting.lang, role_kind(role) == "staff"

    def run(note: Note, out: list[Piece]) -> None:
        person = note.person(role)
        rng = Random(person.key)
        if form == "email":
            text = contacts.email(person.name, lang, rng, work=work)
        elif form == "username":
            text = contacts.username(person.name, rng)
        else:
            text = draw_phone(lang, rng, fictional=rng.random() < setting.notes.fictional_phones)
        out.append((text, label))

    return run
