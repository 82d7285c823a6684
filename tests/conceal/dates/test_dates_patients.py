"""All dates of synthetic patients: 200 in every test run, 2,000 with INNOMINATE_SLOW=1."""

import os
from functools import cache
from random import Random

import pytest
from dates_shape import full_date, same_shape
from shifting import shift_all

from innominate.conceal.dates import learn_context, move_dates, parse_dates, possible_shifts
from innominate.conceal.dates.verify import verify_dates
from innominate.surrogates.dates import age_on
from innominate.synth.case import draw_case
from innominate.synth.generate import FIRST_PATIENT, generate, programs

LANGS = ("en", "fr", "sv", "es")
PATIENTS = (2000 if os.environ.get("INNOMINATE_SLOW") else 200) // len(LANGS)
LABELS = {"DATE", "FECHAS", "Full_Date", "Date_Part"}
SEED = 4


@cache
def notes(lang):
    """The date expressions of every note by patient, each with a birth date drawn as the generator draws it."""
    found = {}
    for note in generate(lang, 2 * PATIENTS, SEED, patients=PATIENTS):
        texts = [span.of(note.text) for span in note.spans if span.label in LABELS]
        found.setdefault(note.meta["patient"], []).append(texts)
    return found


def case_of(lang, patient, stays):
    """Draw the case of a patient again: same seed, same number, same first draws as in `generate`."""
    number = int(patient.split("-")[1]) - FIRST_PATIENT["train"]
    rng = Random(f"{SEED}/{lang}/train/{number}")
    known = programs(lang, "train")
    program, fit = known[int(rng.random() * len(known))]
    return draw_case(program.setting, rng, fit, stays=stays)


def moved_patients(lang):
    for number, (patient, written) in enumerate(notes(lang).items()):
        birth = case_of(lang, patient, (len(written) + 1) // 2).patient.birth
        days = Random(f"shift {number}").choice(possible_shifts())
        yield birth, days, [(texts, [one.text for one in move_dates(texts, lang, days, births=[birth])]) for texts in written]


@pytest.mark.parametrize("lang", LANGS)
def test_every_interval_and_every_age_stays(lang):
    full = 0
    for birth, days, written in moved_patients(lang):
        old_days, new_days = [], []
        for texts, moved in written:
            for old, new in zip(texts, moved, strict=True):
                day = full_date(old, lang)
                if day and new:
                    old_days.append(day)
                    new_days.append(full_date(new, lang, day))
        full += len(old_days)
        assert all((new - old).days == days for old, new in zip(old_days, new_days, strict=True))
        moved_birth = birth.fromordinal(birth.toordinal() + days)
        for old, new in zip(old_days, new_days, strict=True):
            assert age_on(birth, old) == age_on(moved_birth, new)
    assert full > 2 * PATIENTS


@pytest.mark.parametrize("lang", LANGS)
def test_every_form_stays(lang):
    wrong, checked = [], 0
    for _, _, written in moved_patients(lang):
        for texts, moved in written:
            for old, new, expression in zip(texts, moved, parse_dates(texts, lang), strict=True):
                if new and not expression.reading.match.has("H"):
                    checked += 1
                    if not same_shape(old, new, lang) and expression.kind != "season":
                        wrong.append((old, new))
    assert wrong == []
    assert checked > 4 * PATIENTS


@pytest.mark.parametrize("lang", LANGS)
def test_the_invariant_holds_and_a_full_date_never_stays(lang):
    for birth, _, written in moved_patients(lang):
        for texts, moved in written:
            pairs = [(old, new) for old, new in zip(texts, moved, strict=True) if new is not None]
            verify_dates(pairs, lang, context=learn_context(texts, lang), births=[birth])
            assert not any(old == new and full_date(old, lang) for old, new in pairs)


@pytest.mark.parametrize("lang", LANGS)
def test_99_percent_of_dates_can_be_read(lang):
    read = [
        found is not None for written in notes(lang).values() for texts in written for found in shift_all(texts, lang, 700)
    ]
    assert sum(read) >= 0.99 * len(read)
