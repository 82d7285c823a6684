"""The journal: whatever a crash left of it, a run can be resumed; and two runs into one output refuse each other."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import warnings
from contextlib import contextmanager
from itertools import pairwise

import pytest

from innominate.core import UsageError
from innominate.run import batch
from innominate.run.batch import OutputPlaces, ResumeWarning
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings

SETTINGS = Settings(lang="fr", detector="rules", keep_ids=True)


class PowerCut(BaseException):
    """Nothing that runs catches it and goes on."""


@pytest.fixture
def source(tmp_path):
    lines = [json.dumps({"id": f"n{i}", "text": f"Note {i}: vu le {1 + i % 28}.03.2022."}) for i in range(40)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    return str(tmp_path / "in.jsonl")


def run(source, output, **ways):
    return Job("deidentify", Inputs((source,)), str(output), SETTINGS, workers=1, **ways).run()


def cut_off(source, output, monkeypatch, commits=2):
    """A run that ends when it has committed so often."""
    monkeypatch.setattr(batch, "COMMIT_NOTES", 10)
    real, calls = batch.Journal.commit, iter(range(commits))

    def commit(self, state):
        real(self, state)
        if next(calls, None) is None:
            raise PowerCut

    with monkeypatch.context() as context:
        context.setattr(batch.Journal, "commit", commit)
        with pytest.raises(PowerCut):
            run(source, output)


def test_cut_anywhere_in_its_bytes_a_journal_can_be_resumed_again_and_again(source, tmp_path, monkeypatch):
    run(source, tmp_path / "whole.jsonl")
    whole = (tmp_path / "whole.jsonl").read_bytes()
    cut_off(source, tmp_path / "model.jsonl", monkeypatch)
    content = OutputPlaces(str(tmp_path / "model.jsonl")).journal.read_bytes()
    partial = (tmp_path / "model.jsonl.partial").read_bytes()
    ends = [0, *(i + 1 for i, byte in enumerate(content) if byte == 10)]
    places = sorted({place for a, b in pairwise(ends) for place in (a, a + 1, (a + b) // 2, b - 1, b)})
    for place in places:
        output = tmp_path / f"cut{place}.jsonl"
        OutputPlaces(str(output)).journal.write_bytes(content[:place] + (b"\0" * 7 if place % 2 else b""))
        (tmp_path / f"{output.name}.partial").write_bytes(partial)
        header = place >= ends[1]
        for again in (True, False):  # stopped once more after it went on, and then to the end
            with monkeypatch.context() as context:
                if again:
                    context.setattr(batch.Destinations, "close", stop)
                try:
                    with expect_to_start_afresh(again and not header):
                        run(source, output, resume=True)
                except PowerCut:
                    continue
        assert output.read_bytes() == whole, place
    print(f"{len(places)} cuts, 0 differences")


def stop(*_):
    raise PowerCut


@contextmanager
def expect_to_start_afresh(expected):
    """See that the person is told that the run starts afresh, or is not."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    assert any(issubclass(one.category, ResumeWarning) for one in said) is expected


def test_resuming_what_is_finished_overwrites_nothing(source, tmp_path):
    run(source, tmp_path / "out.jsonl")
    with pytest.raises(UsageError, match="is there already"):
        run(source, tmp_path / "out.jsonl", resume=True)


def test_a_database_whose_rows_are_others_is_not_resumed(tmp_path, monkeypatch):
    with sqlite3.connect(tmp_path / "in.db") as connection:
        connection.execute("create table notes (id text primary key, text text)")
        rows = [(f"n{i:03}", f"Note {i}: vu le {1 + i % 28}.03.2022.") for i in range(40)]
        connection.executemany("insert into notes values (?, ?)", rows)
    source = f"sqlite:///{tmp_path}/in.db?table=notes"
    cut_off(source, tmp_path / "out.jsonl", monkeypatch)
    for change in (
        "insert into notes values ('n0005', 'neuf')",
        "update notes set text = 'autre' where id = 'n007'",
        "delete from notes where id > 'n008'",
    ):
        with sqlite3.connect(tmp_path / "in.db") as connection:
            connection.execute(change)
        with pytest.raises(UsageError, match="the input is not what it was"):
            run(source, tmp_path / "out.jsonl", resume=True)
        with sqlite3.connect(tmp_path / "in.db") as connection:
            connection.execute("delete from notes")
            connection.executemany("insert into notes values (?, ?)", rows)
    record = run(source, tmp_path / "out.jsonl", resume=True)
    assert record.counts.written == 40


WAITING = """
import sys, time
from innominate.run import batch
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings

def wait(*given):
    print("writing", flush=True)
    time.sleep(100)

batch._work = wait
Job("deidentify", Inputs((sys.argv[1],)), sys.argv[2], Settings(lang="fr", detector="rules", keep_ids=True), workers=1).run()
"""


@pytest.mark.parametrize("resume", [False, True])
def test_two_runs_into_one_output_refuse_each_other(source, tmp_path, resume):
    output = tmp_path / "out.jsonl"
    command = [sys.executable, "-c", WAITING, source, str(output)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert first.stdout.readline() == b"writing\n"
        with pytest.raises(UsageError, match="another run is writing to"):
            run(source, output, resume=resume)
        os.kill(first.pid, signal.SIGKILL)
    finally:
        first.kill()
        first.wait()
    first.stdout.close()
    run(source, output, resume=True)  # what was killed holds no lock
    assert not output.with_name("out.jsonl.lock").exists()


@pytest.mark.skipif(not os.path.isdir("/sys"), reason="needs /sys")
def test_an_output_where_nobody_can_write_is_one_line(source):
    command = [sys.executable, "-m", "innominate", "deidentify", source, "-o", "/sys/out.jsonl", "--detector", "rules"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot write to /sys: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(source, tmp_path, monkeypatch):
    """`ulimit -f` is as good as a full disk: a file cannot grow."""
    command = f"ulimit -f 4; trap '' XFSZ; exec {sys.executable} -m innominate deidentify {source} -o {tmp_path}/out.jsonl"
    options = " --detector rules --lang fr --keep-ids"
    done = subprocess.run(["bash", "-c", command + options], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "go on with the same command and --resume" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    run(source, tmp_path / "whole.jsonl")
    settings = Settings(lang="fr", detector="rules", keep_ids=True)
    Job("deidentify", Inputs((source,)), str(tmp_path / "out.jsonl"), settings, workers=1, resume=True).run()
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
