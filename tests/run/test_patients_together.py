"""Notes of one patient know of each other: side by side, apart, cut short and resumed, and in whatever part of the run."""

import json
from itertools import pairwise

import pytest

from innominate.conceal.keys import new_key
from innominate.conceal.people.digests import Digests
from innominate.conceal.vault import Vault
from innominate.core import Document, UsageError, annotated
from innominate.formats import format_named
from innominate.run import units
from innominate.run.batch import Batch, OutputPlaces
from innominate.run.concealing import Done
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.outcome import Quarantined, Task
from innominate.run.sealing import VaultFile
from innominate.run.settings import Settings
from innominate.run.survey import Survey, digest_patients, patient_finder, survey_source
from innominate.run.units import after, of_patients
from innominate.run.workers import outcomes

NAMES = ("Christiansen", "Rochat", "Delacrétaz", "Oberson")


def note(number, patient):
    name = NAMES[patient]
    texts = (
        f"Mme [Eva {name}](PATIENT_E), vue le [{1 + number % 28:02d}.03.2022](DATE).",
        f"Appelé {name}, rien de neuf.",
        f"[{name[:-2]}{name[-1]}{name[-2]}](PATIENT_E) revue le [2{number % 9}.04.2022](DATE).",
    )
    document = annotated(texts[number % 3], f"n{number}")
    return Document(document.id, document.text, document.spans, {"patient": str(patient), "lang": "fr"})


