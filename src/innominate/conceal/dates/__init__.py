"""Dates of a note: read as they stand, moved by one shift per patient, written in the same form.

Use `learn` on all date expressions of a note, then `parse` and `shifted` on each, or `move_dates` for the whole note.
What cannot be read gives None, and the caller masks it: typing errors, impossible dates such as 31.02.2020, feasts of
other calendars. `verify` checks the result.

>>> context = learn(["18.03.2022", "mars 2022", "Noël 2021"], "fr")
>>> [parse(text, "fr", context=context).shifted(-7 * 60) for text in ("18.03.2022", "mars 2022", "Noël 2021")]
['22.01.2021', 'janvier 2021', '31 octobre 2020']
"""

from innominate.conceal.dates.context import Context
from innominate.conceal.dates.expression import DateExpression, UnwritableError, parse
from innominate.conceal.dates.learning import learn
from innominate.conceal.dates.moving import move_dates, parse_all, patient_shift
from innominate.conceal.dates.order import Order
from innominate.conceal.dates.shift import age_on, keeps_ages, shift_days

__all__ = [
    "Context",
    "DateExpression",
    "Order",
    "UnwritableError",
    "age_on",
    "keeps_ages",
    "learn",
    "move_dates",
    "parse",
    "parse_all",
    "patient_shift",
    "shift_days",
]
