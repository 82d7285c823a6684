"""Batches: nothing lost, nothing doubled, the same bytes however the run went."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from innominate.core import UsageError
from innominate.run.batch import OutputPlaces
from innominate.run.inputs import Inputs
from innominate.run.job import Job

SLOW = bool(os.environ.get("INNOMINATE_SLOW"))
PROGRAM = """
import sys
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings

source, output, workers, resume = sys.argv[1:]
settings = Settings(lang="fr", detector="rules", keep_ids=True)
Job("deidentify", Inputs((source,)), output, settings, workers=int(workers), resume=resume == "resume").run()
"""


def command(source, output, workers=1, resume=False):
    """A run in a process of its own, which can be killed."""
    return [sys.executable, "-c", PROGRAM, str(source), str(output), str(workers), "resume" if resume else "anew"]


def write_notes(path, n, bad=()):
    """Notes that each hold a number of their own, so that a lost or doubled one shows."""
    with path.open("w", encoding="utf-8") as file:
        for i in range(n):
            text = f"Note {i}: vu le {1 + i % 28:02d}.03.2022 à 9h30, tél. 021 314 {i % 100:02d} {i // 100 % 100:02d}. " * 5
            file.write("not json\n" if i in bad else json.dumps({"id": f"n{i}", "text": text}) + "\n")
    return path


def deidentify(source, output, **ways):
    done = subprocess.run(command(source, output, **ways), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def record(output):
    return json.loads(OutputPlaces(str(output)).record.read_text())


def test_every_input_is_written_or_quarantined_and_the_record_says_so(tmp_path):
    deidentify(write_notes(tmp_path / "in.jsonl", 50, bad={3, 40}), tmp_path / "out.jsonl")
    assert record(tmp_path / "out.jsonl")["notes"] == {"in": 50, "out": 48, "quarantined": 2}
    withheld = [json.loads(line) for line in OutputPlaces(str(tmp_path / "out.jsonl")).quarantine.read_text().splitlines()]
    assert [entry["line"] for entry in withheld] == [4, 41]
    assert not OutputPlaces(str(tmp_path / "out.jsonl")).journal.exists()


@pytest.mark.parametrize("workers", [2, 3])
def test_several_workers_give_the_same_bytes_as_one(tmp_path, workers):
    source = write_notes(tmp_path / "in.jsonl", 300, bad={7})
    deidentify(source, tmp_path / "one.jsonl")
    deidentify(source, tmp_path / "many.jsonl", workers=workers)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "many.jsonl").read_bytes()


def kill_and_resume(source, output, workers, kills):
    """Start, kill -9 at a random moment of the work, resume, until done; return how often it was killed in mid-run."""
    rng = random.Random(len(output.name) + kills)
    journal = OutputPlaces(str(output)).journal
    killed = 0
    while killed < kills:
        before = length(journal)
        process = subprocess.Popen(
            command(source, output, workers, resume=bool(before)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while length(journal) <= before and process.poll() is None:  # however fast the machine: the work has begun
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.3))
        if process.poll() is not None:
            break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        killed += 1
    if journal.exists() or not output.exists():  # it may have been killed when only the record was missing
        deidentify(source, output, workers=workers, resume=journal.exists())
    return killed


def length(path):
    """Bytes in the file; a finished run has deleted its journal."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("workers", [1, 2], ids=["one worker", "two workers"])
def test_killed_at_random_and_resumed_it_gives_the_same_bytes(tmp_path, workers):
    source = write_notes(tmp_path / "in.jsonl", 2500 if not SLOW else 80_000, bad={11, 2000})
    deidentify(source, tmp_path / "whole.jsonl")
    killed = kill_and_resume(source, tmp_path / "pieces.jsonl", workers, kills=3 if not SLOW else 100)
    assert killed > 0
    assert (tmp_path / "pieces.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    quarantines = [OutputPlaces(str(tmp_path / name)).quarantine.read_bytes() for name in ("pieces.jsonl", "whole.jsonl")]
    assert quarantines[0] == quarantines[1]
    assert record(tmp_path / "pieces.jsonl")["notes"] == record(tmp_path / "whole.jsonl")["notes"]


def test_a_stopped_run_is_not_overwritten_and_not_resumed_with_other_settings(tmp_path):
    source = Inputs((str(write_notes(tmp_path / "in.jsonl", 5)),))
    output = str(tmp_path / "out.jsonl")
    OutputPlaces(output).journal.write_text('{"fingerprint": "other"}\n')
    with pytest.raises(UsageError, match="--resume"):
        Job("deidentify", source, output, workers=1).run()
    with pytest.raises(UsageError, match="other settings"):
        Job("deidentify", source, output, workers=1, resume=True).run()


KILLER = """
import os, signal, sys
from innominate.core import Document
from innominate.run import limits, outcome, units, workers
from innominate.run.settings import Settings

class Poisoned(outcome.Task):
    def work(self, unit):
        for item in unit.items:
            if "poison" in item.text:
                os.kill(os.getpid(), signal.SIGKILL)
            if "native hang" in item.text:
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM, signal.SIGPROF})
                import time; time.sleep(1000)
        return super().work(unit)

if __name__ == "__main__":
    limits.GRACE = 0.5
    texts = {5: "poison", 40: "native hang"}
    notes = [Document(f"n{i}", texts.get(i, "vu le 18.03.2022"), meta={"patient": i // 2}) for i in range(80)]
    workers.CHUNK_NOTES = 4
    shares = units.after(units.of_patients(notes, lambda note: str(note.meta["patient"])), 0)
    results = list(workers.outcomes(shares, Poisoned("deidentify", Settings(lang="fr", detector="rules", time_limit=0.75)), 2))
    print([r.id for r in results] == [n.id for n in notes], [r.id for r in results if isinstance(r, outcome.Quarantined)])
"""


def test_a_worker_that_dies_or_hangs_takes_only_its_own_note_with_it(tmp_path):
    (tmp_path / "killer.py").write_text(KILLER)
    done = subprocess.run([sys.executable, tmp_path / "killer.py"], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "True ['n5', 'n40']", done.stderr


def test_no_text_of_a_note_is_in_the_record_the_quarantine_the_journal_or_the_messages(tmp_path):
    canary = "Zwyxelhof"
    lines = [
        json.dumps({"id": "a", "text": f"{canary} vu le 18.03.2022"}),
        f'{{"id": "b", "text": "{canary}',
        json.dumps({"id": "c", "text": canary, "spans": [[0, 99, "X"]]}),
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    done = deidentify(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert record(tmp_path / "out.jsonl")["notes"] == {"in": 3, "out": 1, "quarantined": 2}
    companions = [path for path in tmp_path.iterdir() if path.name not in ("in.jsonl", "out.jsonl")]
    assert len(companions) == 2
    for text in (done.stdout, done.stderr, *(path.read_text() for path in companions)):
        assert canary not in text
