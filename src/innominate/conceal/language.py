"""The language of a note, and the country whose names and numbers go with it."""

from __future__ import annotations

from innominate.core import Document
from innominate.text.language import recognise

LOCALES = {"fr": "fr_CH", "en": "en_US", "sv": "sv_SE", "es": "es_ES"}


def language_of(document: Document, lang: str = "") -> str:
    """The language that was asked for, or that the document says it has, or that its text looks like.

    >>> language_of(Document("n", "x", meta={"lang": "sv_SE"}))
    'sv'
    """
    if lang in LOCALES:
        return lang
    declared = str(document.meta.get("lang", ""))[:2].lower()
    return declared if declared in LOCALES else recognise(document.text)
