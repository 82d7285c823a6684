"""The language of a note."""

from __future__ import annotations

from innominate.core import Document
from innominate.languages import language_codes
from innominate.text.language import recognise


def language_of(document: Document, lang: str = "") -> str:
    """The language that was asked for, or that the document says it has, or that its text looks like.

    >>> language_of(Document("n", "x", meta={"lang": "sv_SE"}))
    'sv'
    """
    if lang in language_codes():
        return lang
    declared = str(document.meta.get("lang", ""))[:2].lower()
    return declared if declared in language_codes() else recognise(document.text)
