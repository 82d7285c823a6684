"""A command starts quickly: it imports what it needs, and no more."""

import json
import subprocess
import sys

import pytest

HEAVY = {"torch", "pandas", "polars", "pyarrow", "sqlalchemy", "spacy", "sklearn", "scipy", "pycrfsuite", "faker", "mimesis"}
COLD = """
import json, sys, time
from innominate.cli.app import app
try:
    app(sys.argv[1:], standalone_mode=False)
finally:
    print(json.dumps({"modules": sorted(sys.modules), "seconds": time.process_time()}), file=sys.stderr)
"""


def run_cold(*arguments):
    done = subprocess.run([sys.executable, "-c", COLD, *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stderr.splitlines()[-1])


@pytest.fixture
def note(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("Vu par le Dr Rochat le 18.03.2022 à Lausanne.")
    return str(path)


def test_one_note_is_detected_cold_in_less_than_a_second_and_a_half(note):
    run_cold("detect", note, "--lang", "fr")  # packs are compiled once and kept
    told = min((run_cold("detect", note, "--lang", "fr") for _ in range(3)), key=lambda told: told["seconds"])
    assert told["seconds"] < 1.5
    assert not HEAVY & set(told["modules"])
    assert len(told["modules"]) < 1300
