"""Concealment as a user runs it: policies, keys, consistency, the vault, and what is refused before anything is written."""

import json
import os
import re
import subprocess
import sys
from datetime import date, timedelta

import pytest
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.conceal.dates.moving import patient_shift
from innominate.conceal.keys import HEADER, new_key, read_key
from innominate.core import InnominateError, annotated
from innominate.surrogates.dates import age_on

FIRST = (
    "Mme [Eva Christiansen](PATIENT_E), née le [3 mai 1950](DATE), "
    "vue le [18.03.2022](DATE) à [Lausanne](EMPLACEMENT_GÉOGRAPHIQUE)."
)
SECOND = "[Christiansen](PATIENT_E) rappelée le [25.03.2022](DATE), IPP [3104729](IPP)."


def run(*arguments, **options):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], **options)


def done(*arguments, **options):
    result = run(*arguments, **options)
    assert result.exit_code == 0, (result.output, result.exception)
    return result


def write_notes(path, *notes, lang="fr"):
    """Notes as (patient, marked-up text), or the text alone for a note of nobody."""
    lines = []
    for number, note in enumerate(notes, start=1):
        patient, marked = note if isinstance(note, tuple) else (None, note)
        document = annotated(marked, f"n{number}")
        spans = [{"start": s.start, "end": s.end, "label": s.label} for s in document.spans]
        meta = {"lang": lang} | ({"patient": patient} if patient else {})
        lines.append(json.dumps({"id": document.id, "text": document.text, "spans": spans, "meta": meta}, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read_notes(path):
    return {note["id"]: note for note in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def texts(path):
    return [note["text"] for note in read_notes(path).values()]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.key").write_text(f"{HEADER}\n{bytes(range(32)).hex()}\n")  # always the same: names are drawn with it
    return tmp_path


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("class", "Vu par <DOCTOR> le <DATE>. Stable."),
        ("mask", "Vu par XXXX le XXXX. Stable."),
        ("remove", "Stable."),
        ("hipaa-safe-harbor", "Vu par <DOCTOR> le 2022. Stable."),
    ],
)
def test_spans_that_a_source_carries_are_concealed_by_policy_without_detection(here, policy, text):
    write_notes(here / "in.jsonl", "Vu par [Rochat](DOCTOR) le [3 mai 2022](DATE). Stable.")
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", policy)
    assert texts(here / "out.jsonl") == [text]


def test_what_is_not_marked_stays_in_conceal_and_goes_in_deidentify(here):
    write_notes(here / "in.jsonl", "Vu par [Rochat](DOCTOR) le 3 mai 2022.")
    done("conceal", "in.jsonl", "-o", "a.jsonl")
    done("deidentify", "in.jsonl", "-o", "b.jsonl")
    assert texts(here / "a.jsonl") == ["Vu par <DOCTOR> le 3 mai 2022."]
    assert texts(here / "b.jsonl") == ["Vu par <STAFF> le <DATE>."]


def test_a_policy_of_ones_own(here):
    (here / "ours.toml").write_text(
        'title = "Ours"\nstrategy = "class"\n[kinds]\nzip = "zip1"\n[categories]\nNAME = "mask"\n[thresholds]\nDATE = 0.5\n'
    )
    spans = [[0, 4, "ZIP"], [5, 9, "DOCTOR"], {"start": 10, "end": 14, "label": "DATE", "score": 0.3}]
    (here / "in.jsonl").write_text(json.dumps({"id": "n", "text": "1004 Holm 2022", "spans": spans}) + "\n")
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "ours.toml", "--lang", "en")
    assert texts(here / "out.jsonl") == ["1xxx XXXX 2022"]


def test_one_person_has_one_pseudonym_side_by_side_apart_and_with_workers(here):
    first, second, other = ("7", FIRST), ("7", SECOND), ("8", "Mme [Eva Christiansen](PATIENT_E).")
    write_notes(here / "near.jsonl", first, second, other)
    write_notes(here / "apart.jsonl", first, other, second)
    options = ["--policy", "pseudo", "--key", "k.key"]
    done("conceal", "near.jsonl", "-o", "near_out.jsonl", *options)
    done("conceal", "apart.jsonl", "-o", "apart_out.jsonl", *options)
    done("conceal", "apart.jsonl", "-o", "many_out.jsonl", *options, "--workers", "2")
    near, apart = texts(here / "near_out.jsonl"), texts(here / "apart_out.jsonl")
    assert [near[0], near[1], near[2]] == [apart[0], apart[2], apart[1]]
    assert (here / "apart_out.jsonl").read_bytes() == (here / "many_out.jsonl").read_bytes()
    name = re.match(r"Mme (\S+) (\S+),", near[0])
    assert near[1].startswith(f"{name[2]} rappelée le ")
    assert name[2] not in near[2]
    assert json.loads((here / "apart_out.jsonl.run.json").read_text())["concealment"]["patients_apart"] == 1


