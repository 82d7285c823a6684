"""Every code block of the documentation runs: ```python is executed, and each `$` line of ```console is run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(kind):
    for page in PAGES:
        found = [match[2] for match in BLOCK.finditer(page.read_text(encoding="utf-8")) if match[1] == kind]
        if found:
            yield pytest.param(found, id=page.name)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the sample notes and the examples, where the blocks may write."""
    for name in ("samples", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("found", list(blocks("python")))
def test_python_blocks(found, folder):
    names = {"__name__": "docs"}
    for block in found:
        exec(compile(block, "docs", "exec"), names)


@pytest.mark.parametrize("found", list(blocks("console")))
def test_console_blocks(found, folder):
    program = f"{sys.executable} -m innominate"
    for line in (line for block in found for line in block.splitlines() if line.startswith("$ ")):
        command = line[2:].replace("innominate ", program + " ", 1)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_every_command_is_on_the_command_line_page():
    from innominate.cli.app import app

    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert f"`{command.name} " in page or f"`{command.name}`" in page, command.name


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name in navigation, f"{page.name} is not in mkdocs.yml"


def test_every_promise_of_the_threat_model_names_a_test_that_is_there():
    page = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
    promises = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(promises) > 10
    for path, name in promises:
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path} has no {name}"
