"""Which document of the system belongs to which of the gold, and what happens to those that have no partner.

The official scorers leave such documents out without a word, which flatters a system that lost its hardest notes. Here it is
an error, unless somebody asks for another policy; then the result says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from innominate.core import Document, Span, SpanError, UsageError
from innominate.core.corpus import by_id
from innominate.evaluate.counts import Pair

Missing = Literal["error", "empty", "skip"]
Opinion = Iterable[Document] | Mapping[str, Sequence[Span]]  # spans by id are joined with the text of the gold


def missing_policy(name: str) -> Missing:
    """What is done about documents without a partner, by its name."""
    policies: dict[str, Missing] = {policy: policy for policy in get_args(Missing)}
    if name not in policies:
        raise UsageError(f"--missing is error, empty or skip, not {name!r}")
    return policies[name]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Documents with both opinions, the ids that had only one, and what was done about them."""

    pairs: tuple[Pair, ...]
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    policy: Missing = "error"

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        said = []
        if self.missing and self.policy == "empty":
            said.append(f"{len(self.missing)} document(s) without system output count as nothing found")
        if self.missing and self.policy == "skip":
            said.append(f"{len(self.missing)} document(s) without system output are left out, as the official scorers do")
        if self.extra:
            said.append(f"{len(self.extra)} document(s) that are not in the gold are left out")
        return said


def paired(gold: Iterable[Document], system: Opinion, missing: Missing = "error") -> Pairing:
    """Pair by id, in the order of the gold. Texts must be the same; extra documents are an error unless skipped.

    >>> pairing = paired([Document("a", "x"), Document("b", "y")], [Document("a", "x")], missing="empty")
    >>> [found.spans for _, found in pairing.pairs], pairing.notes()
    ([(), ()], ['1 document(s) without system output count as nothing found'])
    """
    missing = missing_policy(missing)
    golds = by_id(gold)
    systems = system if isinstance(system, Mapping) else by_id(system)
    absent = tuple(id for id in golds if id not in systems)
    extra = tuple(id for id in systems if id not in golds)
    _refuse("have no system output (--missing empty counts them as nothing found)", absent, missing == "error")
    _refuse("of the system are not in the gold (--missing skip leaves them out)", extra, missing != "skip")
    pairs = tuple(
        (document, _partner(document, systems.get(id, ())))
        for id, document in golds.items()
        if id in systems or missing == "empty"
    )
    return Pairing(pairs, absent, extra, missing)


def _refuse(what: str, ids: Sequence[str], refused: bool) -> None:
    if ids and refused:
        shown = ", ".join(map(repr, ids[:5])) + (" ..." if len(ids) > 5 else "")
        raise UsageError(f"{len(ids)} document(s) {what}: {shown}")


def _partner(gold: Document, found: Document | Sequence[Span]) -> Document:
    if isinstance(found, Document):
        _same_text(gold, found)
        return found
    try:
        return replace(gold, spans=tuple(found), meta={})
    except SpanError as error:
        raise UsageError(f"the system's spans are not of the gold's text: {error}") from None


def _same_text(gold: Document, system: Document) -> None:
    if gold.text == system.text:
        return
    shorter = min(len(gold.text), len(system.text))
    first = next((i for i in range(shorter) if gold.text[i] != system.text[i]), shorter)
    raise UsageError(
        f"document {gold.id!r}: the texts of gold and system differ from character {first} on "
        f"({len(gold.text)} and {len(system.text)} characters); positions cannot be compared"
    )
