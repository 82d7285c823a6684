"""Which town an address belongs to: postal codes and regions follow the town that stands beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from innominate.conceal.pseudo.forms import has_digit
from innominate.conceal.pseudo.places import Places
from innominate.core import Document

_PARTS = frozenset({"street", "number", "zip", "city", "region", "country", "place"})
_GAP = re.compile(r"[\s,;()/.-]{0,4}(?:[A-Z]{1,2}-)?|,? (?:à|in|i|en|de) ")


def town_of_each(document: Document, kinds: Sequence[str], places: Places) -> dict[int, str]:
    """The town of the address of each span that is part of one, by the number of the span.

    >>> from innominate.conceal.keys import Key
    >>> from innominate.conceal.pseudo.guard import Guard
    >>> from innominate.conceal.scope import Scope
    >>> from innominate.core import annotated
    >>> places = Places(Scope(Key(bytes(32)), "p"), "fr", Guard(()))
    >>> town_of_each(annotated("[1004](ZIP) [Lausanne](CITY) et [Nyon](CITY)"), ["zip", "city", "city"], places)
    {0: 'Lausanne', 1: 'Lausanne', 2: 'Nyon'}
    """
    found: dict[int, str] = {}
    group: list[int] = []
    for i, kind in enumerate(kinds):
        if kind not in _PARTS:
            continue
        if group and not _GAP.fullmatch(document.text, document.spans[group[-1]].end, document.spans[i].start):
            found |= _town(group, document, kinds, places)
            group = []
        group.append(i)
    return found | _town(group, document, kinds, places)


def _town(group: Sequence[int], document: Document, kinds: Sequence[str], places: Places) -> dict[int, str]:
    named = [i for i in group if kinds[i] in ("city", "place")]
    if not named:
        return {}
    texts = [document.spans[i].of(document.text) for i in named]
    texts = [text for text in texts if not has_digit(text) and not places.is_country(text)]
    if not texts:
        return {}
    town = next((text for text in texts if places.is_town(text)), texts[0])
    # a second town in the same group is another town
    return {i: town for i in group if kinds[i] not in ("city", "place") or document.spans[i].of(document.text) == town}
