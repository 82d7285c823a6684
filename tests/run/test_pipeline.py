"""The road of one document, and that every step of it fails closed."""

import json

import pytest

from innominate.core import Document, ProcessingError, Rejected, Span, annotated
from innominate.run import concealing
from innominate.run import pipeline as road
from innominate.run.outcome import Quarantined, Task
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings

CANARY = "Zwyxelhof"
NOTE = Document("n1", f"M. {CANARY} vu le 18.03.2022 à 9h30 par le service.", meta={"lang": "fr", "patient": CANARY})


def test_dates_and_times_are_found_and_concealed():
    found = Pipeline(Settings(lang="fr")).deidentify(annotated("Vu le 18.03.2022 à 9h30."))
    assert found.text == "Vu le <DATE> à <TIME>."
    assert [span.of(found.text) for span in found.spans] == ["<DATE>", "<TIME>"]


def test_spans_found_on_the_view_lie_in_the_original():
    text = "<p>Vu le 18.<b>03</b>.2022, &eacute;tat stable</p>"
    (span,) = Pipeline(Settings(lang="fr", detector="rules")).detect(Document("n", text)).spans
    assert span.of(text) == "18.<b>03</b>.2022"


def test_addresses_in_links_and_comments_of_html_are_found_and_labels_are_escaped():
    text = '<p><a href="mailto:a.b@chu.example">Écrire</a><!-- vu le 18.03.2022 --> le 19.03.2022</p>'
    clean = Pipeline(Settings(lang="fr")).deidentify(Document("n", text)).text
    assert clean == '<p><a href="mailto:&lt;EMAIL&gt;">Écrire</a><!-- vu le &lt;DATE&gt; --> le &lt;DATE&gt;</p>'


def test_invisible_characters_do_not_hide_a_date():
    (span,) = Pipeline(Settings(lang="fr")).detect(Document("n", "le 18.\u200b03.2022.")).spans
    assert (span.start, span.end) == (3, 14)


def test_the_language_is_recognised_unless_it_is_given():
    assert Pipeline(Settings()).detect(Document("n", "Patienten är inskriven på avdelningen sedan igår")).meta["lang"] == "sv"
    assert Pipeline(Settings()).detect(Document("n", "Vu le 3 mai", meta={"lang": "fr_CH"})).meta["lang"] == "fr"


def test_labels_of_another_taxonomy_and_what_it_does_not_know_is_concealed_all_the_same():
    pipeline = Pipeline(Settings(lang="fr", taxonomy="i2b2"))
    assert [span.label for span in pipeline.detect(NOTE).spans] == ["PATIENT", "DATE"]
    assert pipeline.deidentify(NOTE).text.endswith("vu le <DATE> à <TIME> par le service.")


def test_meta_is_left_out_unless_it_may_be_kept():
    assert Pipeline(Settings()).deidentify(NOTE).meta == {"lang": "fr"}
    assert Pipeline(Settings(keep_meta=("ward=keep",))).deidentify(NOTE).meta == {}
    with pytest.raises(ProcessingError, match="needs a key"):
        Pipeline(Settings(keep_meta=("patient",))).deidentify(NOTE)


class Raises:
    def __init__(self, what):
        self.what = what

    def detect(self, document):
        raise self.what

    def edits(self, document):
        raise self.what


class Returns(Raises):
    def detect(self, document):
        return self.what

    def edits(self, document):
        return self.what


def hang(*_):
    while True:
        pass


BROKEN = {
    "raises with the text": Raises(ValueError(f"cannot parse {CANARY}")),
    "raises out of memory": Raises(MemoryError()),
    "recurses": Raises(RecursionError(CANARY)),
    "returns None": Returns(None),
    "returns rubbish": Returns([(0, 99_999)]),
    "returns spans outside": Returns([Span(0, 99_999, "DATE")]),
}


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("part", ["_detector", "_concealer", "_cleaner"])
def test_a_step_that_fails_withholds_the_note_and_none_of_its_text(monkeypatch, part, what):
    if part != "_detector" and what in {"returns spans outside"}:
        return
    monkeypatch.setattr(concealing if part == "_concealer" else road, part, lambda *_: BROKEN[what])
    outcome = Task("deidentify", Settings(lang="fr"))(NOTE)
    assert isinstance(outcome, Quarantined)
    assert outcome.id == "n1"
    assert CANARY not in json.dumps([outcome.step, outcome.reason])


def test_a_detector_that_finds_nothing_because_it_returns_a_foreign_type_is_not_believed(monkeypatch):
    monkeypatch.setattr(road, "_detector", lambda *_: Returns(0))
    assert isinstance(Task("deidentify", Settings(lang="fr"))(NOTE), Quarantined)


def test_a_detector_that_hangs_runs_into_the_time_limit(monkeypatch):
    monkeypatch.setattr(road, "_detector", lambda *_: type("Hangs", (), {"detect": hang})())
    outcome = Task("deidentify", Settings(lang="fr", time_limit=0.2))(NOTE)
    assert isinstance(outcome, Quarantined)
    assert "0.2 s" in outcome.reason


def test_what_could_not_be_read_is_quarantined_with_its_place():
    outcome = Task("detect", Settings())(Rejected("n9", "not JSON", "notes.jsonl", 12))
    assert outcome == Quarantined("n9", "read", "not JSON", "notes.jsonl", 12)
