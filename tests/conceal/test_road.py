"""Every policy on the whole road, verification included: marked notes, right or wrong, in four languages."""

import itertools
from collections import Counter

import pytest
from conceal_cases import CASES, random_notes, synthetic_notes

from innominate.conceal.keys import new_key
from innominate.conceal.policy.policy import policy_names
from innominate.core import resolve
from innominate.run.concealing import Done
from innominate.run.outcome import Task
from innominate.run.settings import Settings
from innominate.run.units import of_patients


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "k.key"
    new_key(path)
    return str(path)


def patient_of(document):
    return str(document.meta["patient"])


@pytest.mark.parametrize("name", policy_names())
def test_notes_of_a_patient_pass_every_check_on_the_road(key, name):
    task = Task("conceal", Settings(policy=name, key=key))
    notes = [*random_notes(CASES // 4, 21), *synthetic_notes(CASES // 4, 21)]
    steps, kept = Counter(), 0
    for unit in of_patients(notes, patient_of):
        for document, result in zip(unit.items, task.work(unit), strict=True):
            if not isinstance(result, Done):
                steps[result.step] += 1
                continue
            kept += 1
            assert [span.start for span in result.document.spans] == sorted(span.start for span in result.document.spans)
            assert sum(result.strategies.values()) >= len(resolve(document.spans))
    assert not steps
    assert kept == len(notes)


def test_nothing_is_found_in_the_output_that_was_marked_anywhere_in_the_patients_notes(key):
    task = Task("conceal", Settings(policy="class"))
    names = {"PATIENT", "PATIENT_E", "Last_Name", "NOMBRE_SUJETO_ASISTENCIA"}
    for unit in itertools.islice(of_patients(synthetic_notes(CASES // 4, 22), patient_of), 40):
        wholes = {s.of(d.text) for d in unit.items for s in d.spans if s.label in names and len(s.of(d.text).split()) > 1}
        for result in task.work(unit):
            assert isinstance(result, Done)
            for whole in wholes:
                assert whole not in result.document.text