def test_a_typo_in_another_note_is_a_typo_of_the_same_pseudonym(here):
    write_notes(here / "in.jsonl", ("7", FIRST), ("7", "Mme [Christainsen](PATIENT_E) va bien."))
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "pseudo", "--key", "k.key")
    first, second = texts(here / "out.jsonl")
    right, wrong = re.match(r"Mme \S+ (\S+),", first)[1], re.match(r"Mme (\S+) va", second)[1]
    assert right != wrong
    assert sorted(right.lower()) == sorted(wrong.lower())


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1)], ids=["side by side", "apart"])
def test_what_is_marked_in_one_note_is_found_again_in_the_patients_others_and_reported(here, order):
    notes = [("7", FIRST), ("7", "Christiansen a appelé. IPP 99."), ("8", "Christiansen est le voisin.")]
    write_notes(here / "in.jsonl", *(notes[i] for i in order))
    told = done("conceal", "in.jsonl", "-o", "out.jsonl")
    by_text = {note["text"]: note for note in read_notes(here / "out.jsonl").values()}
    assert "Christiansen est le voisin." in by_text  # of another patient
    (span,) = by_text["<PATIENT_E> a appelé. IPP 99."]["spans"]
    assert span["source"] == "class+found-again"
    assert "found again because marked elsewhere: 1 PATIENT_E" in told.output
    assert json.loads((here / "out.jsonl.run.json").read_text())["concealment"]["found_again"] == {"PATIENT_E": 1}
    done("conceal", "in.jsonl", "-o", "off.jsonl", "--no-propagate")
    assert sum("Christiansen" in text for text in texts(here / "off.jsonl")) == 2


def test_dates_of_a_patient_move_together_and_keep_their_forms(here):
    write_notes(here / "in.jsonl", ("7", FIRST), ("7", SECOND))
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "pseudo", "--key", "k.key")
    first, second = texts(here / "out.jsonl")
    days = [date(*map(int, reversed(re.search(r"\d\d\.\d\d\.\d{4}", text)[0].split(".")))) for text in (first, second)]
    assert (days[1] - days[0]).days == 7
    assert (days[0] - date(2022, 3, 18)).days == patient_shift(read_key(here / "k.key"), "patient:7")
    assert re.search(r"née le \d+(er)? \w+ 19\d\d,", first)


def test_a_day_on_which_an_age_would_change_gets_its_class_whoever_tells_the_birth_date(here):
    key = read_key(here / "k.key")
    born, day = date(1950, 5, 3), date(2021, 5, 2)  # the eve of a birthday

    def ages_change(patient):
        shift = timedelta(patient_shift(key, f"patient:{patient}"))
        return age_on(born + shift, day + shift) != age_on(born, day)

    patient = next(str(number) for number in range(500) if ages_change(number))
    write_notes(here / "in.jsonl", (patient, "née le [03.05.1950](DATE), vue le [02.05.2021](DATE), [70 ans](ÂGE)"))
    options = ["--policy", "pseudo", "--key", "k.key"]
    done("conceal", "in.jsonl", "-o", "out.jsonl", *options)
    assert re.fullmatch(r"née le \d\d\.\d\d\.\d{4}, vue le <DATE>, 70 ans", *texts(here / "out.jsonl"))
    (here / "patients.csv").write_text(f"id,birth_date\n{patient},1950-05-03\n")
    write_notes(here / "in.jsonl", (patient, "vue le [02.05.2021](DATE) et le [14.06.2021](DATE), [70 ans](ÂGE)"))
    done("conceal", "in.jsonl", "-o", "file.jsonl", *options, "--patients", "patients.csv")
    assert re.fullmatch(r"vue le <DATE> et le \d\d\.\d\d\.\d{4}, 70 ans", *texts(here / "file.jsonl"))


def test_consistency_decides_who_shares_pseudonyms(here):
    write_notes(
        here / "in.jsonl", ("7", "[Eva](PATIENT_E)"), ("7", "[Eva](PATIENT_E) et [Eva](PATIENT_E) et [Eva](PATIENT_E)")
    )
    found = {}
    for mode in ("patient", "document", "none"):
        done("conceal", "in.jsonl", "-o", f"{mode}.jsonl", "--policy", "pseudo", "--key", "k.key", "--consistency", mode)
        found[mode] = [name for text in texts(here / f"{mode}.jsonl") for name in text.split(" et ")]
    assert len(set(found["patient"])) == 1
    assert len(set(found["document"][1:])) == 1
    assert len(set(found["none"])) > 2
    assert found["patient"][0] != found["document"][0]