SIDE_BY_SIDE = [note(number, number // 6) for number in range(24)]
APART = [note(number, number % 4) for number in range(24)]


@pytest.fixture
def settings(tmp_path):
    new_key(tmp_path / "k.key")
    return Settings(lang="fr", policy="pseudo", key=str(tmp_path / "k.key"))


def whose(document):
    return str(document.meta.get("patient", ""))


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path, notes):
    with path.open("w", encoding="utf-8") as file:
        for one in notes:
            spans = [[span.start, span.end, span.label] for span in one.spans]
            file.write(json.dumps({"id": one.id, "text": one.text, "spans": spans, "meta": dict(one.meta)}) + "\n")
    return Inputs((str(path),))


def test_patients_that_lie_apart_are_noticed():
    assert Survey.of(SIDE_BY_SIDE, Settings()) == Survey(24, 0, frozenset())
    assert Survey.of(APART, Settings()).apart == {"0", "1", "2", "3"}
    found = Survey.of([*SIDE_BY_SIDE, Document("x", ""), SIDE_BY_SIDE[0]], Settings())
    assert (found.without_patient, found.apart) == (1, {"0"})


def test_a_patient_with_more_notes_than_fit_is_taken_for_apart(monkeypatch):
    monkeypatch.setattr("innominate.run.survey.MOST_NOTES", 5)
    assert Survey.of(SIDE_BY_SIDE, Settings()).apart == {"0", "1", "2", "3"}
    monkeypatch.setattr(units, "MOST_NOTES", 5)
    assert [len(unit) for unit in of_patients(SIDE_BY_SIDE[:6], whose)] == [5, 1]


def test_the_digest_of_a_patient_holds_what_was_marked_and_no_text_around(tmp_path, settings):
    inputs = write(tmp_path / "in.jsonl", APART)
    found = digest_patients(inputs, survey_source(inputs, settings), Task("conceal", settings), 1)
    assert len(found) == 4
    assert found.of("0").text == "Mme Eva Christiansen\nMme Eva Christiansen\nChristiansne\nChristiansne"


@pytest.mark.parametrize("notes", [SIDE_BY_SIDE, APART], ids=["side by side", "apart"])
def test_every_note_gets_the_pseudonyms_of_its_patient_wherever_it_stands(tmp_path, settings, notes):
    inputs = write(tmp_path / "in.jsonl", notes)
    task = Task("conceal", settings)
    known = digest_patients(inputs, survey_source(inputs, settings), task, 1)
    done = list(outcomes(after(of_patients(notes, patient_finder(settings), known), 0), task, 1))
    names = {}
    for before, result in zip(notes, done, strict=True):
        assert isinstance(result, Done)
        text = result.document.text
        original, patient = NAMES[int(before.meta["patient"])], before.meta["patient"]
        assert original not in text
        if before.text.startswith("Mme"):
            names.setdefault(patient, set()).add(text.split()[2].rstrip(","))
        elif before.text.startswith("Appelé"):
            names.setdefault(patient, set()).add(text.split()[1].rstrip(","))
        else:  # a misspelling of the same pseudonym
            names.setdefault(f"typo {patient}", set()).add("".join(sorted(text.split()[0].lower())))
    for patient in "0123":
        (name,) = names[patient]
        (typo,) = names[f"typo {patient}"]
        can_swap = any(one != other for one, other in pairwise(name.lower()[1:]))  # not in `Nee`, whose slip is another letter
        assert typo == "".join(sorted(name.lower())) if can_swap else len(typo) == len(name)


@pytest.mark.parametrize("notes", [SIDE_BY_SIDE, APART], ids=["side by side", "apart"])
def test_a_run_that_is_cut_anywhere_goes_on_as_if_it_had_not_been(tmp_path, settings, notes):
    task = Task("conceal", settings)
    known = Digests()
    whole = list(outcomes(after(of_patients(notes, whose, known), 0), task, 1))
    for done in range(len(notes) + 1):
        rest = list(outcomes(after(of_patients(notes, whose, known), done), task, 1))
        assert [result.document for result in rest] == [result.document for result in whole[done:]]


def test_stopped_in_the_middle_of_a_patient_output_and_vault_end_as_if_it_had_not_been(tmp_path, settings):
    task = Task("conceal", settings, vault=True)

    def batch(name):
        vault = VaultFile(tmp_path / f"{name}.vault", "correct horse")
        return Batch(task, format_named("jsonl"), OutputPlaces(str(tmp_path / f"{name}.jsonl")), "mark", 1, vault)

    def stopped(results, count):
        for number, unit in enumerate(of_patients(results, whose)):
            if number == count:
                raise KeyboardInterrupt
            yield unit

    whole = batch("whole").run(of_patients(SIDE_BY_SIDE, whose))
    for count in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            batch("cut").run(stopped(SIDE_BY_SIDE, count), resume=count > 1)
    with (tmp_path / "cut.vault").open("a") as file:
        file.write("torn by a cra")
    resumed = batch("cut").run(of_patients(SIDE_BY_SIDE, whose), resume=True)
    assert (tmp_path / "cut.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert (resumed.strategies, resumed.found_again) == (whole.strategies, whole.found_again)
    ids = [one.id for one in SIDE_BY_SIDE]
    found = []
    for name in ("whole", "cut"):
        with Vault.open(tmp_path / f"{name}.vault", "correct horse") as vault:
            found.append(vault.reidentify(ids, reason="for the test", who="me", when="now"))
    a, b = found
    assert a == b
    assert len(a) == len(SIDE_BY_SIDE)


def test_one_bad_note_of_a_patient_does_not_take_the_others_with_it(settings, monkeypatch):
    from innominate.run import concealing

    real = concealing.find_again

    def fails_on_one(document, wanted, lang):
        if document.id == "n1":
            raise ValueError(document.text)
        return real(document, wanted, lang)

    monkeypatch.setattr(concealing, "find_again", fails_on_one)
    (unit,) = of_patients(SIDE_BY_SIDE[:5], whose)
    results = Task("conceal", settings).work(unit)
    assert [isinstance(result, Quarantined) for result in results] == [False, True, False, False, False]
    assert results[1] == Quarantined("n1", "find again", "ValueError")
    name = results[0].document.text.split()[2].rstrip(",")
    assert results[4].document.text == f"Appelé {name}, rien de neuf."  # the others still know of each other


@pytest.mark.parametrize("propagate", [True, False])
def test_notes_that_cannot_be_searched_together_are_withheld_unless_nobody_wants_them_searched(
    settings, monkeypatch, propagate
):
    from innominate.conceal.policy.concealer import ByPolicy

    def fails(self, documents):
        raise TimeoutError

    monkeypatch.setattr(ByPolicy, "prepare", fails)  # is asked for several notes only
    (unit,) = of_patients(SIDE_BY_SIDE[:3], whose)
    results = Task("conceal", settings.with_options(propagate=propagate)).work(unit)
    if propagate:  # the second note names the patient, and marks nothing
        assert {(type(result), result.step) for result in results} == {(Quarantined, "find again")}
        assert not any(name in result.reason for name in NAMES for result in results)
    else:
        assert all(isinstance(result, Done) for result in results)


def test_standard_input_is_not_read_twice(settings):
    assert survey_source(Inputs(("-",)), settings) is None


def test_a_missing_patient_is_an_error_where_it_is_asked_for(tmp_path, settings):
    inputs = write(tmp_path / "in.jsonl", [SIDE_BY_SIDE[0], Document("x", "y")])
    with pytest.raises(UsageError, match="1 of 2 notes have no patient id"):
        survey_source(inputs, settings.with_options(consistency="patient"))
    assert survey_source(inputs, settings).without_patient == 1


def test_a_vault_that_is_left_out_of_a_resumed_run_is_noticed(tmp_path, settings):
    inputs = write(tmp_path / "in.jsonl", SIDE_BY_SIDE)
    vaults = (None, VaultFile(tmp_path / "v", "x"), VaultFile(tmp_path / "w", "x"))
    jobs = [Job("conceal", inputs, str(tmp_path / "out.jsonl"), settings, resume=True, vault=vault) for vault in vaults]
    assert len({job.fingerprint() for job in jobs}) == 3
