"""No surrogate of a full name is the real name of anybody in the run or in the patient file.

2,000 patients in every test run, 100,000 with INNOMINATE_SLOW=1; their names are common, so that chance alone meets many.
"""

import json
import os
from random import Random

import pytest

from innominate.conceal.keys import HEADER
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings
from innominate.surrogates.names import draw_name

LANGS = ("fr", "en", "sv", "es", "de")
PATIENTS = (100_000 if os.environ.get("INNOMINATE_SLOW") else 2_000) // len(LANGS)


def people(lang, count):
    """First and last names as people of a country have them."""
    rng = Random(f"people {lang}")
    drawn = (draw_name(lang, rng) for _ in range(count))
    return [(name.first[0], name.last[0]) for name in drawn]


@pytest.fixture
def settings(tmp_path):
    key = tmp_path / "k.key"
    key.write_text(f"{HEADER}\n{bytes(range(32)).hex()}\n")
    key.chmod(0o600)
    return Settings(policy="pseudo", key=str(key))


def write_notes(path, names, lang):
    with path.open("w", encoding="utf-8") as file:
        for number, (first, last) in enumerate(names):
            text, name = f"{first} {last}.", f"{first} {last}"
            spans = [[0, len(name), "NAME"]]
            meta = {"patient": str(number), "lang": lang}
            file.write(json.dumps({"id": f"n{number}", "text": text, "spans": spans, "meta": meta}) + "\n")


def surrogates(folder, settings, workers=1):
    output = folder / f"out{workers}.jsonl"
    Job("conceal", Inputs((str(folder / "in.jsonl"),), "jsonl"), str(output), settings, workers=workers).run()
    return [json.loads(line)["text"].removesuffix(".") for line in output.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("lang", LANGS)
def test_no_surrogate_is_the_name_of_another_patient_of_the_run(lang, tmp_path, settings, capsys):
    names = people(lang, PATIENTS)
    write_notes(tmp_path / "in.jsonl", names, lang)
    made = surrogates(tmp_path, settings)
    real = {f"{first} {last}".lower() for first, last in names}
    met = sum(name.lower() in real for name in made)
    with capsys.disabled():
        print(f"{lang}: {met} of {len(made)} surrogates are a real name of the run (95%: below {3 / len(made):.1e} if 0)")
    assert len(made) == PATIENTS
    assert met == 0


def test_no_surrogate_is_a_name_of_the_patient_file(tmp_path, settings):
    names = people("fr", 300)
    write_notes(tmp_path / "in.jsonl", names, "fr")
    first_try = surrogates(tmp_path, settings)
    lines = [f"{1000 + i},{name.split()[0]},{' '.join(name.split()[1:])}" for i, name in enumerate(first_try)]
    (tmp_path / "patients.csv").write_text("\n".join(["id,first_name,last_name", *lines]), encoding="utf-8")
    guarded = Settings(policy="pseudo", key=settings.key, patients=str(tmp_path / "patients.csv"))
    (tmp_path / "out1.jsonl").unlink()
    second_try = surrogates(tmp_path, guarded)
    assert set(first_try).isdisjoint(second_try)


def test_surrogates_are_the_same_with_one_worker_and_two(tmp_path, settings):
    write_notes(tmp_path / "in.jsonl", people("sv", 300), "sv")
    assert surrogates(tmp_path, settings) == surrogates(tmp_path, settings, workers=2)
