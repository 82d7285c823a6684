"""Speeds, measured in one run: .venv/bin/python tools/bench.py  (or: make bench)

Absolute figures depend on the machine; a plain read and hash of the same bytes is measured beside them for comparison.
"""

import hashlib
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from innominate.languages import language_codes
from innominate.synth.generate import generate

NOTES = 10_000
console = Console(highlight=False)


def synth_speed() -> None:
    """Notes per second and language, after a warm-up."""
    table = Table("synth", "notes/s", "characters/note", box=None)
    for lang in language_codes():
        sum(1 for _ in generate(lang, 300, seed=9))
        started, characters, n = time.perf_counter(), 0, 3000
        for note in generate(lang, n, seed=1):
            characters += len(note.text)
        table.add_row(lang, f"{n / (time.perf_counter() - started):.0f}", str(characters // n))
    console.print(table)


def write_notes(path: Path, n: int) -> None:
    """A quarter of the notes in each language, as JSONL."""
    from innominate.formats import write

    write((note for lang in language_codes() for note in generate(lang, n // len(language_codes()), seed=3)), path, "jsonl")


RUN = """
import resource, sys
from innominate.cli.app import app
try:
    app(["deidentify", sys.argv[1], "-o", sys.argv[2], "--workers", sys.argv[3]], standalone_mode=False)
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def run_speed(folder: Path) -> None:
    """Read, clean, detect, conceal and write; peak memory must not grow with the number of notes."""
    table = Table("deidentify", "notes", "MB", "s", "MB/s", "peak MB", box=None)
    for notes, workers in ((NOTES // 10, 1), (NOTES, 1), (NOTES, 2)):
        source, output = folder / f"{notes}.jsonl", folder / f"out-{notes}-{workers}.jsonl"
        if not source.exists():
            write_notes(source, notes)
        started = time.perf_counter()
        command = [sys.executable, "-c", RUN, str(source), str(output), str(workers)]
        peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        seconds, megabytes = time.perf_counter() - started, source.stat().st_size / 1e6
        row = (str(notes), f"{megabytes:.1f}", f"{seconds:.1f}", f"{megabytes / seconds:.2f}", peak)
        table.add_row(f"{workers} worker{'s' * (workers > 1)}", *row)
    started, data = time.perf_counter(), (folder / f"{NOTES}.jsonl").read_bytes()
    hashlib.sha256(data).hexdigest()
    seconds = time.perf_counter() - started
    table.add_row(
        "read and SHA-256", str(NOTES), f"{len(data) / 1e6:.1f}", f"{seconds:.2f}", f"{len(data) / 1e6 / seconds:.0f}", ""
    )
    console.print(table)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    synth_speed()
    with tempfile.TemporaryDirectory() as folder:
        run_speed(Path(folder))
