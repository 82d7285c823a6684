"""Ages: kept as they are up to 89; higher ones are few and become 90+ unless the policy says otherwise."""

from __future__ import annotations

import re
from functools import cache

from innominate.surrogates.dates import ways_to_count, words
from innominate.text.accents import fold_word

OLDEST = 89
_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+(?:[-\s][^\W\d_]+)*")


def age_of(text: str, lang: str) -> tuple[int, int, int] | None:
    """The highest number of years in a text with its place, in digits or in words; None if there is none.

    >>> age_of("94 ans", "fr"), age_of("ninety-four", "en"), age_of("nonante-quatre ans", "fr"), age_of("x", "fr")
    ((94, 0, 2), (94, 0, 11), (94, 0, 14), None)
    """
    found = [(int(match[0]), *match.span()) for match in _NUMBER.finditer(text) if len(match[0]) <= 3]
    if found:
        return max(found)
    known = _numbers(lang)
    for match in _WORDS.finditer(text):
        parts = list(re.finditer(r"[^\W\d_]+", match[0]))
        for last in range(len(parts), 0, -1):
            form = " ".join(fold_word(part[0]) for part in parts[:last])
            if form in known:
                return known[form], match.start(), match.start() + parts[last - 1].end()
    return None


def generalise_age(text: str, lang: str) -> str | None:
    """Write ages over 89 as 90+; None if there is no such age in the text.

    >>> generalise_age("94-year-old", "en"), generalise_age("45", "en")
    ('90+-year-old', None)
    """
    found = age_of(text, lang)
    if found is None or found[0] <= OLDEST:
        return None
    _, start, end = found
    written = text[:start] + "90+" + text[end:]
    # `94 años y 3 meses`: months beside such an age would narrow it down
    return _NUMBER.sub(lambda match: match[0] if match[0] == "90" else "0", written)


@cache
def _numbers(lang: str) -> dict[str, int]:
    ways = [words(way) for way in ways_to_count(lang)]
    return {re.sub(r"[-\s]+", " ", fold_word(word)): n for numbers in ways for n, word in enumerate(numbers)}
