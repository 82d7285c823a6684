"""The run record as an audit trail: what it says of itself, of the output, and of the records before it.

A record holds the SHA-256 of its own fields (as JSON with sorted keys, without the field `sha256`), that of each file that was
written, and the whole record that lay at its place before, which has a hash of its own: a chain. Whoever may write the file
can also make another chain that fits, so the hash of a record is printed at the end of its run, to be kept elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.formats.sidecar import sidecar_of
from innominate.formats.sources import is_database
from innominate.run.materials import hash_file, hash_files

SUFFIX = ".run.json"
_OWN_HASH = "sha256"


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One thing that was looked at, and whether it fits."""

    fits: bool
    says: str


def chain_record(content: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The content with the record that lies at its place, unless that is of the same run, and with its own hash."""
    chained = {**content, "previous": _find_previous(content, path)}
    return {**chained, _OWN_HASH: hash_record(chained)}


def hash_record(record: Mapping[str, Any]) -> str:
    """The hash of a record, without the field that holds it.

    >>> hash_record({"a": 1, "sha256": "x"}) == hash_record({"a": 1})
    True
    """
    fields = {name: value for name, value in record.items() if name != _OWN_HASH}
    return hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def hash_output(output: str) -> dict[str, str]:
    """The hash of each file that was written, by its name; of a folder one over all its files. A database has none."""
    if is_database(output):
        return {}
    beside = sidecar_of(output)
    paths = [Path(output), *([beside] if beside else [])]
    return {path.name: _hash_path(path) for path in paths if path.exists()}


def read_record(path: Path) -> dict[str, Any]:
    """Read a record back."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no JSON"
        raise UsageError(f"cannot read the run record {path}: {reason}") from None
    if not isinstance(record, dict) or "innominate" not in record or "notes" not in record:
        raise UsageError(f"{path} is not a run record; that of OUTPUT is OUTPUT{SUFFIX}")
    return record


def check_record(path: Path) -> list[AuditFinding]:
    """Look whether a record is as it was written, with those before it, and the output beside it too."""
    record = read_record(path)
    return [*_check_chain(record), *_check_counts(record), *_check_output(record, path)]


def _find_previous(content: Mapping[str, Any], path: Path) -> Any:
    if not path.exists():
        return None
    try:
        earlier = read_record(path)
    except UsageError:
        return {"unreadable": hash_file(path)}
    same = all(earlier.get(name) == content.get(name) for name in ("fingerprint", "started"))
    return earlier.get("previous") if same else earlier


def _hash_path(path: Path) -> str:
    return hash_files((each for each in path.rglob("*") if each.is_file()), path) if path.is_dir() else hash_file(path)


def _check_chain(record: Mapping[str, Any]) -> Iterator[AuditFinding]:
    number, link = 0, record
    while isinstance(link, dict) and "unreadable" not in link:
        which = f"record {number} before it" if number else "the record"
        fits = link.get(_OWN_HASH) == hash_record(link)
        yield AuditFinding(fits, f"{which} {'is as it was written' if fits else 'was changed after it was written'}")
        number, link = number + 1, link.get("previous")  # type: ignore[assignment]
    if link is not None:
        yield AuditFinding(False, f"record {number} before it could not be read when the next one was written")


def _check_counts(record: Mapping[str, Any]) -> Iterator[AuditFinding]:
    notes = record["notes"]
    fits = notes.get("in") == notes.get("out", 0) + notes.get("quarantined", 0)
    yield AuditFinding(fits, f"notes in {'are' if fits else 'are NOT'} notes out and notes withheld together")


def _check_output(record: Mapping[str, Any], path: Path) -> Iterator[AuditFinding]:
    written = record.get("written") or {}
    if not written:
        yield AuditFinding(True, "the output is a database, which has no hash: it was not looked at")
    for name, digest in written.items():
        place = path.with_name(Path(name).name)
        if not place.exists():
            yield AuditFinding(False, f"{place} is not here, so nobody can say whether it is what was written")
            continue
        fits = _hash_path(place) == digest
        yield AuditFinding(fits, f"{place} {'has the bytes that were written' if fits else 'is NOT what was written'}")
