"""Gammas of many samples: neighbours, processes and memory change no value."""

import pytest
from continuums import small_continuums
from hypothesis import given, settings

from innominate.campaign.agreement.alignment import Continuum
from innominate.campaign.agreement.gamma import Parameters, compute_gamma
from innominate.campaign.agreement.many import compute_gammas
from innominate.core import annotated


def of_sentences(sentences):
    return Continuum.of({f"a{number}": annotated(sentence).spans for number, sentence in enumerate(sentences)})


@settings(max_examples=20)
@given(small_continuums(), small_continuums())
def test_neighbours_and_processes_change_nothing(first, second):
    how = Parameters(samples=5, precision=None)
    together = compute_gammas({"x": first, "y": second, "z": first}, how)
    assert together["x"].value == together["z"].value
    for id, some in (("x", first), ("y", second)):
        assert together[id].value == pytest.approx(compute_gamma(some, how).value, abs=1e-12)
        marked = {who for one in together[id].alignment.unitary for who in one.units}
        assert marked == {who for who, units in some.units.items() if units}
        for one in together[id].alignment.unitary:
            assert all(unit in some.units[who] for who, unit in one.units.items())


def test_processes_give_the_same_values():
    sentences = [f"{'x' * n} [Eva](NAME) {'y' * n}" for n in range(12)]
    some = {str(n): of_sentences([text, text.replace("[Eva](NAME)", "Eva")]) for n, text in enumerate(sentences)}
    how = Parameters(samples=5, precision=None)
    alone, shared_out = compute_gammas(some, how), compute_gammas(some, how, workers=2, at_once=2)
    assert {id: found.value for id, found in alone.items()} == {id: found.value for id, found in shared_out.items()}


class Remembered(dict):
    """A memory that is a dictionary."""

    def gammas(self):
        return dict(self)

    def keep_gammas(self, found):
        self.update(found)


@settings(max_examples=20)
@given(small_continuums(), small_continuums())
def test_what_is_remembered_is_what_was_worked_out(first, second):
    how, memory = Parameters(samples=5, precision=None), Remembered()
    fresh = compute_gammas({"x": first}, how, memory=memory)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("innominate.campaign.agreement.many.compute_gamma", None)
        assert compute_gammas({"x": first}, how, memory=memory) == fresh
    assert compute_gammas({"x": first, "y": second}, how, memory=memory)["y"] == compute_gammas({"y": second}, how)["y"]


def test_another_seed_or_weight_is_not_remembered():
    some, memory = of_sentences(["[Eva](NAME) [12h](TIME)", "[Eva](NAME) 12h"]), Remembered()
    same = {"NAME": "a", "TIME": "a"}
    for how in (Parameters(), Parameters(seed=1), Parameters(alpha=2.0), Parameters(precision=0.02), Parameters(within=0.5)):
        assert compute_gammas({"x": some}, how, same, memory=memory)["x"].value == compute_gamma(some, how, same).value
    assert len(memory) == 5
