"""The stand-off annotations of the French zero-shot passages, and their join with a corpus."""

import gzip
import hashlib
import json

import pytest

import score_zero_shot
from innominate.core import Span
from innominate.labels import taxonomy
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from standoff import CorpusChangedError, missing, passages
from zero_shot_fr import ANNOTATIONS, PARTS, Tally, tally

TEXT = "Introduction. Patient de 45 ans suivi par Mme Q.R à Lausanne."
START = TEXT.index("Patient")


def write_corpus(folder, text=TEXT):
    (folder / "cases.jsonl.gz").write_bytes(gzip.compress(json.dumps({"id": "A1", "text": text}).encode()))
    (folder / "news.bio.gz").write_bytes(gzip.compress(b"Madame O\nRochat B-PER\n\nhabite O\nNyon B-LOC\n. O\n"))


def row(file="cases.jsonl.gz", identifier="A1", text=TEXT, start=START, **more):
    digest = hashlib.sha256(text[start:].encode()).hexdigest()
    where = {"file": file, "id": identifier, "start": start, "end": len(text), "sha256": digest}
    return where | {"stratum": "plain", "half": "first", "spans": []} | more


@pytest.fixture
def annotations(tmp_path):
    write_corpus(tmp_path)
    spans = [[11, 17, "ÂGE"], [38, 46, "EMPLACEMENT_GÉOGRAPHIQUE"]]
    lines = [
        row(spans=spans, optional=[[32, 35, "PATIENT_E"]]),
        row("news.bio.gz", "", "Madame Rochat habite Nyon .", 0, stratum="news", spans=[[7, 13, "PATIENT_E"]]),
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_annotations_are_joined_with_the_corpus(annotations, tmp_path):
    case, news = passages(annotations, tmp_path)
    assert [span.of(case.text) for span in case.spans] == ["45 ans", "Lausanne"]
    assert [span.of(case.text) for span in case.optional] == ["Q.R"]
    assert [span.of(news.text) for span in news.spans] == ["Rochat"]


def test_another_text_is_refused_without_quoting_it(annotations, tmp_path):
    write_corpus(tmp_path, TEXT.replace("45", "46"))
    with pytest.raises(CorpusChangedError) as error:
        list(passages(annotations, tmp_path))
    assert "A1" in str(error.value)
    assert "Lausanne" not in str(error.value)


def test_what_is_missing_is_named(annotations, tmp_path):
    assert missing(annotations, tmp_path) == []
    (tmp_path / "news.bio.gz").unlink()
    assert missing(annotations, tmp_path) == [tmp_path / "news.bio.gz"]
    assert len(list(passages(annotations, tmp_path))) == 1


def counted(passage, *found):
    result = Tally()
    result.add(passage, found)
    return result


def test_optional_spans_count_neither_way(annotations, tmp_path):
    case, _ = passages(annotations, tmp_path)

    with_initials = counted(case, Span(11, 17, "ÂGE"), Span(32, 35, "PATIENT_E"))
    without = counted(case, Span(11, 17, "ÂGE"))
    assert with_initials.tokens == without.tokens
    assert without.tokens.fp == 0
    assert without.tokens.fn == 1
    assert [place for _, _, place in without.misses] == [
        "EMPLACEMENT_GÉOGRAPHIQUE   Patient de 45 ans suivi par Mme Q.R à ⟦Lausanne⟧."
    ]
    alarm = counted(case, Span(0, 7, "PATIENT_E"))
    assert (alarm.tokens.tp, alarm.tokens.fp, len(alarm.alarms)) == (0, 1, 1)
    assert alarm.by_label["ÂGE"].recall == 0


def test_rules_are_scored_on_a_corpus(annotations, tmp_path):
    result = tally(passages(annotations, tmp_path), Pipeline(Settings(lang="fr", detector="rules")))
    assert result.by_label["ÂGE"].recall == 1
    assert result.tokens.recall == 1


def test_without_the_corpus_it_says_so(tmp_path, capsys):
    score_zero_shot.main(["fr", "--corpora", str(tmp_path)])
    assert "skipped: corpus not found" in capsys.readouterr().out


def test_the_annotations_are_well_formed():
    rows = [json.loads(line) for line in ANNOTATIONS.read_text(encoding="utf-8").splitlines()]
    strata = {stratum for part in PARTS.values() for stratum in part}
    assert len(rows) >= 150
    assert sum(row["stratum"] != "news" for row in rows) >= 100
    assert sum(not row["spans"] for row in rows) >= 40
    for row in rows:
        assert row["stratum"] in strata
        assert row["half"] in ("first", "second")
        assert len(row["sha256"]) == 64
        ends = 0
        for start, end, label in sorted(row["spans"] + row.get("optional", [])):
            assert ends <= start < end <= row["end"] - row["start"]
            assert label in taxonomy("chuv")
            ends = end
    assert "text" not in {key for row in rows for key in row}
