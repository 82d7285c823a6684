"""Whether two expressions are written in the same way."""

from __future__ import annotations

from innominate.conceal.dates.forms import Field, Match
from innominate.conceal.dates.names import names, style_of

_TABLES = {"M": "months", "S": "seasons"}
_DIGITS = "0123456789"


def same_form(old: Match, new: Match, lang: str) -> bool:
    """Say whether only values differ: same words and separators, same digits, same style of names.

    >>> from innominate.conceal.dates.forms import matches
    >>> old, new, other = (matches(text, "fr")[0] for text in ("08.03.2022", "02.11.2021", "2.11.2021"))
    >>> same_form(old, new, "fr"), same_form(old, other, "fr")
    (True, False)
    """
    if len(old.fields) != len(new.fields) or _between(old) != _between(new):
        return False
    return all(_same(before, after, lang) for before, after in zip(old.fields, new.fields, strict=True))


def _between(match: Match) -> list[str]:
    """What stands before, between and after the fields."""
    between: list[str] = []
    position = 0
    for field in match.fields:
        between.append(match.text[position : field.start])
        position = field.stop
    return [*between, match.text[position:]]


def _same(old: Field, new: Field, lang: str) -> bool:
    if old.role != new.role:
        return False
    if old.role in _TABLES:
        return _same_name(old.text, new.text, lang, _TABLES[old.role])
    before, after = (len(text) - len(text.lstrip(_DIGITS)) for text in (old.text, new.text))
    if old.role in ("y", "t", "c"):
        return before == after
    if old.text.startswith("0") or (new.text.startswith("0") and before == 1):
        return before == after
    return _same_ending(old.text, new.text, lang)


def _same_ending(old: str, new: str, lang: str) -> bool:
    """Days with an ending keep one; in French and Spanish only the first of the month has one."""
    if lang in ("fr", "es"):
        return new.isdecimal() or new.startswith("1")
    return old.isdecimal() == new.isdecimal()


def _same_name(old: str, new: str, lang: str, thing: str) -> bool:
    """Same case, and the same line of the table and full stop where both tell."""
    known = names(lang, thing)
    before, after = style_of(old, lang, thing), style_of(new, lang, thing)
    if before.case != after.case:
        return False
    if before.table is None or after.table is None:
        return True
    place = known.position(new)
    return before.stop == after.stop and known.styles[before.table][place] == known.styles[after.table][place]