def test_notes_carry_their_patients_pseudonym_if_asked_to_and_never_the_id(here):
    write_notes(here / "in.jsonl", ("4711", FIRST), ("4711", SECOND), ("4712", SECOND))
    options = ["--policy", "pseudo", "--key", "k.key", "--keep-meta", "patient"]
    done("conceal", "in.jsonl", "-o", "out.jsonl", *options)
    a, b, c = (note["meta"]["patient"] for note in read_notes(here / "out.jsonl").values())
    assert a == b != c
    assert "471" not in a


def test_remove_counts_the_sentences_that_went(here):
    write_notes(here / "in.jsonl", "[Rochat](DOCTOR) a appelé. Vu le [3 mai](DATE). Stable. Revu le [4 mai](DATE).")
    told = done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "remove")
    assert "sentences removed: 3" in told.output
    concealment = json.loads((here / "out.jsonl.run.json").read_text())["concealment"]
    counts = {"strategies": {"remove": 3}, "found_again": {}, "sentences_removed": 3, "notes_without_patient": 1}
    assert concealment == {**counts, "labels": {"DATE": {"remove": 2}, "DOCTOR": {"remove": 1}}}
    assert [note["spans"] for note in read_notes(here / "out.jsonl").values()] == [[]]


def test_spans_lie_in_the_output_with_the_strategy_each_got(here):
    write_notes(here / "in.jsonl", "[Eva](PATIENT_E) de [Suisse](PAYS), le [18.03.2022](DATE).")
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "swiss-research", "--key", "k.key", "--spans", "s.jsonl")
    (note,), (apart,) = read_notes(here / "out.jsonl").values(), read_notes(here / "s.jsonl").values()
    strategies = {span["label"]: span["source"] for span in apart["spans"]}
    assert strategies == {"PATIENT_E": "pseudo", "PAYS": "keep", "DATE": "pseudo"}
    shown = {span["label"]: note["text"][span["start"] : span["end"]] for span in apart["spans"]}
    assert shown["PAYS"] == "Suisse"
    assert note["text"] == f"{shown['PATIENT_E']} de Suisse, le {shown['DATE']}."


@pytest.mark.parametrize("to", ["brat", "text"])
def test_where_the_format_does_not_hold_the_strategy_it_lies_beside(here, to):
    write_notes(here / "in.jsonl", "[Eva](PATIENT_E) dort.")
    done("conceal", "in.jsonl", "-o", "out", "--to", to, "--keep-ids")
    (line,) = map(json.loads, (here / "out.spans.jsonl").read_text().splitlines())
    assert line["spans"] == [{"start": 0, "end": 11, "label": "PATIENT_E", "score": 1.0, "source": "class"}]
    assert (here / "out" / "n1.txt").read_text() == "<PATIENT_E> dort."


def test_clinical_entities_are_carried_into_the_concealed_text(here):
    write_notes(here / "in.jsonl", "[Eva](PATIENT_E) a de l'[asthme](DISEASE) depuis le [3 mai 2020](DATE).")
    for command in ("conceal", "deidentify"):
        done(command, "in.jsonl", "-o", f"{command}.jsonl", "--entities", "DISEASE,DRUG", "--keep-ids")
        note = read_notes(here / f"{command}.jsonl")["n1"]
        (entity,) = (span for span in note["spans"] if span["label"] == "DISEASE")
        assert note["text"][entity["start"] : entity["end"]] == "asthme"
        assert "<DATE>" in note["text"]


def test_the_key_is_nowhere_but_in_its_file_and_its_mark_is_in_the_record(here):
    write_notes(here / "in.jsonl", ("7", FIRST))
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "pseudo", "--key", "k.key")
    secret = read_key(here / "k.key").secret.hex()
    record = json.loads((here / "out.jsonl.run.json").read_text())
    assert record["settings"]["key"] == read_key(here / "k.key").fingerprint()
    assert len(record["settings"]["policy_sha256"]) == 64
    for path in here.glob("out.jsonl*"):
        assert secret[:16] not in path.read_text()


def test_another_key_or_policy_file_is_another_run(here):
    write_notes(here / "in.jsonl", *(("7", FIRST),) * 3)
    (here / "p.toml").write_text('strategy = "class"\n')
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "p.toml")
    before = json.loads((here / "out.jsonl.run.json").read_text())["fingerprint"]
    (here / "p.toml").write_text('strategy = "mask"\n')
    (here / "out.jsonl").unlink()
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "p.toml")
    assert json.loads((here / "out.jsonl.run.json").read_text())["fingerprint"] != before


