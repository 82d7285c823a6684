"""Known identifiers on the road of a document, and in the record of a run."""

import json

import pytest

from innominate.core import Document, FormatError
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.outcome import Quarantined, Task
from innominate.run.pipeline import Pipeline, check
from innominate.run.settings import Settings

NOTE = Document("n1", "Chr\u200bistiensen vue le 18.03.2022, tél 021/314.11.11.", meta={"patient": "7"})


@pytest.fixture
def patients(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("id,nom,prénom,téléphone\n7,Christiansen,Marie-Laure,+41 21 314 11 11\n", encoding="utf-8")
    return str(path)


def settings(patients, **options):
    return Settings(lang="fr", patients=patients, **options)


def test_known_spans_are_united_with_those_of_the_detector(patients):
    found = Pipeline(settings(patients, detector="rules")).detect(NOTE)
    assert [(span.of(NOTE.text), span.label, span.source.partition(":")[0]) for span in found.spans] == [
        ("Chr\u200bistiensen", "PATIENT_E", "known"),
        ("18.03.2022", "DATE", "rules"),
        ("021/314.11.11", "TÉLÉPHONE", "rules"),
    ]
    assert Pipeline(settings(patients)).deidentify(NOTE).text == "<PATIENT> vue le <DATE>, tél <PHONE>."


def test_another_taxonomy(patients):
    found = Pipeline(settings(patients, taxonomy="i2b2")).detect(NOTE)
    assert [span.label for span in found.spans] == ["PATIENT", "DATE", "PHONE"]


def test_html_is_looked_at_as_it_is_shown(patients):
    note = Document("n", "<p>Mme Christi<b>ansen</b> &amp; fils</p>", meta={"patient": "7"})
    found = Pipeline(settings(patients)).detect(note).spans
    assert [span.of(note.text) for span in found if span.label == "PATIENT"] == ["Christi<b>ansen"]


def test_a_note_of_nobody_goes_on_unless_the_patient_is_required(patients):
    stranger = Document("n2", "Christiansen", meta={"patient": "8"})
    assert Pipeline(settings(patients, detector="rules")).detect(stranger).spans == ()
    result = Task("detect", settings(patients, patients_required=True))(stranger)
    assert result == Quarantined("n2", "known identifiers", "the patient of this note is not in the patient file")


def test_the_patient_may_be_named_elsewhere(patients):
    for key, note in (("who", Document("n", "Christiansen", meta={"who": 7})), ("id", Document("7", "Christiansen"))):
        assert len(Pipeline(settings(patients, patient_key=key)).detect(note).spans) == 1


def test_a_bad_file_is_reported_before_the_first_note(tmp_path):
    (tmp_path / "p.csv").write_text("name\nMeier\n")
    with pytest.raises(FormatError, match="no column is the patient's id"):
        check(settings(str(tmp_path / "p.csv")))


def test_another_content_of_the_file_is_another_run(patients, tmp_path):
    before = settings(patients).fingerprint()
    (tmp_path / "patients.csv").write_text("id,nom\n7,Rochat\n")
    assert settings(patients).fingerprint() != before


def test_the_record_counts_notes_without_an_entry(patients, tmp_path):
    notes = [{"id": "a", "text": "Christiansen", "meta": {"patient": "7"}}, {"id": "b", "text": "x", "meta": {"patient": "8"}}]
    (tmp_path / "notes.jsonl").write_text("\n".join(json.dumps(note) for note in [*notes, {"id": "c", "text": "y"}]) + "\n")
    done = Job("deidentify", Inputs((str(tmp_path / "notes.jsonl"),)), str(tmp_path / "out.jsonl"), settings(patients)).run()
    assert (done.counts.written, done.counts.quarantined) == (3, 0)
    record = json.loads((tmp_path / "out.jsonl.run.json").read_text())
    assert record["known_identifiers"] == {"notes_with_entry": 1, "notes_without_entry": 1, "notes_without_patient": 1}
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])["text"] == "<PATIENT>"
