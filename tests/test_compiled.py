"""Modules that are compiled do what their sources say."""

import ast
import copy
import dataclasses
import doctest
import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import compiled
from innominate.conceal import conceal
from innominate.conceal.keys import Key
from innominate.conceal.pseudo.strategy import Pseudo
from innominate.synth.generate import generate

SOURCE = compiled.ROOT / "src"
built = pytest.mark.skipif(not compiled.is_current(), reason="nothing is compiled")

# Concealed notes in every language, as one prints them.
NOTES = """
from innominate.conceal import conceal
from innominate.conceal.keys import Key
from innominate.conceal.pseudo.strategy import Pseudo
from innominate.synth.generate import generate

for lang in ("en", "fr", "sv", "es"):
    for mode in ("patient", "markov"):
        for note in generate(lang, 15, seed=5, patients=6):
            print(ascii(conceal(note, Pseudo(Key(bytes(32)), mode, lang=lang))))
"""


def examples(path):
    """The examples in the docstrings of a source, to be run on the module as Python finds it."""
    module = importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            name = f"{module.__name__}.{getattr(node, 'name', '')}"
            yield doctest.DocTestParser().get_doctest(text, dict(vars(module)), name, str(path), 0)


@built
@pytest.mark.parametrize("path", compiled.sources(), ids=lambda path: path.relative_to(SOURCE / "innominate").as_posix())
def test_the_examples_of_the_source_run(path):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for example in examples(path):
        runner.run(example)
    assert not runner.failures


@built
def test_every_module_is_compiled():
    modules = [
        importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts)) for path in compiled.sources()
    ]
    assert not [module.__name__ for module in modules if module.__file__.endswith(".py")]


@built
def test_sources_give_the_same_bytes(tmp_path):
    """The package once more without anything compiled: a folder of links, because Python looks beside the link."""
    ignored = lambda _, names: [name for name in names if name.endswith((".so", ".pyd", "__pycache__"))]  # noqa: E731
    shutil.copytree(SOURCE, tmp_path / "src", ignore=ignored, copy_function=lambda a, b: Path(b).symlink_to(a))
    assert printed(tmp_path / "src") == printed(SOURCE)


def printed(folder):
    found = subprocess.run(
        [sys.executable, "-B", "-c", NOTES], env={"PYTHONPATH": str(folder)}, capture_output=True, check=True
    )
    assert found.stdout
    return found.stdout


def test_what_is_concealed_is_a_value_like_any_other():
    """Frozen, equal by value, to be copied: all that a dataclass is when it is not compiled."""
    note = next(iter(generate("en", 1, seed=1)))
    key = Key(bytes(32))
    done = conceal(note, Pseudo(key, lang="en"))
    for value in (key, done, done.offsets):
        assert copy.copy(value) == copy.deepcopy(value) == value
    assert hash(key) == hash(Key(bytes(32)))
    assert dataclasses.replace(key, secret=bytes([1] * 32)) != key
    with pytest.raises(dataclasses.FrozenInstanceError):
        key.secret = b""


def test_what_mypyc_is_told_moves_no_line():
    assert not doctest.testmod(compiled, optionflags=doctest.NORMALIZE_WHITESPACE).failed
    for path in compiled.sources():
        text = path.read_text(encoding="utf-8")
        pairs = zip(text.splitlines(), compiled.explicit(text).splitlines(), strict=False)
        assert all(not old or new.startswith(old.split(" = ")[0]) for old, new in pairs), path
