"""A model that found nothing right in the notes it was measured on is not recommended, and not used without a loud warning."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import innominate
from innominate.cli.app import app
from innominate.core import Document, Span
from innominate.detect.models.named import UselessModelWarning, detector, dev_f1, warn_if_useless
from innominate.formats import write
from innominate.run.pipeline import check
from innominate.run.settings import Settings
from innominate.synth.generate import generate

QUICK = {"max_iterations": 3}
LOUD = "DO NOT RELY ON THIS MODEL"


@pytest.fixture(scope="module")
def notes():
    return list(generate("sv", 6, seed=5))


@pytest.fixture(scope="module")
def hopeless():
    """Notes in which nothing can be found: what is marked is no identifier."""
    return [Document("d", "mmol mmol mmol", (Span(5, 9, "Age"),), {"lang": "sv"})]


@pytest.fixture(scope="module")
def useless(tmp_path_factory, notes, hopeless):
    folder = tmp_path_factory.mktemp("model")
    with pytest.warns(UselessModelWarning, match=LOUD):
        innominate.train("crf", train=notes, dev=hopeless, output=folder, parameters=QUICK)
    return folder


def test_it_is_not_used_without_a_warning(useless):
    assert dev_f1(useless) == 0
    with pytest.warns(UselessModelWarning, match=LOUD):
        detector(str(useless), "sv")
    with pytest.warns(UselessModelWarning, match=LOUD):
        detector(f"rules+{useless}", "sv")
    with pytest.warns(UselessModelWarning, match=str(useless)):
        check(Settings(lang="sv", detector=str(useless), time_limit=59.0))


def test_the_command_line_warns_in_words_of_its_own(useless, tmp_path):
    (tmp_path / "note.txt").write_text("Inskriven 2022-03-02", encoding="utf-8")
    program = [sys.executable, "-m", "innominate", "detect", "note.txt", "--lang", "sv", "--detector", str(useless)]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert LOUD in done.stderr
    assert done.stderr.lstrip().startswith("warning")
    assert "UserWarning" not in done.stderr


@pytest.mark.parametrize("good", [True, False])
def test_it_is_not_recommended(tmp_path, notes, hopeless, good):
    write(notes, tmp_path / "train.jsonl", "jsonl")
    write(notes if good else hopeless, tmp_path / "dev.jsonl", "jsonl")
    command = ["train", "crf", "--train", tmp_path / "train.jsonl", "--dev", tmp_path / "dev.jsonl", "-o", tmp_path / "m"]
    arguments = [*map(str, command), "--lang", "sv", "--set", f"max_iterations={12 if good else 3}", "--set", "c1=0.01"]
    if good:
        told = CliRunner().invoke(app, arguments)
    else:
        with pytest.warns(UselessModelWarning, match=LOUD):
            told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 0
    assert ("innominate tune" in told.stderr) == good


CARDS = [
    ('kind = "bilstm"\nfamily = "neural"\n[card]\ndev_ner_f1 = 0.0\n', 0.0),
    ('kind = "bilstm"\nfamily = "neural"\n[card]\ndev_ner_f1 = 0.91\n', 0.91),
    ('kind = "ensemble"\nhow = "union"\n[dev]\nnotes = 4\n[dev.union]\nf1 = 0.0\n', 0.0),
    ('kind = "hybrid"\n', None),
    ('kind = "crf"\n', None),
]


@pytest.mark.parametrize(("card", "f1"), CARDS)
def test_every_kind_of_card_says_how_good_its_model_was(tmp_path, card, f1):
    (tmp_path / "model.toml").write_text(card)
    assert dev_f1(tmp_path) == f1


@pytest.mark.parametrize("f1", [None, 0.001, 0.9, -1.0])  # not measured; bad; good; a training that never scored dev
def test_others_are_used_as_always(f1):
    assert not warn_if_useless(f1, "model")
