"""Writing one file, or a few, per document into a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from innominate.core.document import Document
from innominate.core.errors import FormatError, UsageError
from innominate.core.protocols import FolderFormat
from innominate.formats.durable import PARTIAL, sync_files, sync_folder
from innominate.formats.file_names import fold_name, id_of_name, name_of_id, numbered_name


def check_folder(target: Path | str, format: str) -> None:
    """Refuse a place where no folder can be."""
    if str(target) == "-" or Path(target).is_file():
        raise UsageError(f"{target}: the format {format!r} writes one file per note; name a folder")


class FolderWriter:
    """Writes `folder/id.suffix`. Files get their names at the commit, all together, so none is ever seen half written."""

    def __init__(self, format: FolderFormat, target: Path | str, *, resume_at: Mapping[str, Any] | None = None) -> None:
        check_folder(target, format.name)
        self._format, self._folder = format, Path(target)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._root = self._folder.resolve()
        self._documents = int(resume_at["documents"]) if resume_at else 0
        self._pending: dict[Path, Path] = {}  # final name -> name until the commit
        self._known: set[Path] = {self._folder}
        self._changed: set[Path] = {self._folder}
        self._names = _Names()
        self._look_around()

    def write(self, document: Document) -> None:
        """Write the files of one document, for now under temporary names."""
        files = self._format.files(document)  # first, so that a document that cannot be written leaves nothing behind
        path = self._folder / self._names.take(document.id)
        self._prepare(path.parent)
        for suffix, data in files.items():
            final = path.with_name(path.name + suffix)
            temporary = path.with_name(f".{final.name}{PARTIAL}")
            temporary.write_bytes(data)
            self._pending[final] = temporary
        self._documents += 1

    def commit(self) -> Mapping[str, Any]:
        """Force all files to disk and give them their names."""
        sync_files(self._pending.values(), self._folder)
        for final, temporary in self._pending.items():
            os.replace(temporary, final)
            self._changed.add(final.parent)
        for folder in self._changed:
            sync_folder(folder)
        self._pending.clear()
        self._changed.clear()
        return {"documents": self._documents}

    def close(self) -> None:
        """Commit what is left."""
        self.commit()

    def abandon(self) -> None:
        """Nothing is held open; files without their names are removed when writing is resumed."""

    def _prepare(self, folder: Path) -> None:
        """Make a folder, and see that no link in the way leads elsewhere."""
        if folder in self._known:
            return
        folder.mkdir(parents=True, exist_ok=True)
        if not folder.resolve().is_relative_to(self._root):
            raise UsageError(f"{folder} is a link that leads out of {self._folder}; remove it or choose another folder")
        self._known.add(folder)
        self._changed.update(parent for parent in folder.parents if parent.is_relative_to(self._folder))

    def _look_around(self) -> None:
        """Remove what an earlier run did not commit, and learn which names are taken."""
        suffixes = tuple(self._format.suffixes)
        for parent, _, names in os.walk(self._folder):
            for name in names:
                if name.startswith(".") and name.endswith(PARTIAL):
                    Path(parent, name).unlink()
                elif name.endswith(suffixes):
                    path = Path(parent, name).relative_to(self._folder)
                    self._names.remember(path.with_suffix("").as_posix())


class _Names:
    """Which name belongs to which id. Only hashes are kept: 5 million ids must fit in memory."""

    def __init__(self) -> None:
        self._owner: dict[int, int] = {}
        self._written: set[int] = set()

    def remember(self, name: str) -> None:
        """A file of an earlier run has this name; its document may be written again, no other under the same name."""
        self._owner[hash(fold_name(name))] = hash(id_of_name(name))

    def take(self, id: str) -> str:
        """Choose a name that no other id has, even where case does not count."""
        owner, name, count = hash(id), name_of_id(id), 1
        if owner in self._written:
            raise FormatError(f"the id {id!r} was already written; ids must be unique")
        while self._owner.setdefault(hash(fold_name(numbered_name(name, count))), owner) != owner:
            count += 1
        self._written.add(owner)
        return numbered_name(name, count)
