"""Features that depend on a token alone. Each is computed once per distinct token, however often it stands in the notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from innominate.detect.crf.lists import lists_of

WordFeature = Callable[[str], Iterable[str]]

_LONGEST_AFFIX = 5


def word(token: str) -> Iterable[str]:
    r"""The token in lower case.

    >>> list(word("Rivera"))
    ['w=rivera']
    """
    return (f"w={token.lower()}",)


def orthographic(token: str) -> Iterable[str]:
    """Capitals, digits, length; for numbers what they could be.

    >>> list(orthographic("Rivera")), list(orthographic("03"))
    (['s=Xx', 'l=6'], ['s=d', 'l=2', 'n=zero', 'n=month'])
    """
    if token.isdecimal():
        return ("s=d", f"l={min(len(token), 12)}", *_number(token))
    return (f"s={_shape(token)}", f"l={min(len(token), 12)}")


def affix(token: str) -> Iterable[str]:
    """Beginnings and endings of up to five characters, digits as they are.

    >>> list(affix("Gil"))
    ['p1=g', 'e1=l', 'p2=gi', 'e2=il', 'p3=gil', 'e3=gil']
    """
    lower = token.lower()
    longest = min(_LONGEST_AFFIX, len(lower))
    return [part for n in range(1, longest + 1) for part in (f"p{n}={lower[:n]}", f"e{n}={lower[-n:]}")]


def _shape(token: str) -> str:
    if not token[0].isalpha():
        return "".join(token[:2])
    if token.islower():
        return "x"
    if token.isupper():
        return "X" if len(token) == 1 else "XX"
    return "Xx" if token[0].isupper() and token[1:].islower() else "xX"


def _number(token: str) -> Iterable[str]:
    if token[0] == "0":
        yield "n=zero"
    if len(token) <= 2:
        value = int(token)
        yield "n=month" if 1 <= value <= 12 else "n=day" if value <= 31 else "n=year2"
    elif len(token) == 4 and token[:2] in {"19", "20"}:
        yield "n=year"


def word_features(lang: str) -> Mapping[str, WordFeature]:
    """All features of this kind by name. Those of lists know the lists of a language."""
    return {"word": word, "orthographic": orthographic, "affix": affix, "list": lists_of(lang)}
