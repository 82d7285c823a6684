"""Whether two expressions are written in the same way."""

from __future__ import annotations

from innominate.conceal.dates.calendar_names import calendar_names, style_of
from innominate.conceal.dates.forms import DateMatch
from innominate.languages import load_language

_TABLES = {"M": "months", "S": "seasons"}
_DIGITS = "0123456789"


def same_form(old: DateMatch, new: DateMatch, lang: str) -> bool:
    """Say whether only values differ: same words and separators, same digits, same style of names.

    >>> from innominate.conceal.dates.forms import match_forms
    >>> old, new, other = (match_forms(text, "fr")[0] for text in ("08.03.2022", "02.11.2021", "2.11.2021"))
    >>> same_form(old, new, "fr"), same_form(old, other, "fr")
    (True, False)
    """
    if len(old.parts) != len(new.parts):
        return False
    position = passed = 0
    for i, (role, value) in enumerate(old.parts):
        name, other = new.parts[i]
        _, _, start, stop = old.layout.fields[i]
        _, _, begins, ends = new.layout.fields[i]
        if name != role or old.text[position:start] != new.text[passed:begins] or not _same(role, value, other, lang):
            return False
        position, passed = stop, ends
    return old.text[position:] == new.text[passed:]


def _same(role: str, old: str, new: str, lang: str) -> bool:
    if role in _TABLES:
        return _same_name(old, new, lang, _TABLES[role])
    before, after = len(old) - len(old.lstrip(_DIGITS)), len(new) - len(new.lstrip(_DIGITS))
    if role in ("y", "t", "c"):
        return before == after
    if old.startswith("0") or (new.startswith("0") and before == 1):
        return before == after
    return _same_ending(old, new, lang)


def _same_ending(old: str, new: str, lang: str) -> bool:
    """Days with an ending keep one, unless only the first of the month has one in the language."""
    if not load_language(lang).ordinals.other:
        return new.isdecimal() or new.startswith("1")
    return old.isdecimal() == new.isdecimal()


def _same_name(old: str, new: str, lang: str, thing: str) -> bool:
    """Same case, and the same line of the table and full stop where both tell."""
    known = calendar_names(lang, thing)
    before, after = style_of(old, lang, thing), style_of(new, lang, thing)
    if before.case != after.case:
        return False
    if before.table is None or after.table is None:
        return True
    place = known.position(new)
    return before.stop == after.stop and known.styles[before.table][place] == known.styles[after.table][place]