def test_deterministic_for_a_key_and_different_for_another(here):
    new_key(here / "other.key")
    write_notes(here / "in.jsonl", ("7", FIRST), ("7", SECOND))
    for name, key in (("a", "k.key"), ("b", "k.key"), ("c", "other.key")):
        done("conceal", "in.jsonl", "-o", f"{name}.jsonl", "--policy", "pseudo", "--key", key)
    assert (here / "a.jsonl").read_bytes() == (here / "b.jsonl").read_bytes()
    assert texts(here / "a.jsonl")[0] != texts(here / "c.jsonl")[0]


BAD_POLICY = 'strategy = "class"\n[labels]\nPATEINT = "mask"\n'


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--policy", "pseudo"], "innominate keys new"),
        (["--policy", "pseudo", "--key", "none.key"], "no key file none.key"),
        (["--policy", "pseudo", "--key", "in.jsonl"], "not a key file"),
        (["--policy", "bad.toml"], "'PATEINT', which does not exist"),
        (["--policy", "none.toml"], "cannot read the policy none.toml"),
        (["--policy", "gdpr"], "hipaa-safe-harbor"),
        (["--policy", "pseudo", "--key", "k.key", "--consistency", "sometimes"], "markov"),
        (["--policy", "pseudo", "--key", "k.key", "--consistency", "patient"], "1 of 2 notes have no patient id"),
        (["--patients", "none.csv"], "cannot read the patients"),
        (["--passphrase-file", "k.key"], "--vault"),
        (["--vault", "v", "--passphrase-file", "none"], "cannot read the passphrase"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(here, options, says):
    write_notes(here / "in.jsonl", ("7", FIRST), SECOND)
    (here / "bad.toml").write_text(BAD_POLICY)
    before = sorted(here.iterdir())
    for command in ("conceal", "deidentify"):
        result = run(command, "in.jsonl", "-o", "out.jsonl", *options)
        assert isinstance(result.exception, InnominateError), result.output
        assert says in str(result.exception)
        assert sorted(here.iterdir()) == before


def test_plain_texts_name_no_patient(here):
    (here / "n.txt").write_text("Vu le 3 mai 2022.")
    result = run("deidentify", "n.txt", "-o", "out", "--policy", "pseudo", "--key", "k.key", "--consistency", "patient")
    assert "no metadata" in str(result.exception)
    done("deidentify", "n.txt", "-o", "out", "--to", "text", "--policy", "pseudo", "--key", "k.key")


def test_keys_are_made_once(here):
    told = done("keys", "new", "new.key")
    assert read_key(here / "new.key").fingerprint() in told.output
    assert (here / "new.key").stat().st_mode & 0o777 == 0o600
    assert done("keys", "show", "new.key").output.strip() == read_key(here / "new.key").fingerprint()
    assert "never overwritten" in str(run("keys", "new", "new.key").exception)


def test_policies_are_listed_and_explained_in_plain_words(here):
    assert "HIPAA Safe Harbor" in done("policy", "list").output
    command = [sys.executable, "-m", "innominate", "policy", "explain", "hipaa-safe-harbor"]
    shown = subprocess.run(command, env={**os.environ, "COLUMNS": "200"}, capture_output=True, text=True, check=True).stdout
    assert re.search(r"names of people +is replaced by the name of its class +Eva Holm +→ +<PATIENT>", shown)
    assert re.search(r"dates +is cut down to the year.* +03/18/2022 +→ +2022", shown)
    (here / "ours.toml").write_text('title = "Ours <1>"\nstrategy = "mask"\n[thresholds]\ndefault = 0.25\n')
    done("policy", "explain", "ours.toml", "--lang", "fr", "--html", "ours.html")
    page = (here / "ours.html").read_text()
    assert "Ours &lt;1&gt;" in page
    assert "less sure of than: default 0.25" in page
    assert "Marie-Laure Christiansen" in page
    assert "no policy is called 'gdpr'" in str(run("policy", "explain", "gdpr").exception)


def test_preview_shows_pseudonyms(here):
    write_notes(here / "in.jsonl", ("7", FIRST))
    shown = done("preview", "in.jsonl", "--carried", "--policy", "pseudo", "--key", "k.key").output
    assert "Eva Christiansen PATIENT_E" in shown
    assert "18.03.2022" not in shown.partition("concealed")[2]
    assert "keys new" in str(run("preview", "in.jsonl", "--policy", "pseudo").exception)
