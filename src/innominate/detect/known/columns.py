"""Which column of a patient file holds what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from innominate.core import FormatError
from innominate.formats.reasons import tell_columns
from innominate.languages import DEFAULT, load_languages
from innominate.text.accents import fold_word

_NOT_LETTERS = re.compile(r"[^a-z]+")


def roles_of(header: Sequence[str], source: str) -> list[str]:
    """Say for every column what it holds; an unknown one holds nothing for us.

    >>> roles_of(["IPP", "Nom", "Prénom 1", "Prénom 2", "Date de naissance", "Couleur"], "p.csv")
    ['id', 'last', 'first', 'first', 'birth', '']
    """
    names = [_NOT_LETTERS.sub("_", fold_word(name)).strip("_") for name in header]
    own = next((name for name in aliases()["id"] if name in names), None)
    if own is None:
        raise FormatError(f"no column is the patient's id; {tell_columns(header)}", source=source, line=1)
    if names.count(own) > 1:
        raise FormatError(f"two columns are the patient's id; {tell_columns(header)}", source=source, line=1)
    meanings = {name: role for role, known in aliases().items() for name in known if role != "id"}
    meanings |= dict.fromkeys(aliases()["id"], "number") | {own: "id"}
    roles = [meanings.get(name, "") for name in names]
    if not any(role not in ("", "id") for role in roles):
        raise FormatError(f"no column holds anything known of a patient; {tell_columns(header)}", source=source, line=1)
    return roles


@cache
def aliases() -> dict[str, list[str]]:
    """The names that columns may have, by role."""
    default_first = sorted(load_languages(), key=lambda language: language.code != DEFAULT)
    known: dict[str, list[str]] = {}
    for language in default_first:
        for role, names in language.columns.items():
            known.setdefault(role, []).extend(names)
    return known
