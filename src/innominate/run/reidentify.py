"""Originals back into concealed notes, from a vault; who, when, why and which notes is recorded in it before."""

from __future__ import annotations

from collections.abc import Sequence

from innominate.conceal.vault import Vault, restore
from innominate.core import Document, Rejected, UsageError
from innominate.run.inputs import Inputs


def wanted_notes(inputs: Inputs, ids: Sequence[str] = ()) -> list[Document]:
    """The concealed notes of some ids, or all; one that is missing or cannot be read is an error."""
    documents: list[Document] = []
    for item in inputs.items():
        if ids and item.id not in ids:
            continue
        if isinstance(item, Rejected):
            raise UsageError(f"{item.id} cannot be read: {item}")
        documents.append(item)
    missing = sorted(set(ids) - {document.id for document in documents})
    if missing or not documents:
        raise UsageError(f"the source has no note {', '.join(missing[:5])}" if missing else "the source holds no note")
    return documents


def reidentify(vault: Vault, documents: Sequence[Document], *, reason: str, who: str, when: str) -> list[Document]:
    """The notes with their originals: all of them, before any can be written."""
    found = vault.reidentify([document.id for document in documents], reason=reason, who=who, when=when)
    return [restore(document, found[document.id]) for document in documents]
