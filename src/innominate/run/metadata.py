"""What becomes of the metadata of a note: left out, kept as said, concealed by its kind, or the pseudonym of its patient."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from innominate.conceal import conceal
from innominate.conceal.dates.moving import META as BIRTH
from innominate.conceal.dates.moving import births_in, births_of
from innominate.conceal.keys import Key
from innominate.conceal.plain_view import with_plain_spans
from innominate.conceal.scope import patient_pseudonym
from innominate.core import Document, InnominateError, Rejected, Span, UsageError
from innominate.core.protocols import Concealer
from innominate.run.columns import DROP, KEEP, PATIENT, TEXT, read_role
from innominate.run.settings import KEPT_META, Settings
from innominate.run.verify import verify

_LONGEST = 40  # characters of a language or a type of note; what is longer says more
# What a key of metadata looks like. One that does not may be data: the name of somebody, or a number.
_NAME = re.compile(r"(?!.*\d{3})[A-Za-zÀ-ÿ_@][A-Za-zÀ-ÿ0-9_./@:\[\]-]{0,79}")


class MetadataError(InnominateError):
    """Metadata of a note that cannot be concealed."""


def read_kept_meta(settings: Settings) -> dict[str, str]:
    """What is kept, and as what; refuses what might tell who it is, or by how much dates are shifted.

    >>> read_kept_meta(Settings(keep_meta=("lang", "note_date=DATE", "ward=keep")))
    {'lang': 'keep', 'note_date': 'DATE', 'ward': 'keep'}
    """
    roles = dict(_read_entry(entry, settings.patient_key) for entry in settings.keep_meta)
    if PATIENT in roles.values() and not settings.key:
        raise UsageError("--keep-meta: the pseudonym of a patient needs a key; make one with `innominate keys new KEYFILE`")
    return roles


def _read_entry(entry: str, patient_key: str) -> tuple[str, str]:
    name, sign, role = entry.rpartition("=")
    name = name if sign else entry
    is_patient = name in (PATIENT, patient_key)
    if not sign:
        if is_patient or name in KEPT_META:
            return name, PATIENT if is_patient else KEEP
        raise UsageError(
            f"--keep-meta {name}: say what it holds. {name}=KIND conceals it as the policy says, with the pseudonyms and the "
            f"shift of dates of its note (DATE, NAME, id ...); {name}=keep leaves it as it is"
        )
    if is_patient and role == KEEP:
        raise UsageError(f"--keep-meta {name}: it says whose note it is, so it leaves as a pseudonym ({name}) or not at all")
    if role in (TEXT, DROP):
        raise UsageError(f"--keep-meta {name}={role}: it is kept or concealed as something; to drop it, leave it out")
    read_role(f"--keep-meta {name}", role, "en")
    return name, role


def conceal_meta(document: Document, kept: Mapping[str, str], concealer: Concealer, key: Key | None) -> dict[str, Any]:
    """What is kept of the metadata of a note."""
    found: dict[str, Any] = {}
    for name, value in document.meta.items():
        role = kept.get(name)
        if role == PATIENT and key:
            found[name] = patient_pseudonym(key, document.patient())
        elif role == KEEP and (name not in KEPT_META or (isinstance(value, str) and len(value) <= _LONGEST)):
            found[name] = value
        elif role not in (None, KEEP, PATIENT):
            found[name] = _conceal_value(value, str(role), document, concealer)
    return found


def _conceal_value(value: Any, role: str, document: Document, concealer: Concealer) -> Any:
    if value is None:
        return None
    if isinstance(value, list | tuple):
        return [_conceal_value(one, role, document, concealer) for one in value]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise MetadataError("a value that is to be concealed is neither a text nor a number nor a list of them")
    text = str(value).strip()
    if not text:
        return ""
    lang = str(document.meta.get("lang", ""))
    label = read_role("--keep-meta", role, lang)
    cell = Document(document.id, text, (Span(0, len(text), label),), _meta_of_cell(document, lang))
    concealed = conceal(cell, concealer)
    verify(cell, concealed)
    return concealed.document.text


def _meta_of_cell(document: Document, lang: str) -> dict[str, Any]:
    """What the shift of dates depends on: in a note of nobody, on the birth dates that its text tells."""
    meta = {name: document.meta[name] for name in ("lang", "patient", BIRTH) if name in document.meta}
    if document.patient() or births_of(meta):
        return meta
    return {**meta, BIRTH: [day.isoformat() for day in births_in(with_plain_spans(document), lang)]}


@dataclass(frozen=True, slots=True)
class MetaDecisions:
    """What became of every key of metadata that a run met, for its record. Keys that may be data are only counted."""

    kept: Mapping[str, str]
    keys: set[str]

    def over(self, items: Iterable[Document | Rejected]) -> Iterator[Document | Rejected]:
        """Pass on the items and remember their keys."""
        for item in items:
            if isinstance(item, Document):
                self.keys.update(item.meta)
            yield item

    def as_json(self) -> dict[str, Any]:
        """The decisions by key, and how many keys are not named."""
        named = sorted(key for key in self.keys if self.kept.get(key, DROP) != DROP or _NAME.fullmatch(key))
        others = len(self.keys) - len(named)
        told = {"metadata": {key: _decision(self.kept.get(key)) for key in named}}
        return {**told, "metadata_not_named": others} if others else told


def _decision(role: str | None) -> str:
    words = {None: "dropped", DROP: "dropped", KEEP: "kept", PATIENT: "pseudonym of the patient", TEXT: "looked through"}
    return words.get(role, f"concealed as {role}")
