"""Originals back into concealed notes, from a vault; who, when, why and which notes is recorded in it before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from innominate.conceal.vault import Vault, restore
from innominate.core import Document, Rejected, UsageError
from innominate.run.inputs import Inputs


def reidentify(vault: Vault, inputs: Inputs, ids: Sequence[str], *, reason: str, who: str, when: str) -> list[Document]:
    """The notes of some ids, original or concealed, or all, with originals and original ids: all, before any is written."""
    items = inputs.items()  # a source that is not there is said before anything is recorded
    there = [] if ids else list(map(_readable, items))
    if not ids and not there:
        raise UsageError("the source holds no note")
    found = vault.reidentify(ids or [document.id for document in there], reason=reason, who=who, when=when)
    wanted = there or [_readable(item) for item in items if item.id in found]
    if missing := sorted(found.keys() - {document.id for document in wanted}):
        raise UsageError(f"the source has no note {', '.join(missing[:5])}")
    return [replace(restore(document, found[document.id].entries), id=found[document.id].id) for document in wanted]


def _readable(item: Document | Rejected) -> Document:
    if isinstance(item, Rejected):
        raise UsageError(f"{item.id} cannot be read: {item}")
    return item
