"""Whether the ages of a concealed note still add up; intervals and forms were verified when its dates were moved."""

from __future__ import annotations

from innominate.conceal.concealed import Concealed
from innominate.conceal.dates.births import births_in, births_of
from innominate.conceal.dates.verify import check_ages
from innominate.conceal.language import language_of
from innominate.conceal.people.ages import age_of
from innominate.conceal.plain_view import seen
from innominate.conceal.policy.policy import PSEUDO
from innominate.core import Document
from innominate.labels import kind_of


def check_dates(original: Document, concealed: Concealed, lang: str = "") -> None:
    """Raise `DatesChangedError` if the patient's age on a day of the note is not what it was.

    >>> from innominate.conceal import conceal
    >>> from innominate.conceal.keys import Key
    >>> from innominate.conceal.strategies.pseudo import Pseudo
    >>> from innominate.core import annotated
    >>> note = annotated("Née le [3 mai 1950](DATE), vue le [4.5.2021](DATE)")
    >>> check_dates(note, conceal(note, Pseudo(Key(bytes(32)), lang="fr")), "fr")
    """
    dates = concealed.dates
    if dates is None or not any(t.strategy == PSEUDO and kind_of(t.span.label) == "date" for t in concealed.treated):
        return
    shown, language = seen(original), language_of(original, lang)
    births = births_in(shown, language, dates.context) or births_of(original.meta)
    if len(births) != 1:
        return
    written = [span.of(shown.text) for span in shown.spans if kind_of(span.label) == "age"]
    ages = {age[0] for text in written if (age := age_of(text, language))}
    check_ages(births[0], dates, ages)
