"""The grammar of one slot, `{admission+2w:long}`, and the list of all slots that exist."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

ROLES = ("patient", "gp", "doctor", "doctor2", "doctor3", "nurse", "kin", "kin2")
NAME_FORMS = frozenset({
    "full", "first", "last", "reversed", "listed", "initial_last", "last_initial", "caps", "last_caps", "lower", "initials",
    "title", "email", "phone", "username",
})  # fmt: skip
ANCHORS = ("birth", "past2", "past", "admission", "surgery", "discharge", "visit", "next")
DATE_FORMS = frozenset(
    ("num", "num2", "iso", "long", "dlong", "dm", "mynum", "my", "m", "y", "wd", "wdd", "hol", "range", "rangenum")
)
HOME = frozenset(["street_line", "street", "number", "zip", "city", "state", "country", "address", "block"])
PLACE = HOME - {"address", "block"}
DECOYS = frozenset({
    "eponym", "scale", "device_name", "anatomy", "drug", "lab", "vitals", "gest", "duration", "diagnosis", "procedure",
    "finding", "symptom", "allergen", "code",
})  # fmt: skip
WORDS = frozenset(["hospital", "department", "room", "org", "health_centre"])  # drawn from the lexicon, and annotated
TRAITS = frozenset(["profession", "nationality", "civil", "sex"])  # of the patient, the same in all notes
CONTACTS = frozenset(["phone", "fax", "email", "url", "ip"])

_SLOT = re.compile(
    r"(?P<head>[a-z_]+[0-9]?)(?:\.(?P<attr>[a-z_]+))?(?:@(?P<at>[a-z]+[0-9]?))?(?P<shift>[+-][0-9]+[dwmy])?(?::(?P<form>[a-z0-9]+))?"
)


@dataclass(frozen=True, slots=True)
class Offset:
    """A number of days, weeks, months or years before or after an anchor."""

    amount: int
    unit: str

    def apply(self, day: date) -> date:
        """Move a day; a day that the month does not have becomes its last one.

        >>> Offset(1, "m").apply(date(2021, 1, 31))
        datetime.date(2021, 2, 28)
        """
        if self.unit in "dw":
            return day + timedelta(days=self.amount * (7 if self.unit == "w" else 1))
        months = day.year * 12 + day.month - 1 + self.amount * (12 if self.unit == "y" else 1)
        year, month = divmod(months, 12)
        return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a template where a value will stand."""

    kind: str  # person, kin, date, time, age, place, word, trait, contact, id, decoy, labs, number
    head: str
    attr: str = ""
    form: str = ""
    at: str = ""
    offset: Offset | None = None
    line: int = 0


def parse_slot(text: str, line: int = 0) -> Slot:
    """Read what stands between the braces; anything that is no slot raises ValueError with the reason.

    >>> parse_slot("admission+2w:long").offset
    Offset(amount=2, unit='w')
    """
    found = _SLOT.fullmatch(text)
    if not found:
        raise ValueError(f"{{{text}}} is not written like a slot or a choice")
    head, attr, at, form = found["head"], found["attr"] or "", found["at"] or "", found["form"] or ""
    offset = Offset(int(found["shift"][:-1]), found["shift"][-1]) if found["shift"] else None
    kind = _kind(head, attr)
    if not kind:
        raise ValueError(f"there is no slot {{{text}}}")
    if offset and kind != "date":
        raise ValueError(f"{{{text}}}: only dates take an offset")
    if at and (kind != "age" or at not in ANCHORS):
        raise ValueError(f"{{{text}}}: only {{age}} takes '@' and the name of a date")
    if form not in _forms(kind):
        raise ValueError(f"{{{text}}}: there is no form {form!r} of this slot")
    return Slot(kind, head, attr, form, at, offset, line)


def _kind(head: str, attr: str) -> str:
    """Name the family of a slot, or '' if there is none."""
    if head in ROLES:
        if head in ("kin", "kin2") and attr in ("word", "age"):
            return "kin" if attr == "word" else "age"
        return "person" if attr in NAME_FORMS else ""
    if head == "id":
        return "id" if attr else ""
    if head == "home" or head in ("place", "place2"):
        return "place" if attr in (HOME if head == "home" else PLACE) else ""
    if attr:
        return ""
    families = (
        (ANCHORS, "date"),
        (("time",), "time"),
        (("age",), "age"),
        (WORDS, "word"),
        (TRAITS, "trait"),
        (CONTACTS, "contact"),
        (DECOYS, "decoy"),
        (("labs",), "labs"),
        (("number",), "number"),
    )
    return next((kind for heads, kind in families if head in heads), "")


_COUNTS = frozenset(str(n) for n in range(1, 31))


def _forms(kind: str) -> frozenset[str]:
    """The forms a family of slots knows; '' is the default."""
    return {
        "date": DATE_FORMS | {""},
        "time": frozenset(("", "words")),
        "age": frozenset(("", "words", "n", "baby")),
        "labs": _COUNTS,
    }.get(kind, frozenset(("",)))
