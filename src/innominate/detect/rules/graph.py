"""Which labels depend on which, as layers and as a Graphviz drawing (the figure 4.1 of the seed, for any pack)."""

from __future__ import annotations

from innominate.core.plugins import in_order
from innominate.detect.rules.pack import Pack


def dependencies(pack: Pack) -> dict[str, set[str]]:
    """What each label rests on, marks left out: a label that needs a mark needs what the mark rests on."""
    direct: dict[str, set[str]] = {}
    for rule in pack.rules:
        for given in rule.gives:
            direct.setdefault(given, set()).update(rule.needs - {given})

    def through_marks(label: str, seen: frozenset[str]) -> set[str]:
        found: set[str] = set()
        for need in direct.get(label, set()) - seen:
            found |= through_marks(need, seen | {need}) if need.startswith(".") else {need}
        return found

    return {label: through_marks(label, frozenset({label})) - {label} for label in direct if not label.startswith(".")}


def layers(pack: Pack) -> list[list[tuple[str, list[str]]]]:
    """Labels by how many steps they stand away from the bare text."""
    needs = dependencies(pack)
    acyclic = {label: sorted(wanted & needs.keys()) for label, wanted in needs.items()}
    depth: dict[str, int] = {}
    for label in in_order(acyclic):
        depth[label] = 1 + max((depth[need] for need in acyclic[label]), default=-1)
    return [
        [(label, acyclic[label]) for label in sorted(depth) if depth[label] == level] for level in sorted(set(depth.values()))
    ]


def dot(pack: Pack) -> str:
    """A Graphviz drawing: an arrow goes from a label to what it relies on."""
    lines = [f'  "{label}" -> "{need}";' for label, needs in sorted(dependencies(pack).items()) for need in sorted(needs)]
    nodes = [f'  "{label}";' for label in sorted(pack.labels)]
    return "\n".join(
        [f'digraph "{pack.lang}" {{', "  rankdir=BT; node [shape=box, fontname=Helvetica];", *nodes, *lines, "}\n"]
    )
