"""Dates of a note: read as they stand, moved by one shift per patient, written in the same form.

`move_dates` moves all date expressions of a note; `learn_context`, `parse_date` and `shifted` are its steps.
What cannot be read gives None, and the caller masks it: typing errors, impossible dates such as 31.02.2020, feasts of
other calendars. `verify_dates` checks the result.

>>> context = learn_context(["18.03.2022", "mars 2022", "Noël 2021"], "fr")
>>> [parse_date(text, "fr", context=context).shifted(-7 * 60) for text in ("18.03.2022", "mars 2022", "Noël 2021")]
['22.01.2021', 'janvier 2021', '31 octobre 2020']
"""

from innominate.conceal.dates.expression import DateExpression, UnwritableError, parse_date
from innominate.conceal.dates.moving import move_dates, parse_dates, patient_shift
from innominate.conceal.dates.reading import learn_context
from innominate.conceal.dates.shift import possible_shifts

__all__ = [
    "DateExpression",
    "UnwritableError",
    "learn_context",
    "move_dates",
    "parse_date",
    "parse_dates",
    "patient_shift",
    "possible_shifts",
]
