"""Which sample an answer of another tool is about, and who is meant by its names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from innominate.campaign.imports.given import Given
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.core import FormatError


class Samples:
    """Samples by id and by text. Several may have the same text; a person's answers are spread over them."""

    def __init__(self, samples: Iterable[Sample], answers: Iterable[Answer]) -> None:
        self._by_id = {sample.id: sample for sample in samples}
        self._by_text: dict[str, list[Sample]] = {}
        for sample in self._by_id.values():
            self._by_text.setdefault(sample.text, []).append(sample)
        answered = list(answers)
        self._of_answer = {answer.id: answer.sample for answer in answered}
        self._done = {(answer.sample, answer.annotator) for answer in answered}

    def of(self, given: Given, id: str, annotator: str) -> Sample:
        """The sample of an answer; an answer that is in the store already keeps the one it has."""
        if given.sample in self._by_id:
            sample = self._by_id[given.sample]
            if given.text and given.text != sample.text:
                raise FormatError(f"its text differs from sample {sample.id!r}")
        elif not given.text:
            raise FormatError(f"there is no sample {given.sample!r}")
        else:
            sample = self._by_id.get(self._of_answer.get(id, "")) or self._with_text(given.text, annotator)
        self._done.add((sample.id, annotator))
        return sample

    def _with_text(self, text: str, annotator: str) -> Sample:
        same = self._by_text.get(text)
        if not same:
            raise FormatError("its text is not that of any sample")
        return next((sample for sample in same if (sample.id, annotator) not in self._done), same[0])


class AnnotatorNames:
    """The registered annotators by all their names: id, session (`annotator_team`), e-mail address, and `also`.

    >>> people = AnnotatorNames([Annotator("jeff_bezos", "farfalle", email="jb@example.org")])
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
