"""The state of one note while it is written: its patient, its dates, its style, and its own randomness."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from innominate.surrogates.dates import Style, draw_style
from innominate.surrogates.places import Place, draw_place
from innominate.synth.case import Case, Episode
from innominate.synth.person import Kin, Person
from innominate.synth.setting import Setting
from innominate.synth.template import Template

Piece = tuple[str, str]  # text, and its label or ''


class Note:
    """What the slots of one note read from. Only `drawn` changes while the note is written."""

    __slots__ = ("case", "dates", "drawn", "episode", "lang", "places", "rng", "style", "words")

    def __init__(self, template: Template, case: Case, episode: Episode, setting: Setting, rng: Random) -> None:
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

    def kin(self, role: str) -> Kin:
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
