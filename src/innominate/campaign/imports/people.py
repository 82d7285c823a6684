"""Who is meant by a name of another tool, checked against the registration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from innominate.campaign.records import Annotator
from innominate.core import FormatError


class People:
    """The registered annotators by all their names: id, session (`annotator_team`), e-mail address, and `also`.

    >>> people = People([Annotator("jeff_bezos", "farfalle", email="jb@example.org")])
    >>> people.named(["contest-jeff_bezos_farfalle"]).id, people.named(["jb@example.org"]).id
    ('jeff_bezos', 'jeff_bezos')
    """

    def __init__(self, annotators: Iterable[Annotator]) -> None:
        self._by_name: dict[str, set[Annotator]] = {}
        self._ids: list[str] = []
        for person in annotators:
            self._ids.append(person.id)
            for name in (*person.also, person.email, person.id, f"{person.id}_{person.team}"):
                self._by_name.setdefault(name, set()).add(person)

    def named(self, names: Sequence[str]) -> Annotator:
        """The person of these names; the first that is known counts."""
        for name in filter(None, names):
            for known in _without_dataset(name):
                people = self._by_name.get(known, set())
                if len(people) > 1:
                    raise FormatError(f"{known!r} may be {' or '.join(sorted(person.id for person in people))}")
                if people:
                    return next(iter(people))
        if not names:
            raise FormatError("does not say who annotated; name the person with --annotator")
        raise FormatError(self._unknown(names[0]))

    def _unknown(self, name: str) -> str:
        for known in _without_dataset(name):
            if any(known.startswith(f"{id}_") for id in self._ids):
                return f"the session {name!r} names another team than the registration"
        return f"the annotator {name!r} is not registered"


def _without_dataset(session: str) -> list[str]:
    """Prodigy writes the name of the dataset and a dash in front of a session; either may hold dashes.

    >>> _without_dataset("set-1-eva_gnocchi")
    ['set-1-eva_gnocchi', '1-eva_gnocchi', 'eva_gnocchi']
    """
    parts = session.split("-")
    return ["-".join(parts[start:]) for start in range(len(parts))]
