"""The front door: what a person gets who writes `import innominate`."""

import json
import subprocess
import sys
from dataclasses import dataclass

import pandas
import polars
import pytest

import innominate
from innominate.conceal.keys import new_key
from innominate.conceal.strategies.mask import Mask
from innominate.core import Document, Edit, InnominateError, ProcessingError, Span, UsageError, annotated
from innominate.detect.rules.engine import RulesDetector
from innominate.formats import write
from innominate.run.outcome import Quarantined
from innominate.synth.generate import generate

TEXT = "Mme Christiansen vue le 18.03.2022 par le Dr Rochat."
CANARY = "Zwyxelhof"


@pytest.fixture(scope="module")
def nlp():
    return innominate.load("fr")


@pytest.fixture
def key(tmp_path):
    new_key(tmp_path / "project.key")
    return tmp_path / "project.key"


@dataclass
class Shouting:
    """Finds words in capitals; like most classes that people write, it has no hash."""

    label: str = "NOM"

    name = "shouting"
    labels = frozenset({"NOM"})
    needs = ()

    def detect(self, document):
        if "hang" in document.text:
            raise ValueError(document.text)
        words = [word for word in document.text.split() if word.isupper()]
        return [Span(document.text.index(word), document.text.index(word) + len(word), self.label) for word in words]


class NoDigits:
    name = "no-digits"

    def edits(self, text):
        return [Edit(place, place + 1, "") for place, letter in enumerate(text) if letter.isdigit()]


class Stars:
    name = "stars"

    def edits(self, document):
        return [Edit(span.start, span.end, "***") for span in document.spans]


# --- importing


def fresh(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_import_takes_less_than_50_ms_and_brings_nothing_along():
    program = """
import sys, time
before, clock, cpu = set(sys.modules), time.perf_counter(), time.process_time()
import innominate
print(min(time.perf_counter() - clock, time.process_time() - cpu), *sorted(set(sys.modules) - before))
"""
    seconds, *modules = min((fresh(program) for _ in range(5)), key=lambda told: float(told[0]))
    assert float(seconds) < 0.05
    assert [module for module in modules if module.startswith("innominate")] == ["innominate"]


def test_pandas_and_polars_are_taken_without_being_imported():
    program = """
import sys, innominate
nlp = innominate.load("fr", detector="rules")
nlp("Vu le 18.03.2022"), list(nlp.pipe(["Vu le 18.03.2022"]))
print({"pandas", "polars"} & set(sys.modules))
"""
    assert fresh(program) == ["set()"]


def test_everything_that_is_promised_is_there():
    for name in innominate.__all__:
        assert getattr(innominate, name) is not None
    assert set(dir(innominate)) == set(innominate.__all__)
    with pytest.raises(AttributeError, match="'lod'"):
        innominate.lod  # noqa: B018


# --- one note


def test_a_text_gives_its_concealed_text_its_spans_and_the_original(nlp):
    result = nlp(TEXT)
    assert result.text == str(result) == "Mme <PATIENT> vue le <DATE> par le Dr <STAFF>."
    assert [span.of(result.text) for span in result.spans] == ["<PATIENT>", "<DATE>", "<STAFF>"]
    assert [span.of(result.original.text) for span in result.original.spans] == ["Christiansen", "18.03.2022", "Rochat"]
    assert nlp.detect(TEXT).spans == result.original.spans


def test_a_document_keeps_its_id_and_what_may_stay_of_its_metadata(nlp):
    result = nlp(Document("n7", TEXT, meta={"patient": CANARY, "type": "letter"}))
    assert (result.id, result.meta) == ("n7", {"lang": "fr", "type": "letter"})


def test_neither_repr_nor_a_notebook_shows_the_original(nlp):
    result = nlp(Document("n7", f"<b>{TEXT}</b>", meta={"patient": CANARY}))
    for shown in (repr(result), result._repr_html_(), repr(nlp)):
        assert not any(word in shown for word in ("Christiansen", "Rochat", "2022", CANARY))
    assert "<mark" in result._repr_html_()
    assert "<b>" not in result._repr_html_()  # what a note holds is shown, never obeyed


def test_a_note_that_fails_is_raised_without_its_text():
    nlp = innominate.load("fr", detector=Shouting())
    with pytest.raises(ProcessingError, match="detect: ValueError") as raised:
        nlp(f"hang {CANARY}")
    assert CANARY not in str(raised.value)
    with pytest.raises(ProcessingError, match="detect: ValueError"):
        nlp.detect(f"hang {CANARY}")


# --- settings


def test_what_is_missing_is_said_when_it_is_loaded(key, tmp_path):
    with pytest.raises(UsageError, match="need a key"):
        innominate.load("fr", policy="pseudo")
    with pytest.raises(InnominateError):
        innominate.load("fr", policy="pseudo", key=tmp_path / "nowhere.key")
    with pytest.raises(UsageError, match="not known"):
        innominate.load("fr", detector="oracle")
    with pytest.raises(UsageError, match="0 and 1"):
        innominate.load("fr", recall="much")
    innominate.load("fr", policy="pseudo", key=key, recall="F4")


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"lang": 7}, "lang is a text, not int"),
        ({"detector": 7}, "detector is the name of a detector, or an object with .* detect, not int"),
        ({"detector": Shouting}, "not the class Shouting"),
        ({"policy": object()}, "policy is the name or the file of a policy, or an object .*, not object"),
        ({"cleaners": [7]}, "cleaners is names of cleaners, .* not int"),
        ({"key": b"secret"}, "key is a text, not bytes"),
        ({"rules": 7}, "rules is a text, not int"),
        ({"propagate": "yes"}, "propagate is True or False, not str"),
        ({"time_limit": "1 min"}, "time_limit is a number of seconds, not str"),
        ({"time_limit": True}, "time_limit is a number of seconds, not bool"),
        ({"polcy": "mask"}, "there is no setting polcy; there are: cleaners, "),
    ],
)
def test_a_wrong_argument_is_a_clear_type_error(choices, says):
    with pytest.raises(TypeError, match=says):
        innominate.load(**choices)


