"""Names say what is done: a class name means one thing, and a function is a verb with its noun, no past participle alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src" / "innominate"
# These still have functions that are named by what came out instead of what is done: an entry goes when its last one does.
NOT_YET = ("api.py", "cli", "conceal", "detect/known", "detect/rules/kinds", "formats", "run", "surrogates", "text")
# Words that end like a participle and are none, and functions whose name is the idea: `annotated("Vu par ...")`.
VERBS = frozenset({"embed", "exceed", "feed", "need", "proceed", "seed", "speed"})
IDEAS = frozenset({"annotated", "marked", "calibrated", "owned", "locked", "named", "made", "replaced", "checked", "escaped"})
IDEAS_OF_SCORERS = frozenset({"compared", "covered", "ranked", "mapped", "merged", "paired"})
IRREGULAR = frozenset(
    [
        "made",
        "found",
        "taken",
        "given",
        "drawn",
        "written",
        "known",
        "kept",
        "held",
        "shown",
        "said",
        "left",
        "built",
        "chosen",
        "hidden",
        "told",
    ]
)


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCES.rglob("*.py")):
        yield path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_a_class_name_means_one_thing():
    places = defaultdict(list)
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def is_participle(name: str) -> bool:
    """Whether a function is named by a past participle: `_pooled`, `written_guidelines`."""
    first = name.strip("_").split("_")[0]
    return (first.endswith("ed") and first not in VERBS) or first in IRREGULAR


@pytest.mark.parametrize(
    ("name", "is_one"), [("_pooled", True), ("written_guidelines", True), ("embed", False), ("pool", False)]
)
def test_participles_are_known(name: str, is_one: bool):
    assert is_participle(name) is is_one


def is_like_a_noun(function: ast.FunctionDef) -> bool:
    """Properties and constructors may be called as what they give."""
    return any("property" in ast.unparse(each) or "classmethod" in ast.unparse(each) for each in function.decorator_list)


def test_functions_are_verbs_with_their_noun():
    wrong = [
        f"{path}: {node.name}"
        for path, tree in modules()
        if not path.startswith(NOT_YET)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and is_participle(node.name) and not is_like_a_noun(node)
        if node.name not in IDEAS | IDEAS_OF_SCORERS
    ]
    assert wrong == []
