"""A patient's life, drawn once and shared by all of the patient's notes: names, dates, address, numbers, relatives, stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from random import Random

from innominate.surrogates.dates import age_on
from innominate.surrogates.ids import draw_id
from innominate.surrogates.names import Name, draw_name, relative
from innominate.surrogates.places import Place, draw_place
from innominate.surrogates.weighted import Weighted
from innominate.synth.lexicon import Entry, Setting, write
from innominate.synth.template import Template

# How far a generation is from the patient, in years
_DISTANCE = {
    "parents": (-40, -20),
    "children": (20, 40),
    "grandparents": (-65, -45),
    "grandchildren": (45, 65),
    "partners": (-6, 6),
    "younger": (14, 30),
    "older": (-30, -10),
    "peers": (-7, 7),
}
YEAR = 365.25
_TRAITS = ("profession", "nationality", "civil")


@cache
def kin_groups(age: int) -> Weighted[str]:
    """Which relatives come along, by the age of the patient.

    >>> kin_groups(5).values[0]
    'parents'
    """
    if age < 18:
        return Weighted.of({"parents": 8, "grandparents": 1.5, "older": 1})
    if age < 45:
        return Weighted.of({"partners": 5, "parents": 4, "peers": 3, "older": 0.5})
    if age < 68:
        return Weighted.of({"partners": 5, "children": 4, "peers": 3, "younger": 0.5})
    return Weighted.of({"children": 7, "partners": 4, "peers": 1.5, "grandchildren": 1, "younger": 0.5})


def draw_kin(patient: Person, group: str, setting: Setting, rng: Random, *, day: date) -> Relative:
    """Draw a relative of a generation, with a name from the same family, born at least two years before the day."""
    gender = "m" if rng.random() < 0.5 else "f"
    if group == "partners" and rng.random() < 0.95:
        gender = "f" if patient.name.gender == "m" else "m"
    nearest, farthest = _DISTANCE[group]
    shift = (nearest + rng.random() * (farthest - nearest)) * YEAR
    birth = min(patient.birth + timedelta(days=int(shift)), day - timedelta(days=800))
    same = rng.random() < (0.5 if group in ("partners", "older", "younger") else 0.75)
    name = relative(patient.name, setting.lang, rng, gender=gender, birth_year=birth.year, same_last=same)
    by_group = _by_group(setting, gender)
    word = write((by_group.get(group) or by_group[""]).draw(rng), rng)
    return Relative(Person(name, birth, rng.getrandbits(48)), word)


@cache
def _by_group(setting: Setting, gender: str) -> dict[str, Weighted[Entry]]:
    """The words for relatives of a gender by generation; '' holds them all, for generations that have no word."""
    listed = setting.words.lists[f"kin_{gender}"]
    grouped: dict[str, list[tuple[Entry, float]]] = {"": []}
    for entry, weight in zip(listed.values, listed.weights(), strict=True):
        group = setting.kin_groups.get(str(entry[0]), "peers")
        grouped.setdefault(group, []).append((entry, weight))
        grouped[""].append((entry, weight))
    return {group: Weighted([entry for entry, _ in found], [w for _, w in found]) for group, found in grouped.items()}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody; `key` seeds what follows from the person, such as the e-mail address."""

    name: Name
    birth: date
    key: int


@dataclass(frozen=True, slots=True)
class Relative:
    """A relative and what the patient calls them."""

    person: Person
    word: str


@dataclass(frozen=True, slots=True)
class Episode:
    """A stay: admission <= surgery <= discharge, with the people and the place of it."""

    admission: date
    surgery: date
    discharge: date
    past: date
    past2: date
    hospital: str
    department: str
    staff: Mapping[str, Person]  # doctor, doctor2, doctor3, nurse
    ids: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A patient with everything that must agree between notes."""

    patient: Person
    gp: Person
    kin: tuple[Relative, Relative]
    home: Place
    traits: Mapping[str, str]
    ids: Mapping[str, str]
    episodes: tuple[Episode, ...]

    def age(self, day: date) -> int:
        """The patient's age in full years on a day."""
        return age_on(self.patient.birth, day)


