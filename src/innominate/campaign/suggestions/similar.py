"""Which labels are so near to one another that a wrong one looks right."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from innominate.labels import taxonomy

Similar = Mapping[str, tuple[str, ...]]


@cache
def similar_labels(name: str) -> Similar:
    """For each label of a taxonomy those of its category, and those that are often confused with it.

    A label with nobody near may become any.

    >>> similar_labels("chuv")["DATE"], similar_labels("chuv")["PAYS"][-1]
    (('TEMPS', 'ÂGE'), 'NATIONALITÉ')
    """
    labels = taxonomy(name).labels
    pairs = _listed(name)
    near: dict[str, tuple[str, ...]] = {}
    for label in labels.values():
        kin = [other.name for other in labels.values() if other.category == label.category]
        mistaken = [other for pair in sorted(pairs) if label.name in pair for other in pair]
        found = dict.fromkeys(other for other in (*kin, *mistaken) if other != label.name and other in labels)
        near[label.name] = tuple(found) or tuple(other for other in labels if other != label.name)
    return near


def _listed(name: str) -> list[tuple[str, str]]:
    content = files("innominate.campaign.suggestions") / "data" / "similar.toml"
    return [(one, other) for one, other in tomllib.loads(content.read_text(encoding="utf-8")).get(name, [])]
