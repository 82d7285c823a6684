"""Originals back into concealed notes, from a vault; who, when, why and which notes is recorded in it before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from innominate.conceal.vault import Vault, restore
from innominate.core import Document, Rejected, UsageError
from innominate.formats.durable import partial_of
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


def find_user_name() -> str:
    """Who runs this, as the operating system knows it: the environment says what the user wants it to say."""
    if os.name == "nt":
        return os.getlogin()
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run a user that has no name
        return f"user id {os.getuid()}"


def check_private(output: str) -> None:
    """Refuse what is there already, would be written into, and can be read by others; what is new is its owner's alone."""
    is_database = output.startswith("sqlite:")
    path = Path(urlsplit(output).path.removeprefix("/")) if is_database else Path(output)
    for kept in (path, partial_of(path)):  # a plain file is replaced by a new one
        if (kept.is_dir() or (kept.is_file() and (is_database or kept != path))) and kept.stat().st_mode & 0o077:
            raise UsageError(
                f"others can read {kept}, where originals would be written; name a new place, or: chmod go= {kept}"
            )


def _readable(item: Document | Rejected) -> Document:
    if isinstance(item, Rejected):
        raise UsageError(f"{item.id} cannot be read: {item}")
    return item