@dataclass(frozen=True, slots=True)
class Fit:
    """What a template asks of its patient."""

    baby: bool = False
    adult: bool = False
    oldest_anchor: int = 0  # years after birth that the template speaks of: {birth+40y}
    gender: str = ""

    def allows(self, other: Fit, case: Case) -> bool:
        """Say whether a patient drawn for this template also fits another one."""
        age = case.age(case.episodes[0].admission)
        return (
            other.baby == self.baby
            and (not other.adult or age >= 18)
            and other.oldest_anchor < age + (1 if self.baby else 0)
            and other.gender in ("", case.patient.name.gender)
        )


def fit_of(template: Template) -> Fit:
    """Read off the slots what patient a template needs."""
    offsets = [slot.offset for slot in template.slots if slot.kind == "date" and slot.head == "birth" and slot.offset]
    return Fit(
        baby=any(slot.form == "baby" for slot in template.slots),
        adult=any(slot.head in ("profession", "civil") for slot in template.slots),
        oldest_anchor=max((offset.amount for offset in offsets if offset.unit == "y"), default=0),
        gender=template.gender,
    )


def draw_case(setting: Setting, rng: Random, fit: Fit, stays: int = 1) -> Case:
    """Draw a patient who fits a template, with a number of stays in time order."""
    lang, words = setting.lang, setting.words
    first, last = setting.notes.years
    admission = date(first, 1, 1) + timedelta(days=int(rng.random() * (last - first) * 365))
    birth = admission - timedelta(days=_age_in_days(rng, fit))
    gender = fit.gender or ("m" if rng.random() < 0.5 else "f")
    patient = _person(draw_name(lang, rng, gender=gender, birth_year=birth.year), birth, rng)
    groups = kin_groups(age_on(birth, admission))
    kin = tuple(draw_kin(patient, groups.draw(rng), setting, rng, day=admission) for _ in range(2))
    return Case(
        patient,
        _staff_member(lang, admission, rng),
        (kin[0], kin[1]),
        draw_place(lang, rng),
        {trait: words.draw(f"{trait}_{gender}", rng) for trait in _TRAITS if f"{trait}_{gender}" in words},
        _ids(setting, "patient", patient, rng),
        tuple(_episodes(setting, rng, patient, admission=admission, stays=stays)),
    )


def _age_in_days(rng: Random, fit: Fit) -> int:
    """Ages of hospital patients: mostly old, some young, babies only where the template is about one."""
    if fit.baby:
        return 1 + int(rng.random() ** 2 * 200)
    youngest = max(18 if fit.adult else 3, fit.oldest_anchor + 1)
    if not fit.adult and rng.random() > 0.06:
        youngest = max(youngest, 18)
    years = youngest + (95 - youngest) * (1 - rng.random() ** 1.3)
    return int(years * YEAR)


def _person(name: Name, birth: date, rng: Random) -> Person:
    return Person(name, birth, rng.getrandbits(48))


def _staff_member(lang: str, day: date, rng: Random) -> Person:
    birth = day - timedelta(days=int((26 + rng.random() * 39) * YEAR))
    return _person(draw_name(lang, rng, birth_year=birth.year), birth, rng)


def _episodes(setting: Setting, rng: Random, patient: Person, *, admission: date, stays: int) -> list[Episode]:
    """Stays one after the other; those of a baby follow quickly."""
    words = setting.words
    episodes: list[Episode] = []
    for _ in range(stays):
        surgery = admission + timedelta(days=int(rng.random() * 5))
        discharge = surgery + timedelta(days=1 + int(rng.random() * 14))
        lived = max((admission - patient.birth).days, 1)
        past = admission - timedelta(days=int(min(60 + rng.random() ** 2 * 3000, lived * 0.7)))
        past2 = past - timedelta(days=int(min(90 + rng.random() * 3600, (past - patient.birth).days * 0.7)))
        staff = {role: _staff_member(setting.lang, admission, rng) for role in ("doctor", "doctor2", "doctor3", "nurse")}
        hospital, department = words.draw("hospital", rng), words.draw("department", rng)
        ids = _ids(setting, "episode", patient, rng)
        episodes.append(Episode(admission, surgery, discharge, past, past2, hospital, department, staff, ids))
        admission = discharge + timedelta(days=int((5 + rng.random() * 30) if lived < 400 else (30 + rng.random() ** 2 * 900)))
    return episodes


def _ids(setting: Setting, owner: str, patient: Person, rng: Random) -> Mapping[str, str]:
    name = patient.name
    return {
        kind: draw_id(setting.lang, kind, rng, birth=patient.birth, gender=name.gender, last=name.lasts)
        for kind, (_, belongs) in setting.notes.ids.items()
        if belongs == owner
    }
