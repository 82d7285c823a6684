"""The last steps of a run: final names, the record, the end of the journal. Stopped between any two, it can be resumed."""

import json
import secrets

import pytest

from innominate.formats import writing
from innominate.run.batch import OutputPlaces
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.journal import Journal
from innominate.run.record import RunRecord


class PowerCut(BaseException):
    """Nothing that runs catches it and goes on."""


def cut_off(monkeypatch, place, name, after):
    """Let the power fail in the call of a function that comes after so many others."""
    real, calls = getattr(place, name), iter(range(after))

    def until_the_cut(*args):
        if next(calls, None) is None:
            raise PowerCut
        return real(*args)

    monkeypatch.setattr(place, name, until_the_cut)


def files(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".run.json")
    }


@pytest.mark.parametrize("owner", ["", "owner.spans.jsonl"], ids=["spans in the output", "spans for the owner"])
@pytest.mark.parametrize("format", ["jsonl", "doccano", "conll", "text"])
@pytest.mark.parametrize(
    ("place", "name", "after"),
    [
        pytest.param(writing.os, "replace", 0, id="nothing has its name"),
        pytest.param(writing, "sync_folder", 0, id="one file has its name"),
        pytest.param(writing, "sync_folder", 1, id="the spans and the output have their names"),
        pytest.param(RunRecord, "write", 0, id="no record"),
        pytest.param(Journal, "remove", 0, id="a journal is left"),
    ],
)
def test_stopped_in_its_last_steps_a_run_ends_as_if_it_had_not_been(tmp_path, monkeypatch, format, place, name, after, owner):
    texts = [f"Note {i}: vu le {i}.03.2022 à 9h30." for i in range(1, 9)]
    lines = [json.dumps({"id": f"n{i}", "text": text}) for i, text in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join([*lines, "not json"]))

    def run(folder, **ways):
        target = str(tmp_path / folder / "out")
        ways["spans"] = str(tmp_path / folder / owner) if owner else ""
        Job("deidentify", Inputs((str(tmp_path / "in.jsonl"),)), target, to=format, workers=1, **ways).run()
        return files(tmp_path / folder), json.loads(OutputPlaces(target).record.read_text())["notes"]

    if place is writing and after >= (2 if format == "conll" or (owner and format != "text") else 1):
        pytest.skip("no more files get a name in the end")
    drawn = iter(["5e" * 32] * 2)  # once for each run, and not again when one is resumed
    real = secrets.token_hex
    monkeypatch.setattr(secrets, "token_hex", lambda size: next(drawn) if size == 32 else real(size))
    whole = run("whole")
    with monkeypatch.context() as context:
        cut_off(context, place, name, after)
        with pytest.raises(PowerCut):
            run("cut")
    assert OutputPlaces(str(tmp_path / "cut" / "out")).journal.exists()
    assert run("cut", resume=True) == whole
