"""Compile the typed modules that most of the time of concealment is spent in, with mypyc: the same bytes, a third sooner.

python tools/compiled.py           build them beside their sources, unless they are built from these very sources
python tools/compiled.py remove    run from source

Which modules: `[tool.innominate] compiled` in pyproject.toml. The library that holds them all is called after the content of
their sources, so one that is older than a source is told from its name. When the package is installed, hatch_build.py builds.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import chdir
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = "src/innominate"
_SUFFIXES = (".so", ".pyd")
_OPTIONS = ("--follow-imports=silent", "--ignore-missing-imports", "--no-warn-unused-ignores", "--config-file=")
_CONSTANT = re.compile(r"(_?[A-Z][A-Z0-9_]+|_[a-z_]+) = ")
_LEVEL = "1"  # of gcc: level 2 takes half as long again, and what it makes is no quicker


def sources(root: Path = ROOT) -> list[Path]:
    """The modules to compile."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return [root / PACKAGE / f"{name}.py" for name in settings["tool"]["innominate"]["compiled"]]


def is_current(root: Path = ROOT) -> bool:
    """Say whether what is built was built from the sources as they are, for this Python."""
    return (root / PACKAGE / f"{_name(root)}__mypyc{EXTENSION_SUFFIXES[0]}").exists()


def remove(root: Path = ROOT) -> bool:
    """Go back to the sources; say whether there was anything to remove."""
    found = _built(root)
    for path in found:
        path.unlink(missing_ok=True)
    return bool(found)


def build(root: Path = ROOT) -> None:
    """Compile; nothing is left of an earlier build, whether or not it succeeds."""
    remove(root)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary).resolve()
        shutil.copytree(root / PACKAGE, work / "innominate", ignore=_all_but_python)
        paths = [path.relative_to(root / PACKAGE).as_posix() for path in sources(root)]
        for path in paths:
            copy = work / "innominate" / path
            copy.write_text(explicit(copy.read_text(encoding="utf-8")), encoding="utf-8")
        with chdir(work):
            _compile([f"innominate/{path}" for path in paths], _name(root))
        for path in (work / "lib" / "innominate").rglob("*"):
            if path.suffix in _SUFFIXES:
                shutil.copy2(path, root / PACKAGE / path.relative_to(work / "lib" / "innominate"))


def _compile(paths: list[str], name: str) -> None:
    """Compile in the current folder, into `lib`."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    modules = mypycify([*_OPTIONS, *paths], opt_level=_LEVEL, debug_level="0", group_name=f"innominate.{name}")
    if os.name == "posix":
        for module in modules:  # looking for warnings takes as long as compiling
            module.extra_compile_args = [*module.extra_compile_args, "-Wno-all"]
    command = build_ext(Distribution({"name": "innominate", "ext_modules": modules}))
    command.build_temp, command.build_lib, command.parallel = "build", "lib", True
    command.ensure_finalized()
    command.run()


def _name(root: Path) -> str:
    digest = hashlib.sha256()
    for path in (Path(__file__), *sources(root)):
        digest.update(path.read_bytes())
    return f"compiled_{digest.hexdigest()[:12]}"


def _built(root: Path) -> list[Path]:
    """The library and, beside each source, the file that Python finds before it; not the native part of the rules."""
    found = [path for suffix in _SUFFIXES for path in (root / PACKAGE).rglob(f"*{suffix}")]
    return [path for path in found if not path.name.startswith("_native")]


def _all_but_python(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".py") and not (Path(folder) / name).is_dir()]


def explicit(source: str) -> str:
    """Say in a source what mypyc does not see by itself; all lines keep their numbers.

    What is assigned once in a module is final: else it is looked up by its name each time. Dataclasses have their constructors
    written out, on the empty lines after the class: mypyc leaves them to `dataclasses`, and they would stay interpreted. A
    compiled object can neither be copied nor sent to another process without a `__reduce__`.

    >>> print(explicit("_MOST = 90\\n@dataclass\\nclass Age:\\n    years: int\\n    unit: str = 'y'\\n\\n\\nlast = 1"))
    _MOST: Final = 90
    @dataclass
    class Age:
        years: int
        unit: str = 'y'
        def __init__(self, years: int, unit: str = 'y') -> None: self.years = years; self.unit = unit  # type: ignore
        def __reduce__(self) -> tuple[object, ...]: return self.__class__, (self.years, self.unit,)
    last = 1
    """
    lines = [*source.splitlines(), "", ""]
    for node in ast.parse(source).body:
        at = node.lineno - 1
        if isinstance(node, ast.ClassDef) and _is_dataclass(node) and not _has(node, "__init__"):
            assert node.end_lineno is not None
            lines[node.end_lineno : node.end_lineno + 2] = [f"    {line}" for line in _constructor(node)]
        elif isinstance(node, ast.Assign) and (name := _CONSTANT.match(lines[at])):
            lines[at] = f"{name[1]}: Final = {lines[at][name.end() :]}"
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            lines[at] += "; from typing import Final"
    return "\n".join(lines).rstrip()


def _constructor(node: ast.ClassDef) -> tuple[str, str]:
    """The constructor, with `type: ignore` because it fills frozen fields, and what makes the same object again."""
    parameters, work = ["self"], []
    given = [field for field in _fields(node) if field[2].get("init") != "False"]  # the others are left to __post_init__
    for name, kind, options in given:
        if "default_factory" in options:
            parameters.append(f"{name}: {kind} | None = None")
            work.append(f"self.{name} = ({options['default_factory']})() if {name} is None else {name}")
        else:
            parameters.append(f"{name}: {kind} = {options['default']}" if "default" in options else f"{name}: {kind}")
            work.append(f"self.{name} = {name}")
    if _has(node, "__post_init__"):
        work.append("self.__post_init__()")
    values = ", ".join(f"self.{name}" for name, _, _ in given)
    return (
        f"def __init__({', '.join(parameters)}) -> None: {'; '.join(work)}  # type: ignore",
        f"def __reduce__(self) -> tuple[object, ...]: return self.__class__, ({values},)",
    )


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any(ast.unparse(each).startswith("dataclass") for each in node.decorator_list)


def _has(node: ast.ClassDef, method: str) -> bool:
    return any(isinstance(part, ast.FunctionDef) and part.name == method for part in node.body)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The name of each field, its type, and what it is declared with."""
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            name, kind, value = ast.unparse(part.target), ast.unparse(part.annotation), part.value
            if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
                yield name, kind, {str(option.arg): ast.unparse(option.value) for option in value.keywords}
            else:
                yield name, kind, {"default": ast.unparse(value)} if value else {}


if __name__ == "__main__":
    if "remove" in sys.argv:
        remove()
    elif not is_current():
        try:
            build()
        except (Exception, SystemExit) as error:  # whatever a compiler does not like; mypyc exits
            print(f"Concealment was not compiled, so it runs from source, slower: {error}", file=sys.stderr)
