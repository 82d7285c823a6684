"""Relatives: who comes along with a patient of some age, how old they are, and what they are called."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from random import Random

from innominate.surrogates.names import relative
from innominate.surrogates.weighted import Weighted
from innominate.synth.lexicon import Entry, write
from innominate.synth.person import YEAR, Kin, Person
from innominate.synth.setting import Setting

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


def draw_kin(patient: Person, group: str, setting: Setting, rng: Random, *, day: date) -> Kin:
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
    return Kin(Person(name, birth, rng.getrandbits(48)), word)


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