@pytest.mark.parametrize("note", [7, None, b"bytes", ["a", "list"], {"a": "dict"}])
def test_a_note_is_a_text_or_a_document(nlp, note):
    with pytest.raises(TypeError, match="a note is a text or a Document, not") as raised:
        nlp(note)
    assert "list" not in str(raised.value) or type(note) is list
    with pytest.raises(TypeError):
        nlp.detect(note)


@pytest.mark.parametrize("notes", ["one text", b"bytes", {"id": "text"}, 7, Document("n", "x")])
def test_many_notes_are_many(nlp, notes):
    with pytest.raises(TypeError, match="pipe takes many notes"):
        nlp.pipe(notes)
    with pytest.raises(TypeError, match="number of processes"):
        nlp.pipe([], workers="two")


def test_an_object_may_stand_where_a_name_may():
    nlp = innominate.load("fr", detector=Shouting(), policy=Stars(), cleaners=[NoDigits()], propagate=False)
    result = nlp("vu par RO7CHAT hier")
    assert result.text == "vu par *** hier"
    assert result.original.spans == (Span(7, 14, "NOM"),)
    assert innominate.load("fr", detector=Shouting("PATIENT_E"))("EVA dort").text == "<PATIENT_E> dort"
    with pytest.raises(UsageError, match="its own recall"):
        innominate.load("fr", detector=Shouting(), recall="F10")


def test_the_record_of_a_run_names_an_object_by_its_class():
    settings = innominate.load("fr", detector=Shouting(), policy=Mask()).settings
    recorded = settings.recorded()
    assert (recorded["detector"], recorded["policy"]) == (f"{__name__}.Shouting", "innominate.conceal.strategies.mask.Mask")
    assert settings.fingerprint() != innominate.load("fr", detector=Shouting()).settings.fingerprint()


# --- many notes


def test_a_pipe_gives_results_in_order_and_withholds_what_fails():
    nlp = innominate.load("fr", detector=Shouting())
    given = (text for text in ("EVA dort", f"hang {CANARY}", Document("n3", "PAUL dort")))
    first, second, third = nlp.pipe(given)
    assert (first.id, first.text, third.id, third.text) == ("1", "<NOM> dort", "n3", "<NOM> dort")
    assert second == Quarantined("2", "detect", "ValueError")


def test_notes_of_a_patient_share_their_pseudonyms(key):
    nlp = innominate.load("fr", policy="pseudo", key=key)
    texts = (TEXT, "Mme Christiansen va mieux.", "Christiansen est rentrée.")
    one, two, three = nlp.pipe(Document(f"n{i}", text, meta={"patient": "7"}) for i, text in enumerate(texts))
    family = one.text.split()[1]
    assert family != "Christiansen"
    assert family in two.text
    assert family in three.text


def test_a_second_note_of_the_same_id_is_withheld(nlp):
    notes = [Document("n", text, meta={"patient": "7"}) for text in ("Vu le 18.03.2022", "Vu le 19.03.2022")]
    first, second = nlp.pipe(notes)
    assert first.original.text == notes[0].text
    assert "second document" in second.reason


def test_several_processes_give_the_same_with_objects_too(nlp):
    notes = list(generate("fr", 40, seed=2))
    for loaded in (nlp, innominate.load("fr", detector=RulesDetector("fr"), policy=Mask())):
        assert list(loaded.pipe(notes, workers=2)) == list(loaded.pipe(notes))


def test_an_object_that_another_process_cannot_have_is_named():
    class Local(Shouting):
        pass

    nlp = innominate.load("fr", detector=Local())
    with pytest.raises(UsageError, match=r"Local: .* use one worker"):
        list(nlp.pipe(["EVA"], workers=2))


