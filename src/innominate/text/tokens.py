"""Tokens of clinical text, by one pattern; every character but white space belongs to exactly one of them."""

from __future__ import annotations

import re
from functools import cache

from innominate.languages import words_of_all

# Combining accents are not word characters for `re`, yet belong to the letter before them.
_MARK = r"\u0300-\u036f"
_LETTER = r"[^\W\d_]"
_INSIDE = rf"[\w{_MARK}]"
_HYPHEN = r"[-\u2010\u2011]"
_QUOTE = r"['\u2019]"

# Most words, found fast: nothing follows that could make them part of something longer.
_PLAIN = rf"[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]++(?![\w{_MARK}'\u2019./+%@:\u2010\u2011-])"
_LONE = r'[,;()"!?]'

# The other parts, the first that fits wins. Lengths of addresses are bounded so that `a.a.a.a...` stays linear.
_EMAIL = r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}"
_URL = r"(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]}'\u2019]"
_ELISION = rf"(?:[cdjlmnstCDJLMNST]|[Qq]u|[Jj]usqu|[Ll]orsqu|[Pp]uisqu)[{_MARK}]*{_QUOTE}(?={_LETTER})"
_INITIALS = rf"{_LETTER}{{1,2}}\.(?:{_HYPHEN}?{_LETTER}{{1,2}}\.)+"  # M.-L., t.ex., e.g., p.g.a.
_INITIAL = rf"(?:[A-ZÀ-ÖØ-Þ]|Th|Ch|Ph)\.(?=[ \u00a0]?{_HYPHEN}?[A-ZÀ-ÖØ-Þ])"  # J. Rochat, M.Mustafa, Ph. Meier
_UNIT = r"(?:[a-zµμ]{1,4}L?|IU|UI|U|L)/(?:[a-z]{1,4}|[dm]?L)(?!\w)(?:/[a-z]{1,4}(?!\w))?"  # mg/kg, mmol/l, mg/kg/h
_WORD = rf"{_LETTER}{_INSIDE}*(?:(?:{_QUOTE}(?![sS]\b)|{_HYPHEN}){_INSIDE}+)*"
_CLITIC = rf"(?<=\w){_QUOTE}[sS]\b"  # Eva's is Eva and 's
_TIME = r"\d{1,2}[hH]\d\d(?!\d)"
_NUMBER = r"\+?\d+(?:[.,:/#'\u2019-]\d+)*"  # 38.5, 120/80, 18#03#2022, 19500503-1234, +41
_DEGREE = r"°[CFK]?(?!\w)"
_RUN = r"\.{2,}|-{2,}|_{2,}|={2,}|\*{2,}"


def tokens(text: str) -> list[tuple[int, int]]:
    """Return where the tokens stand, from left to right.

    >>> text = "Dr.X, 38.5°C à l'hôpital"
    >>> [text[start:end] for start, end in tokens(text)]
    ['Dr.', 'X', ',', '38.5', '°C', 'à', "l'", 'hôpital']
    """
    pattern = _pattern(addresses="@" in text or "://" in text or "www." in text)
    return [token.span() for token in pattern.finditer(text)]


@cache
def _pattern(*, addresses: bool) -> re.Pattern[str]:
    """Compile the parts; those for addresses cost time at every word and are left out of texts that hold none."""
    titles = "|".join(
        sorted(words_of_all(lambda language: language.names.glued_titles), key=lambda title: (-len(title), title))
    )
    title = rf"(?:{titles})(?:\.|(?=[A-ZÀ-ÖØ-Þ]))"
    addresses_first = [_EMAIL, _URL] if addresses else []
    words = [_ELISION, title, _INITIALS, _INITIAL, _UNIT, _WORD]
    return re.compile("|".join([_PLAIN, _LONE, *addresses_first, _TIME, _NUMBER, *words, _CLITIC, _DEGREE, _RUN, r"\S"]))
