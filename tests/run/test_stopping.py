"""Stopped by a signal: at once and between notes, with nothing lost or doubled, and no worker left behind."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from innominate.formats.database_writer import DatabaseWriter
from innominate.formats.folder_writer import FolderWriter
from innominate.formats.writing import AppendWriter
from innominate.run.batch import OutputPlaces, Tally
from innominate.run.destinations import Destinations
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.quarantine import QuarantineFile
from innominate.run.settings import Settings
from innominate.run.stopping import hold_stops, listen_for_stops

SLOW = bool(os.environ.get("INNOMINATE_SLOW"))
FRENCH = ("--lang", "fr", "--detector", "rules", "--keep-ids")
OUTPUTS = {"jsonl": "out.jsonl", "text": "out", "csv": "out.csv", "database": "sqlite:///{}/out.db?table=notes"}


def write_notes(path, n):
    """Notes that each hold a number of their own; one line is no note."""
    texts = [f"Note {i}: vu le {1 + i % 28:02d}.03.2022 à 9h30, tél. 021 314 {i % 100:02d} 11. " * 5 for i in range(n)]
    lines = [json.dumps({"id": f"n{i}", "text": text}) for i, text in enumerate(texts)]
    path.write_text("\n".join([*lines[:11], "not json", *lines[11:]]) + "\n", encoding="utf-8")
    return path


def contents(folder):
    """What a run left in a folder: rows of a database, bytes of other files; of the record the counts."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".db":
            with sqlite3.connect(path) as connection:
                found[name] = connection.execute("select * from notes order by id").fetchall()
        elif name.endswith(".run.json"):
            found[name] = json.loads(path.read_text())["notes"]
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


@pytest.fixture
def folder_of_run(tmp_path, monkeypatch):
    """A new folder for a run, which is then the current one: companions of a database lie there."""

    def make(name):
        (tmp_path / name).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / name)
        return tmp_path / name

    return make


PLACES = [(Destinations, "write"), (Tally, "add"), (Destinations, "commit"), (Tally, "commit"), (QuarantineFile, "add")]
WRITERS = {"jsonl": AppendWriter, "csv": AppendWriter, "text": FolderWriter, "database": DatabaseWriter}


@pytest.mark.parametrize(
    ("format", "number"), [*((format, signal.SIGINT) for format in OUTPUTS), ("jsonl", signal.SIGTERM)], ids=str
)
def test_a_signal_in_the_middle_of_a_write_waits_until_the_note_is_counted(
    folder_of_run, tmp_path, monkeypatch, format, number
):
    source = write_notes(tmp_path / "in.jsonl", 40)
    monkeypatch.setattr("innominate.run.batch.COMMIT_NOTES", 10)

    def run(folder, **ways):
        settings = Settings(lang="fr", detector="rules", keep_ids=True)
        target = OUTPUTS[format].format(folder)
        return Job("deidentify", Inputs((str(source),)), target, settings, to=format, workers=1, **ways).run()

    whole = folder_of_run("whole")
    run(whole)
    expected = contents(whole)
    before = signal.signal(number, signal.default_int_handler)
    try:
        for trial, (place, name) in enumerate([*PLACES, (WRITERS[format], "write"), (WRITERS[format], "commit")]):
            folder = folder_of_run(f"cut{trial}")
            with monkeypatch.context() as context:
                signal_after(context, place, name, number)
                with pytest.raises(KeyboardInterrupt):
                    run(folder)
            record = run(folder, resume=True)
            assert contents(folder) == expected, f"{place.__name__}.{name}"
            assert (record.counts.done, record.counts.written, record.counts.quarantined) == (41, 40, 1)
    finally:
        signal.signal(number, before)


def signal_after(context, place, name, number):
    """Let a signal come right after the first call of a method, before its caller goes on."""
    real, calls = getattr(place, name), iter([None])

    def and_then(*given):
        result = real(*given)
        if next(calls, 1) is None:
            signal.raise_signal(number)
        return result

    context.setattr(place, name, and_then)


def test_what_was_held_back_is_heard_by_whoever_listened_before():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with listen_for_stops():
            with hold_stops(), hold_stops():
                signal.raise_signal(signal.SIGTERM)
                assert heard == []
            assert heard == [signal.SIGTERM]
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM] * 3
    finally:
        signal.signal(signal.SIGTERM, before)


def start(*arguments, cwd):
    command = [sys.executable, "-m", "innominate", *map(str, arguments)]
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a suite in the background ignores it, and so would this
    try:
        return subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    finally:
        signal.signal(signal.SIGINT, before)


def members(session):
    """The living processes of a session, however many of its parents are dead."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            name_and_rest = (path / "stat").read_text().rpartition(")")[2].split() if path.name.isdigit() else []
        except OSError:
            continue
        if name_and_rest and int(name_and_rest[3]) == session and name_and_rest[0] != "Z":
            found.append(int(path.name))
    return found


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


BUSY = """
import ctypes, os, pathlib, sys
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings

