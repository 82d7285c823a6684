"""A note while it is written: its patient, its dates, its style, its own randomness; and templates compiled to functions.

Each function appends pieces, (text, label), to a list. A template is compiled once and runs often.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from innominate.languages import load_language
from innominate.surrogates.dates import Style, draw_style
from innominate.surrogates.places import Place, draw_place
from innominate.synth.case import Case, Episode, Person, Relative
from innominate.synth.lexicon import Setting
from innominate.synth.slot import Slot
from innominate.synth.template import Agree, Choice, Marked, Node, Nodes, Template, Text

Piece = tuple[str, str]  # text, and its label or ''
Op = Callable[["Note", list[Piece]], None]
Leaf = Callable[[Slot], Op]


class Note:
    """What the slots of one note read from. Only `drawn` changes while the note is written."""

    __slots__ = ("case", "dates", "drawn", "episode", "lang", "places", "rng", "style", "words")

    def __init__(self, template: Template, case: Case, episode: Episode, *, setting: Setting, rng: Random) -> None:
        self.case, self.episode, self.words, self.rng = case, episode, setting.words, rng
        self.lang = setting.lang
        self.style: Style = draw_style(self.lang, rng)
        visit = _visit(template, episode, rng)
        self.dates: dict[str, date] = {
            "birth": case.patient.birth,
            "past2": episode.past2,
            "past": episode.past,
            "admission": episode.admission,
            "surgery": episode.surgery,
            "discharge": episode.discharge,
            "visit": visit,
            "next": visit + timedelta(days=5 + int(rng.random() ** 2 * 200)),
        }
        self.places: dict[str, Place] = {"home": case.home}
        for name in _places(template):
            self.places[name] = draw_place(self.lang, rng, abroad=rng.random() < abroad_share(template, name))
        self.drawn: dict[str, int] = {}  # choices that stay the same within the note, such as the form of a title

    def person(self, role: str) -> Person:
        """The person behind a role."""
        if role == "patient":
            return self.case.patient
        if role in ("kin", "kin2"):
            return self.kin(role).person
        return self.case.gp if role == "gp" else self.episode.staff[role]

    def kin(self, role: str) -> Relative:
        """The relative behind `kin` or `kin2`."""
        return self.case.kin[role == "kin2"]

    def once(self, what: str, count: int) -> int:
        """A number below `count` that is drawn once for the whole note."""
        if what not in self.drawn:
            self.drawn[what] = int(self.rng.random() * count)
        return self.drawn[what]


def abroad_share(template: Template, name: str) -> float:
    """How often a place of a template is abroad: a canton or a postal code must be at home, a country seldom is."""
    used = {slot.attr for slot in template.slots if slot.kind == "place" and slot.head == name}
    if used - {"city", "country"}:
        return 0.0
    return 0.7 if "country" in used else 0.08


def _places(template: Template) -> list[str]:
    return sorted({slot.head for slot in template.slots if slot.kind == "place" and slot.head != "home"})


def _visit(template: Template, episode: Episode, rng: Random) -> date:
    """The day a note was written: never before what it tells."""
    told = {slot.head for slot in template.slots if slot.kind == "date" or slot.at}
    if "discharge" in told:
        late = 0 if rng.random() < 0.5 else int(rng.random() * 8)
        return episode.discharge + timedelta(days=late)
    start = episode.surgery if "surgery" in told else episode.admission
    return start + timedelta(days=int(rng.random() * ((episode.discharge - start).days + 1)))


def elide(pieces: list[Piece], lang: str) -> list[Piece]:
    """Mend the end of plain pieces before what was drawn.

    >>> elide([("près de ", ""), ("Aigle", "CITY")], "fr"), elide([("is a ", ""), ("80", "AGE")], "en")
    ([("près d'", ''), ('Aigle', 'CITY')], [('is an ', ''), ('80', 'AGE')])
    """
    small = load_language(lang).small_words
    if not small.changes:
        return pieces
    endings = tuple(small.changes)
    mended = list(pieces)
    for i, (text, label) in enumerate(pieces[:-1]):
        if not label and text.endswith(endings) and small.before.match(pieces[i + 1][0]):
            ending = next(one for one in endings if text.endswith(one))
            mended[i] = (text.removesuffix(ending) + small.changes[ending], label)
    return mended


def sequence(nodes: Nodes, leaf: Leaf) -> Op:
    """Compile nodes that follow one another; `leaf` compiles the slots."""
    steps = [_step(node, leaf) for node in nodes]
    if len(steps) == 1:
        return steps[0]

    def run(note: Note, out: list[Piece]) -> None:
        for step in steps:
            step(note, out)

    return run


def _step(node: Node, leaf: Leaf) -> Op:
    if isinstance(node, Text):
        return plain(node.text)
    if isinstance(node, Choice):
        return _choice(node, leaf)
    if isinstance(node, Agree):
        return _agree(node, leaf)
    if isinstance(node, Marked):
        return _mark_literal(node, leaf)
    return leaf(node)


def plain(text: str) -> Op:
    """Text that is always the same and not annotated."""
    piece = (text, "")
    return lambda note, out: out.append(piece)


def _choice(node: Choice, leaf: Leaf) -> Op:
    options = [sequence(option, leaf) for option in node.options]
    count = len(options)

    def run(note: Note, out: list[Piece]) -> None:
        options[int(note.rng.random() * count)](note, out)

    return run


def _agree(node: Agree, leaf: Leaf) -> Op:
    masculine, feminine, role = sequence(node.masculine, leaf), sequence(node.feminine, leaf), node.role

    def run(note: Note, out: list[Piece]) -> None:
        (masculine if note.person(role).name.gender == "m" else feminine)(note, out)

    return run


def _mark_literal(node: Marked, leaf: Leaf) -> Op:
    """A literal annotation swallows the labels inside it. Spaces at its ends stay outside: no span may begin with one."""
    inside, label = sequence(node.nodes, leaf), node.label

    def run(note: Note, out: list[Piece]) -> None:
        pieces: list[Piece] = []
        inside(note, pieces)
        text = "".join([piece[0] for piece in elide(pieces, note.lang)])
        core = text.strip()
        if core == text and text:
            out.append((text, label))
            return
        start = text.index(core) if core else len(text)
        out += [(text[:start], ""), (core, label if core else ""), (text[start + len(core) :], "")]

    return run
