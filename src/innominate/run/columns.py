"""What the columns of a table hold: `name=NAME,birth=DATE,pid=patient,note=text,ward=keep,memo=drop`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from innominate.core import UsageError
from innominate.formats.reasons import tell_columns
from innominate.labels import for_language, kinds, kinds_in_policy_group, labels_of_all

PATIENT, TEXT, KEEP, DROP = "patient", "text", "keep", "drop"
ROLES = (PATIENT, TEXT, KEEP, DROP)
OTHERS = (KEEP, DROP)
_NUMBER = "id"  # the kind of a patient's id where there is no key to make a pseudonym of it


@dataclass(frozen=True, slots=True)
class Columns:
    """Every column of a table with its role: a label, or one of `ROLES`."""

    roles: Mapping[str, str]

    @property
    def patient(self) -> str:
        """The column that says whose row it is; empty if none does."""
        return next((column for column, role in self.roles.items() if role == PATIENT), "")

    @property
    def written(self) -> tuple[str, ...]:
        """The columns of the output."""
        return tuple(column for column, role in self.roles.items() if role != DROP)


def read_columns(given: str, others: str | None, present: Sequence[str], lang: str) -> Columns:
    """Read what was given on the command line for the columns that a table has.

    >>> read_columns("n=NAME,b=date,p=patient", "drop", ["p", "n", "b", "x"], "fr").roles
    {'p': 'patient', 'n': 'NAME', 'b': 'DATE', 'x': 'drop'}
    """
    asked = dict(_pair(part) for part in given.split(",") if part.strip())
    if not asked:
        raise UsageError("--columns names no column; it is written COLUMN=KIND,COLUMN=KIND")
    for column in asked:
        if column not in present:
            raise UsageError(f"there is no column {column!r}; {tell_columns(present)}")
    rest = [column for column in present if column not in asked]
    if rest and others is None:
        raise UsageError(
            f"--columns does not say what these hold: {', '.join(rest)}. Name them, or leave them out with --others drop, or "
            "keep them with --others keep as they are, apart from what the named columns of the row hold"
        )
    if others not in (None, *OTHERS):
        raise UsageError(f"--others is keep or drop, not {others!r}")
    roles = {
        column: read_role(f"column {column!r}", asked[column], lang) if column in asked else str(others) for column in present
    }
    if sum(role == PATIENT for role in roles.values()) > 1:
        raise UsageError("two columns are said to be the patient; a row belongs to one")
    return Columns(roles)


def _pair(part: str) -> tuple[str, str]:
    column, sign, role = part.strip().rpartition("=")
    if not sign or not column or not role:
        raise UsageError(f"--columns is written COLUMN=KIND,COLUMN=KIND, and this is not: {part.strip()!r}")
    return column, role


def read_role(what: str, role: str, lang: str) -> str:
    """A role, or a label; a kind such as `person` is the label that the language has for it."""
    if role in ROLES or role in labels_of_all():
        return role
    known = frozenset(kinds()) - frozenset(kinds_in_policy_group())
    if role not in known:
        raise UsageError(
            f"{what} is said to hold {role!r}, which is no label. It holds {', '.join(ROLES)}, a label such as NAME or DATE "
            f"(innominate labels), or a kind: {', '.join(sorted(known))}"
        )
    return label_of(role, lang)


def label_of(kind: str, lang: str) -> str:
    """A label for a kind, in the taxonomy of a language or else in any.

    >>> label_of("person", "sv"), label_of("date", "fr")
    ('PATIENT_E', 'DATE')
    """
    candidates = (*for_language(lang).labels.values(), *labels_of_all().values())
    return next(label.name for label in candidates if label.kind.name == kind)


def without_key(columns: Columns, lang: str) -> Columns:
    """The same where nothing can stand for a patient: the id is then concealed like any other number."""
    number = label_of(_NUMBER, lang)
    return Columns({column: number if role == PATIENT else role for column, role in columns.roles.items()})
