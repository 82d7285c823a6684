"""Which sample an answer of another tool is about."""

from __future__ import annotations

from collections.abc import Iterable

from innominate.campaign.imports.given import Given
from innominate.campaign.records import Answer, Sample
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
