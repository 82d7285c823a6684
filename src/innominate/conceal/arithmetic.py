"""Whether the dates of a concealed note still add up: what `dates.verify` asks, put to a whole note."""

from __future__ import annotations

from html import unescape

from innominate.conceal.births import births_in, births_of
from innominate.conceal.concealed import Concealed
from innominate.conceal.dates import learn
from innominate.conceal.dates.verify import verify
from innominate.conceal.kinds import kind_of
from innominate.conceal.language import language_of
from innominate.conceal.policy import PSEUDO
from innominate.conceal.pseudo.ages import age_of
from innominate.conceal.pseudo.seen import seen
from innominate.core import Document


def check_dates(original: Document, concealed: Concealed, lang: str = "") -> None:
    """Raise `DatesChangedError` if an interval, an age or the form of a date that was moved is not what it was.

    >>> from innominate.conceal import conceal
    >>> from innominate.conceal.keys import Key
    >>> from innominate.conceal.pseudo.strategy import Pseudo
    >>> from innominate.core import annotated
    >>> note = annotated("Née le [3 mai 1950](DATE), vue le [4.5.2021](DATE)")
    >>> check_dates(note, conceal(note, Pseudo(Key(bytes(32)), lang="fr")), "fr")
    """
    moved = [t for t in concealed.treated if t.strategy == PSEUDO and kind_of(t.span.label) == "date" and t.target]
    if not moved:
        return
    spans = tuple(treated.span for treated in concealed.treated)
    shown = seen(original.with_spans(spans))
    language = language_of(original, lang)
    before = {span: twin.of(shown.text) for span, twin in zip(spans, shown.spans, strict=True)}
    context = learn([before[span] for span in spans if kind_of(span.label) == "date"], language)
    pairs = [
        (before[t.span], unescape(t.target.of(concealed.document.text)))
        for t in moved
        if t.target and not before[t.span].strip().isdigit()  # a lone day is read with its neighbour, a lone year says little
    ]
    births = births_in(shown, language, context) or births_of(original.meta)
    ages = {age[0] for span in spans if kind_of(span.label) == "age" and (age := age_of(before[span], language))}
    verify(pairs, language, context=context, birth=births[0] if len(births) == 1 else None, ages=ages)