class Busy:
    name, labels = "busy", ("NAME",)

    def detect(self, document):
        pathlib.Path(f"busy.{os.getpid()}").touch()
        ctypes.PyDLL(None).usleep(100_000_000)  # holds the lock of the interpreter: no thread and no signal is heard
        return ()

if __name__ == "__main__":
    Job("detect", Inputs(("in.jsonl",)), "out.jsonl", Settings(lang="fr", detector=Busy()), workers=2).run()
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
def test_workers_do_not_outlive_a_parent_that_is_killed_whatever_they_are_at(tmp_path):
    write_notes(tmp_path / "in.jsonl", 200)
    (tmp_path / "busy.py").write_text(BUSY)
    parent = subprocess.Popen([sys.executable, "busy.py"], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True)
    assert wait_for(lambda: len(list(tmp_path.glob("busy.[0-9]*"))) == 2, 60), "the workers never began"
    assert len(members(parent.pid)) >= 3
    parent.kill()
    parent.communicate(timeout=2)  # nobody holds its pipes either
    assert wait_for(lambda: not members(parent.pid), 2), members(parent.pid)


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_command_that_is_stopped_says_so_at_once_and_can_be_resumed(tmp_path, number, workers):
    source = write_notes(tmp_path / "in.jsonl", 3000)
    command = ("deidentify", source, "-o", "out.jsonl", "--workers", workers, *FRENCH)
    process = start(*command, cwd=tmp_path)
    journal = tmp_path / "out.jsonl.journal"
    # the head, the start of the run, and notes that are done
    assert wait_for(lambda: journal.exists() and len(journal.read_text().splitlines()) > 2, 60)
    os.killpg(process.pid, number)  # as a terminal does: to the workers too
    _, said = process.communicate(timeout=5)
    assert process.returncode == 128 + number
    assert f"stopped by {number.name}; a run that has begun goes on with the same command and --resume" in said
    assert "Traceback" not in said
    assert "leaked" not in said
    assert wait_for(lambda: not members(process.pid), 2)
    done = json.loads(journal.read_text().splitlines()[-1])["done"]
    assert 0 < done < 3001
    resumed = start(*command, "--resume", cwd=tmp_path)
    resumed.communicate(timeout=120)
    assert json.loads((tmp_path / "out.jsonl.run.json").read_text())["notes"] == {"in": 3001, "out": 3000, "quarantined": 1}


def size_of(path):
    """Bytes in the file; a finished run has deleted its journal."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def strike(process, journal, rng):
    """Wait until the work goes on, hit somebody at random with a signal at random, and say whether anybody was there."""
    size = size_of(journal)
    wait_for(lambda: process.poll() is not None or size_of(journal) > size, 60)
    time.sleep(rng.uniform(0, 0.4))
    number = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    targets = choose_target(rng, process.pid) if process.poll() is None else []
    for pid in targets:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
    return bool(targets)


def leaves_orphans(process):
    """Whether somebody of its session lives two seconds after it."""
    return not wait_for(lambda: not members(process.pid), 2)


def choose_target(rng, session):
    """The parent, one of the workers, or all of them."""
    workers = [pid for pid in members(session) if pid != session]
    whom = rng.choice(["parent", "worker", "all"])
    return [session] if whom == "parent" or not workers else [rng.choice(workers)] if whom == "worker" else [session, *workers]


@linux
@pytest.mark.parametrize("format", OUTPUTS)
def test_stopped_by_any_signal_at_random_and_resumed_it_gives_the_same_bytes(folder_of_run, tmp_path, format):
    kills = 120 if SLOW else 3
    rng = random.Random(f"{format}{os.environ.get('INNOMINATE_SEED', '')}")
    source = write_notes(tmp_path / "in.jsonl", 20_000 if SLOW else 800)

    def command(folder, workers, resume):
        target = OUTPUTS[format].format(folder)
        begun = ("--resume",) if resume else ()
        return ("deidentify", source, "-o", target, "--to", format, "--workers", workers, *FRENCH, *begun)

    whole = folder_of_run("whole")
    start(*command(whole, 1, False), cwd=whole).communicate(timeout=300)
    expected, trials, orphans = contents(whole), 0, 0
    while trials < kills:
        folder = folder_of_run(f"pieces{trials}")
        journal = OutputPlaces(OUTPUTS[format].format(folder)).journal
        finished = False
        while not finished:
            process = start(*command(folder, rng.choice([1, 2]), journal.exists()), cwd=folder)
            if trials < kills:
                trials += strike(process, journal, rng)
            said = process.communicate(timeout=300)[1]
            assert not re.search(
                'File ".*innominate/', said
            )  # Python's own tracker of resources may complain of a killed worker
            orphans += leaves_orphans(process)
            finished = process.returncode in (0, 1)
            assert finished or process.returncode in (-9, 130, 143), said
        assert contents(folder) == expected
    print(f"{format}: {trials} kills, {orphans} orphans, 0 differences: at most {3 / trials:.4f} at 95 %")
    assert not orphans
