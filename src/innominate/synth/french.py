"""French words that join with the one after them."""

from __future__ import annotations

_VOWELS = frozenset("aeiouâàäéèêëîïôöûüœAEIOUÂÀÄÉÈÊËÎÏÔÖÛÜŒ")


def elides(word: str) -> bool:
    """Whether `de` becomes `d'` before a word. Before h and most y it does not, or nobody agrees.

    >>> elides("Aigle"), elides("Yverdon"), elides("Yann"), elides("onze ans")
    (True, True, False, False)
    """
    return (word[:1] in _VOWELS and not word.startswith("onz")) or word.startswith(("Yv", "YV"))


def of(place: str) -> str:
    """`de` with the name of a place.

    >>> of("Aigle"), of("Le Locle"), of("Les Bois"), of("Nyon")
    ("d'Aigle", 'du Locle', 'des Bois', 'de Nyon')
    """
    if place.startswith("Le "):
        return f"du {place[3:]}"
    if place.startswith("Les "):
        return f"des {place[4:]}"
    return f"d'{place}" if elides(place) else f"de {place}"