@pytest.mark.parametrize("library", [pandas, polars])
def test_a_series_gives_a_series(nlp, library):
    texts = [TEXT, None, "rien", ""]
    concealed = [nlp(TEXT).text, None, "rien", ""]
    if library is pandas:
        series = pandas.Series(texts, index=[7, 5, 3, 1], name="body")
        pandas.testing.assert_series_equal(nlp(series), pandas.Series(concealed, index=[7, 5, 3, 1], name="body"))
        assert [result.text for result in nlp.pipe(series[[7, 3]])] == concealed[::2]
    else:
        assert nlp(polars.Series("body", texts)).equals(polars.Series("body", concealed), check_names=True)
    numbers = library.Series(values=[1, 2]) if library is polars else library.Series([1, 2])
    with pytest.raises(TypeError, match="row 0 of the series holds int"):
        nlp(numbers)


def test_a_category_column_is_not_emptied(nlp):
    series = pandas.Series([TEXT, "rien"], dtype="category")
    assert list(nlp(series)) == [nlp(TEXT).text, "rien"]


def test_cells_that_fail_are_empty_and_that_is_said():
    nlp = innominate.load("fr", detector=Shouting())
    with pytest.warns(UserWarning, match="1 of 2 notes failed"):
        result = nlp(pandas.Series(["EVA dort", f"hang {CANARY}"]))
    assert result[0] == "<NOM> dort"
    assert pandas.isna(result[1])


# --- files, evaluation, training


def test_files_are_deidentified_and_the_record_is_given_back(tmp_path, key):
    lines = [{"id": "a", "text": TEXT}, {"id": "b", "text": "x", "spans": [[0, 99, "X"]]}]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    seen = []
    record = innominate.deidentify(
        tmp_path / "in.jsonl",
        tmp_path / "out.jsonl",
        lang="fr",
        policy="pseudo",
        key=key,
        watch=lambda state, total: seen.append((state.done, total)),
    )
    assert (record.counts.written, record.counts.quarantined, seen[-1]) == (1, 1, (2, 2))
    assert "Christiansen" not in (tmp_path / "out.jsonl").read_text()
    assert json.loads((tmp_path / "out.jsonl.run.json").read_text())["notes"] == {"in": 2, "out": 1, "quarantined": 1}
    again = innominate.deidentify([str(tmp_path / "in.jsonl")], tmp_path / "out", to="brat", detector="rules", keep_ids=True)
    assert (tmp_path / "out" / "a.ann").exists()
    assert again.settings.policy == "class"
    with pytest.raises(TypeError, match="a source is a path"):
        innominate.deidentify([Document("n", "x")], tmp_path / "o")
    with pytest.raises(TypeError, match="output is a path"):
        innominate.deidentify(tmp_path / "in.jsonl", 7)
    with pytest.raises(TypeError, match="number of processes"):
        innominate.deidentify(tmp_path / "in.jsonl", tmp_path / "o", workers="all")


def test_systems_are_evaluated_from_files_and_from_documents(tmp_path):
    gold = [annotated("[Eva](PATIENT) vue le [3 mai](DATE)", "n1")]
    found = [annotated("[Eva](PATIENT) vue le 3 mai", "n1")]
    write(gold, tmp_path / "gold.jsonl", "jsonl")
    write(found, tmp_path / "crf.jsonl", "jsonl")
    by_file = innominate.evaluate(tmp_path / "gold.jsonl", str(tmp_path / "crf.jsonl"), standard="i2b2")
    by_notes = innominate.evaluate(gold, {"crf": found}, standard="i2b2")
    assert by_file == by_notes
    assert by_file["systems"]["crf"]["blocks"]["Strict"]["micro"]["fn"] == 1
    with pytest.raises(TypeError, match="gold is a source of notes"):
        innominate.evaluate(["text"], found)
    from innominate.evaluate import Evaluation  # the package is still a package

    assert Evaluation("i2b2").run(gold, {"crf": found}) == by_notes


def test_a_detector_is_trained_saved_and_used(tmp_path):
    notes, dev = list(generate("sv", 12, seed=5)), list(generate("sv", 4, seed=6, split="dev"))
    write(notes, tmp_path / "train.jsonl", "jsonl")
    quick = {"max_iterations": 10, "c1": 0.02}
    learned = innominate.train("crf", train=tmp_path / "train.jsonl", dev=dev, output=tmp_path / "model", parameters=quick)
    texts = [note.text for note in dev]
    from_object = [result.text for result in innominate.load("sv", detector=learned).pipe(texts)]
    from_folder = [result.text for result in innominate.load("sv", detector=tmp_path / "model").pipe(texts)]
    assert from_object == from_folder
    assert from_object != texts
    with pytest.raises(UsageError, match="there are: crf, "):
        innominate.train("oracle", train=notes)
    with pytest.raises(TypeError, match="needs a folder to learn in"):
        innominate.train("bilstm", train=notes, dev=dev)
    with pytest.raises(TypeError, match="train is a source of notes"):
        innominate.train("crf", train=["text"])
