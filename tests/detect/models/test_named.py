"""Detectors by name, and the files behind a name."""

from __future__ import annotations

import shutil
from pathlib import Path

import innominate
from innominate.detect.models.named import model_files

STUDENT = Path(innominate.__file__).parent / "detect" / "contextual" / "models" / "student"


def test_the_files_of_a_model_are_those_that_are_served_in_its_folders_too(tmp_path: Path):
    model = tmp_path / "mine"
    model.mkdir()
    shutil.copy(STUDENT / "model.toml", model)
    for name in ("language_model/ahead.onnx", "checkpoint/weights.safetensors", "training.toml", "dev.jsonl"):
        (model / name).parent.mkdir(exist_ok=True)
        (model / name).write_text("x")
    assert [Path(path).relative_to(model).as_posix() for path in model_files(str(model))] == [
        "language_model/ahead.onnx",
        "model.toml",
    ]


def test_a_model_that_ships_belongs_to_the_version():
    assert model_files("combined") == ()
