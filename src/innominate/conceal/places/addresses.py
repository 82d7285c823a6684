"""Which address a span is part of: postal codes and regions follow the town beside them, streets their institution."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from innominate.conceal.likeness import has_digit
from innominate.conceal.places.places import PlaceSurrogates
from innominate.core import Document
from innominate.labels import kinds as known_kinds
from innominate.labels import labels_of_all

_GAP = re.compile(r"[\s,;()/.-]{0,4}(?:[A-Z]{1,2}-)?|,? (?:à|in|i|en|de) ")
_AFTER = re.compile(r"[^\n\d]{0,60}")  # between an institution and its address: at most the name of a service


def town_of_each(document: Document, kinds: Sequence[str], places: PlaceSurrogates) -> dict[int, str]:
    """The town of the address of each span that is part of one, by the number of the span.

    >>> from innominate.conceal.keys import Key
    >>> from innominate.conceal.guard import Guard
    >>> from innominate.conceal.scope import Scope
    >>> from innominate.core import annotated
    >>> places = PlaceSurrogates(Scope(Key(bytes(32)), "p"), "fr", Guard.of([]))
    >>> town_of_each(annotated("[1004](ZIP) [Lausanne](CITY) et [Nyon](CITY)"), ["zip", "city", "city"], places)
    {0: 'Lausanne', 1: 'Lausanne', 2: 'Nyon'}
    """
    found: dict[int, str] = {}
    for group in _groups(document, kinds):
        found |= _town(group, document, kinds, places)
    return found


def workplace_of_each(document: Document, kinds: Sequence[str]) -> dict[int, str]:
    """The street of the institution whose address a span is part of, by the number of the span, or the first part.

    A street that is an institution's in one sentence is so in the whole note.

    >>> from innominate.core import annotated
    >>> note = annotated("[Hospital La Paz](HOSPITAL). [Castellana, 261](STREET). [Madrid](CITY). Vive en [Mayor, 3](STREET).")
    >>> workplace_of_each(note, ["organisation", "street", "city", "street"])
    {1: 'Castellana, 261', 2: 'Castellana, 261'}
    """
    found: dict[int, str] = {}
    elsewhere: dict[int, str] = {}
    for group in _groups(document, kinds):
        streets = [i for i in group if kinds[i] == "street"]
        named = document.spans[(streets or group)[0]].of(document.text)
        if _is_of_institution(group[0], document, kinds):
            found |= dict.fromkeys(group, named)
        elif streets:
            elsewhere |= dict.fromkeys(group, named)
    at_work = set(found.values())
    return found | {i: street for i, street in elsewhere.items() if street in at_work}


def _is_of_institution(first: int, document: Document, kinds: Sequence[str]) -> bool:
    """Say whether an address that begins with a span follows an institution, or somebody who works in one."""
    if first == 0 or (kinds[first - 1] != "organisation" and not _is_staff(document.spans[first - 1].label)):
        return False
    return _AFTER.fullmatch(document.text, document.spans[first - 1].end, document.spans[first].start) is not None


def _is_staff(label: str) -> bool:
    known = labels_of_all().get(label)
    return known is not None and known.staff


def _groups(document: Document, kinds: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of the spans of each address."""
    known, group = known_kinds(), list[int]()
    for i, kind in enumerate(kinds):
        if known[kind].surrogate != "place":
            continue
        if group and not _GAP.fullmatch(document.text, document.spans[group[-1]].end, document.spans[i].start):
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def _town(group: Sequence[int], document: Document, kinds: Sequence[str], places: PlaceSurrogates) -> dict[int, str]:
    named = [i for i in group if kinds[i] in ("city", "place")]
    if not named:
        return {}
    texts = {i: document.spans[i].of(document.text) for i in named}
    towns = [text for text in texts.values() if not has_digit(text) and not places.is_country(text)]
    if not towns:
        return {}
    town = next((text for text in towns if places.is_town(text)), towns[0])
    # a second town in the same group is another town
    return {i: town for i in group if i not in named or has_digit(texts[i]) or texts[i] == town}
