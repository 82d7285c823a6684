"""The dates of a note after they were moved and verified: what is left to ask of them is whether ages stayed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from innominate.conceal.dates.context import Context


@dataclass(frozen=True, slots=True, repr=False)  # dates of a patient must not reach a log through repr()
class MovedDates:
    """What a note's dates told about each other, the days that stand in full, and by how much all of them moved."""

    context: Context
    days: tuple[date, ...]
    shift: timedelta
