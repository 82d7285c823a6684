"""What every concealer must do, whoever wrote it: the plugins, every strategy, every policy that ships."""

import pickle
from functools import cache
from html import unescape
from itertools import groupby, pairwise

import pytest
from conceal_cases import CASES, KEY, random_notes, synthetic_notes

from innominate.conceal import conceal
from innominate.conceal.plan import PlanningConcealer, PreparingConcealer
from innominate.conceal.policy.concealer import ByPolicy
from innominate.conceal.policy.policy import load_policy, policy_names
from innominate.conceal.scope import MODES
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.conceal.strategies.remove import Remove
from innominate.core import Document, Span, annotated, resolve
from innominate.core.plugins import available, load
from innominate.core.protocols import Concealer

CONCEALERS = {
    **{f"plugin {name}": load("concealers", name) for name in sorted(available("concealers"))},
    "remove": Remove(),
    **{f"pseudo {mode}": Pseudo(KEY, mode) for mode in MODES},
    **{f"policy {name}": ByPolicy(load_policy(name), KEY) for name in policy_names()},
}
MASKS = ("XXXX", "####", "****")
SHORTEST = 3  # characters from which on a text identifies
HARD = {
    "nothing marked": annotated("No fever."),
    "empty": Document("n", ""),
    "one character": annotated("[E](DOCTOR)"),
    "everything": annotated("[Eva Holm](PATIENT)"),
    "neighbours": annotated("[Eva](PATIENT)[Holm](PATIENT)[94](AGE)"),
    "overlap": Document("n", "Eva Holm slept.", (Span(0, 8, "PATIENT"), Span(4, 14, "CITY"))),
    "inside": Document("n", "Dr Eva Holm, MD", (Span(0, 15, "DOCTOR"), Span(3, 6, "PATIENT"))),
    "blanks": annotated("Eva[ \n ](DATE)slept."),
    "emoji": annotated("🙂 [Eva🙂](PATIENT) 🇸🇪"),
    "combining accent": annotated("[Ne\u0301e](PATIENT) a\u0300 [Gene\u0300ve](CITY)"),
    "markup": annotated("<p>[Andr&eacute; <b>Holm</b>](PATIENT)</p>"),
    "a tag": annotated("<p>seen by [<b>Holm](DOCTOR)</b></p>"),
    "an unknown label": annotated("[Eva Holm](MY_OWN_LABEL) slept."),
    "a class": annotated("[PATIENT](PATIENT), [DATE](DATE), [XXXX](DOCTOR), [####](ID)"),
    "no date": annotated("[31.02.2020](DATE), [99/99/99](DATE), [sometime](DATE)"),
    "line ends": annotated("[Eva\r\nHolm](PATIENT)\r\n[3 mai\u2028 1950](DATE)"),
}
contract = pytest.mark.parametrize("name", CONCEALERS)


@cache
def notes():
    found = [*random_notes(CASES // 3, 31), *synthetic_notes(CASES // 3, 31)]
    return [document.with_spans(resolve(document.spans)) for document in found]


def without(text, places):
    """The text outside of places."""
    ends = [0, *(end for _, end in places)]
    return "".join(text[end:start] for end, (start, _) in zip(ends, [*places, (len(text), 0)], strict=True))


def check(document, concealer):
    """What holds for every note and every concealer."""
    concealed = conceal(document, concealer)
    settled = resolve(document.spans)
    assert tuple(treated.span for treated in concealed.treated) == tuple(settled)  # each span once, in the order of the text
    changes = concealed.offsets.changes
    assert tuple((change.source_start, change.source_end) for change in changes) == concealed.replaced
    kept = without(document.text, [(change.source_start, change.source_end) for change in changes])
    assert without(concealed.document.text, [(change.target_start, change.target_end) for change in changes]) == kept
    for treated in concealed.treated:
        original = treated.span.of(document.text)
        if treated.target is None:
            assert any(start <= treated.span.start and treated.span.end <= end for start, end in concealed.removed)
        elif treated.strategy == "keep":
            assert treated.target.of(concealed.document.text) == original
        else:
            made, same_for_all = unescape(treated.target.of(concealed.document.text)), {f"<{treated.span.label}>", *MASKS}
            assert (
                made in same_for_all or len(original.strip()) < SHORTEST or original.strip().casefold() not in made.casefold()
            )
    targets = [treated.target for treated in concealed.treated if treated.target]
    assert tuple(targets) == concealed.document.spans
    assert all(one.end <= other.start for one, other in pairwise(targets))
    assert (concealed.document.id, concealed.document.meta) == (document.id, document.meta)
    assert sum(concealed.counts().values()) == len(settled)
    return concealed


@contract
def test_it_is_a_concealer_and_its_edits_are_those_of_its_plan(name):
    concealer = CONCEALERS[name]
    assert isinstance(concealer, Concealer)
    for document in notes()[::10]:
        edits = concealer.edits(document)
        assert all(one.end <= other.start for one, other in pairwise(edits))
        if isinstance(concealer, PlanningConcealer):
            assert edits == list(concealer.plan(document).edits)


@contract
@pytest.mark.parametrize("case", HARD)
def test_hard_notes(name, case):
    concealed = check(HARD[case], CONCEALERS[name])
    assert bool(concealed.treated) == bool(HARD[case].spans)


@contract
def test_marked_notes_right_or_wrong(name):
    for document in notes():
        check(document, CONCEALERS[name])


@contract
def test_the_same_note_becomes_the_same_in_any_process(name):
    concealer = CONCEALERS[name]
    copy = pickle.loads(pickle.dumps(concealer))  # as it goes to a worker
    for document in notes()[::5]:
        assert conceal(document, copy) == conceal(document, concealer)


@contract
def test_the_notes_of_a_patient_may_be_shown_to_it_first(name):
    concealer = CONCEALERS[name]
    if not isinstance(concealer, PreparingConcealer):
        assert "pseudo" not in name
        return
    for _, group in groupby(notes()[::2], key=lambda document: document.meta["patient"]):
        together = list(group)
        prepared = concealer.prepare(together)
        for document in together:
            check(document, prepared)


@contract
def test_it_does_not_show_what_it_was_told(name):
    concealer = CONCEALERS[name]
    secrets = [KEY.secret.hex(), repr(KEY.secret)]
    if isinstance(concealer, PreparingConcealer):
        concealer = concealer.prepare([annotated("[Quixwortham](PATIENT) on [18.03.2022](DATE)")])
        secrets += ["Quixwortham", "quixwortham", "18.03.2022"]
    assert not any(secret in repr(concealer) for secret in secrets)
