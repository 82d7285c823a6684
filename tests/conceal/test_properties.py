import itertools

from conceal_cases import CASES, KEY, OTHER_KEY, random_notes, synthetic_notes

from innominate.conceal import conceal
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import resolve
from innominate.labels import kind_of

MOVED = {"date", "age"}  # see docs: one shift for all dates of a patient may make one date another


def notes(seed):
    yield from random_notes(CASES // 2, seed)
    yield from synthetic_notes(CASES // 2, seed)


def test_no_original_of_three_characters_survives_in_its_place_or_in_any_surrogate():
    for document in notes(11):
        concealed = conceal(document, Pseudo(KEY))
        replaced = [t for t in concealed.treated if t.strategy != "keep"]
        originals = {
            t.span.of(document.text).strip().casefold() for t in replaced if len(t.span.of(document.text).strip()) >= 3
        }
        for treated in replaced:
            old, new = treated.span.of(document.text), treated.target.of(concealed.document.text)
            assert new != old, document.id
            held = {original for original in originals if original in new.casefold()}
            if kind_of(treated.span.label) in MOVED:
                held &= {old.strip().casefold()}
            assert not held, (document.id, treated.span.label)


def test_the_same_key_gives_the_same_text_and_another_key_another_one():
    changed = total = 0
    for document in notes(13):
        first = conceal(document, Pseudo(KEY))
        assert conceal(document, Pseudo(KEY)).document.text == first.document.text
        made = [t for t in first.treated if t.strategy == "pseudo" and len(t.span) > 2]
        if len(made) >= 3:
            total += 1
            changed += conceal(document, Pseudo(OTHER_KEY)).document.text != first.document.text
    assert total > CASES // 4
    assert changed == total


def test_no_surrogate_of_a_patient_is_an_original_of_any_of_the_notes():
    documents = [document.with_spans(resolve(document.spans)) for document in notes(14)]
    for _, group in itertools.groupby(documents, key=lambda document: document.meta["patient"]):
        batch = list(group)
        pseudo = Pseudo(KEY).prepare(batch)
        made = [conceal(document, pseudo) for document in batch]
        originals = {
            t.span.of(document.text).strip().casefold()
            for document, concealed in zip(batch, made, strict=True)
            for t in concealed.treated
            if t.strategy != "keep"
        }
        for concealed in made:
            for t in concealed.treated:
                if t.strategy == "pseudo" and kind_of(t.span.label) not in MOVED and len(t.span) > 2:
                    new = t.target.of(concealed.document.text).strip().casefold()
                    assert len(new) < 3 or new not in originals


def test_running_on_the_output_changes_nothing_that_is_not_identified_anew():
    for document in notes(15):
        output = conceal(document, Pseudo(KEY)).document
        again = conceal(output.with_spans(()), Pseudo(KEY))
        assert again.document.text == output.text
