"""Many notes at once become what each becomes alone, and one that fails keeps none of the others back."""

import pytest

from innominate.conceal import conceal, conceal_many
from innominate.conceal.by_policy import ByPolicy
from innominate.conceal.dates.verify import DatesChangedError
from innominate.conceal.keys import Key
from innominate.conceal.mask import Mask
from innominate.conceal.policy_files import policy
from innominate.conceal.pseudo import note as note_module
from innominate.conceal.pseudo.strategy import Pseudo
from innominate.core import ProcessingError, annotated
from innominate.synth.generate import generate

KEY = Key(bytes(range(32)))


@pytest.mark.parametrize("consistency", ["patient", "document", "markov", "none"])
def test_notes_become_the_same_together_and_alone(consistency):
    notes = [document for lang in ("fr", "en", "sv", "es") for document in generate(lang, 6, seed=3, patients=3)]
    pseudo = Pseudo(KEY, consistency=consistency)
    together = conceal_many([(note, pseudo) for note in notes])
    backwards = conceal_many([(note, pseudo) for note in reversed(notes)])[::-1]
    for note, done, again in zip(notes, together, backwards, strict=True):
        try:
            alone = conceal(note, pseudo)
        except DatesChangedError:  # a shift that this note cannot have
            assert isinstance(done, DatesChangedError)
            continue
        assert done == again == alone
        assert done.document.text == alone.document.text


def test_each_note_has_its_own_concealer():
    notes = [annotated("[Eva Holm](PATIENT), [94](AGE), seen on [3/18/2022](DATE).", f"n{i}") for i in range(3)]
    concealers = [Mask(), ByPolicy(policy("pseudo"), KEY, lang="en"), ByPolicy(policy("hipaa-safe-harbor"), lang="en")]
    done = conceal_many(list(zip(notes, concealers, strict=True)))
    alone = [conceal(note, concealer) for note, concealer in zip(notes, concealers, strict=True)]
    assert [one.document.text for one in done] == [one.document.text for one in alone]
    assert done[2].document.text == "<PATIENT>, 90+, seen on 2022."


@pytest.mark.parametrize("step", ["move_dates", "look", "_surrogate"])
def test_a_note_that_fails_is_told_apart(step, monkeypatch):
    notes = [annotated("[Eva Holm](PATIENT) slept.", name) for name in ("n0", "n1", "n2")]
    whole = getattr(note_module.Note, step)

    def failing(note, *arguments):
        if note.document.id == "n1":
            raise ProcessingError("test", ValueError())
        return whole(note, *arguments)

    monkeypatch.setattr(note_module.Note, step, failing)
    done = conceal_many([(note, Pseudo(KEY, lang="en")) for note in notes])
    assert isinstance(done[1], ProcessingError)
    assert [done[0].document.text.split()[-1], done[2].document.text.split()[-1]] == ["slept.", "slept."]
