"""The concealer of a policy: each span by the strategy of its label."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from innominate.conceal.guard import Guard
from innominate.conceal.keys import Key
from innominate.conceal.people.real_names import RealNames
from innominate.conceal.plan import KEEP, ConcealmentPlan
from innominate.conceal.policy.policy import PSEUDO, REMOVE, Policy
from innominate.conceal.scope import language_of
from innominate.conceal.strategies.operations import OPERATIONS, SpanInNote, by_class, is_what_it_says
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.conceal.strategies.remove import find_sentences_over
from innominate.core import Document, Edit, Span, UsageError
from innominate.labels import kind_of, kinds_that_stay

_TESTED = frozenset({"time", "country", "region", "sex", "kin"})
_CUTS = frozenset({KEEP, "year", "region", "age90"})
_MASKS = ("XXXX", "####", "****")


@dataclass(frozen=True, slots=True)
class ByPolicy:
    """Does to every span what the policy says; a key is needed only where it asks for pseudonyms.

    >>> from innominate.core import annotated
    >>> from innominate.conceal import conceal
    >>> from innominate.conceal.policy.policy import load_policy
    >>> note = annotated("[Eva Holm](PATIENT), [94](AGE), seen on [3/18/2022](DATE) in [Boston](CITY), [MA](STATE).")
    >>> conceal(note, ByPolicy(load_policy("hipaa-safe-harbor"), lang="en")).document.text
    '<PATIENT>, 90+, seen on 2022 in <CITY>, MA.'
    """

    policy: Policy
    key: Key | None = None
    consistency: str = "patient"
    lang: str = ""
    require_patient: bool = False
    real: tuple[RealNames, ...] = field(default=(), repr=False)  # full names that no surrogate may be
    pseudo: Pseudo | None = field(default=None, repr=False)  # prepared with the notes of a patient

    name = "policy"

    def __post_init__(self) -> None:
        if self.policy.needs_key and self.key is None:
            raise UsageError(
                f"policy {self.policy.name!r} makes pseudonyms, and they need a key: "
                "make one with `innominate keys new KEYFILE` and pass it with --key KEYFILE"
            )

    def select(self, document: Document) -> Document:
        """Leave out spans that a detector was less sure of than the policy asks for."""
        return self.policy.select(document)

    def prepare(self, documents: Iterable[Document]) -> ByPolicy:
        """The same, knowing all notes of one patient; see `Pseudo.prepare`."""
        return replace(self, pseudo=self._pseudonyms().prepare(documents)) if self.policy.needs_key else self

    def plan(self, document: Document) -> ConcealmentPlan:
        """Return what each span becomes; `select` has applied the thresholds of the policy."""
        strategies = [self.policy.of(span.label) for span in document.spans]
        if all(strategy == PSEUDO for strategy in strategies) and strategies:
            return self._pseudonymised(document)
        pseudo = self._pseudonymised(document) if PSEUDO in strategies else ConcealmentPlan((), ())
        surrogates = _surrogates(pseudo)
        lang = language_of(document, self.lang)
        cases = [SpanInNote(span, span.of(document.text), document, lang) for span in document.spans]
        guard = Guard.of(c.original for c, chosen in zip(cases, strategies, strict=True) if not _stays(c, chosen))
        gone = find_sentences_over(
            document, [s for s, chosen in zip(document.spans, strategies, strict=True) if chosen == REMOVE], lang
        )
        edits = [Edit(start, end, "") for start, end in gone]
        done: list[tuple[Span, str]] = []
        for case, chosen in zip(cases, strategies, strict=True):
            span = case.span
            if any(start <= span.start and span.end <= end for start, end in gone):
                done.append((span, REMOVE))
                continue
            if chosen == PSEUDO:
                text, strategy = surrogates[span]
            else:
                text, strategy = self._operated(case, chosen, guard)
            done.append((span, strategy))
            if text is not None:
                edits.append(Edit(span.start, span.end, text))
        return ConcealmentPlan(tuple(sorted(edits)), tuple(done), gone)

    def edits(self, document: Document) -> list[Edit]:
        """Return the edits alone."""
        return list(self.plan(document).edits)

    def _pseudonymised(self, document: Document) -> ConcealmentPlan:
        return (self.pseudo or self._pseudonyms()).plan(document)

    def _pseudonyms(self) -> Pseudo:
        ages = KEEP if self.policy.ages_over_89 == "keep" else "90+"
        weekdays = self.policy.weekdays
        return Pseudo(
            self.key, self.consistency, kinds_that_stay(), ages, weekdays, self.lang, self.require_patient, self.real
        )

    def _operated(self, case: SpanInNote, chosen: str, guard: Guard) -> tuple[str | None, str]:
        text, kind = OPERATIONS[chosen](case), kind_of(case.span.label)
        if chosen == KEEP and kind in _TESTED and case.span.label not in self.policy.labels:
            # a name that was marked as a country by mistake must not stay; who names the label itself means it
            text = text if is_what_it_says(case.original, kind, case.lang) else None
        if text == case.original and chosen in _CUTS:  # nothing to cut off: a year alone, an age of 45
            return None, KEEP
        if text is not None and text != case.original and guard.allows(text):
            return text, chosen
        stands = [by_class(case)] if chosen != "mask" else []
        for stand_in in (*stands, *_MASKS):
            if stand_in != case.original and guard.allows(stand_in):
                return stand_in, "class" if stand_in.startswith("<") else "mask"
        return _MASKS[-1], "mask"


def _surrogates(plan: ConcealmentPlan) -> dict[Span, tuple[str | None, str]]:
    """What the spans become that get pseudonyms; all spans of the notes are seen, so that none is used as a surrogate."""
    texts = {(edit.start, edit.end): edit.text for edit in plan.edits}
    return {span: (texts.get((span.start, span.end)), strategy) for span, strategy in plan.strategies}


def _stays(case: SpanInNote, chosen: str) -> bool:
    """Whether nothing is cut off, so that the text may stand elsewhere too: the year 2022 beside 18.3.2022."""
    return chosen == KEEP or (chosen in _CUTS and OPERATIONS[chosen](case) == case.original)
