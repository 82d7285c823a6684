"""The direction of imports: a package imports only from those before it in this list."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import innominate

ORDER = [
    "core",
    "languages",
    "labels",
    "text",
    "formats",
    "surrogates",
    "synth",
    "detect",
    "conceal",
    "evaluate",
    "campaign",
    "study",
    "risk",
    "report",
    "run",
    "api",
    "web",
    "cli",
]
ROOT = Path(innominate.__file__).parent


def imported_packages(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction"
            names = [node.module] if node.module != "innominate" else [f"innominate.{a.name}" for a in node.names]
        for name in names:
            if name.startswith("innominate."):
                yield name.split(".")[1]


def test_every_package_imports_only_from_those_before_it():
    wrong = []
    for path in ROOT.rglob("*.py"):
        package = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if package in {"__init__", "__main__"}:
            continue
        assert package in ORDER, f"{package} is not in the list of packages"
        for other in imported_packages(path):
            if other in ORDER and ORDER.index(other) > ORDER.index(package):
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert not wrong


def module_name(path):
    return ".".join(("innominate", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def imported_modules(path, modules):
    """Modules that a module names, inside of functions too; `from package import module` is an import of the module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from named & modules or {node.module}


def test_no_module_imports_itself_in_a_circle():
    paths = {module_name(path): path for path in ROOT.rglob("*.py")}
    del paths["innominate"]  # its exports are imported when first asked for, and anybody may ask it for its version
    needs = {name: set(imported_modules(path, paths.keys())) & paths.keys() - {name} for name, path in paths.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_core_needs_the_standard_library_only():
    import sys

    for path in (ROOT / "core").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module] if isinstance(node, ast.ImportFrom) else []
            for module in modules:
                assert module.split(".")[0] in {*sys.stdlib_module_names, "innominate"}, f"{path.name} imports {module}"


def test_tests_of_the_run_package_know_nothing_of_the_command_line():
    for path in Path(__file__).parent.joinpath("run").glob("*.py"):
        assert "cli" not in set(imported_packages(path)), path.name
        assert "innominate.cli" not in path.read_text(encoding="utf-8"), path.name  # nor in a program that a test starts
