"""Plugin lookup through entry points. Built-ins are declared in pyproject.toml exactly like third-party ones.

Nothing is imported before it is asked for, so listing plugins is cheap and a broken one harms nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from innominate.core.errors import PluginError

GROUPS = ("cleaners", "formats", "detectors", "concealers")


@cache
def available(group: str) -> Mapping[str, EntryPoint]:
    """Return the plugins of a group by name, not loaded. Two packages that declare one name are an error.

    >>> "brat" in available("formats")
    True
    """
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=f"innominate.{group}"), key=lambda e: e.name):
        if entry.name in found and found[entry.name].value != entry.value:
            raise PluginError(f"{group}: {entry.name!r} is declared twice, as {found[entry.name].value} and {entry.value}")
        found[entry.name] = entry
    return found


def load(group: str, name: str, **options: Any) -> Any:
    """Import a plugin's class and construct it with its options.

    >>> load("concealers", "mask").name
    'mask'
    """
    plugins = available(group)
    if name not in plugins:
        raise PluginError(f"no {group.rstrip('s')} is called {name!r}; there are: {', '.join(plugins) or 'none'}")
    try:
        factory = plugins[name].load()
    except ImportError as error:
        raise PluginError(f"{group.rstrip('s')} {name!r} cannot be loaded: {error}") from error
    try:
        return factory(**options)
    except TypeError as error:
        raise PluginError(f"{group.rstrip('s')} {name!r}: wrong options ({error})") from error


def in_order(needs: Mapping[str, Iterable[str]]) -> list[str]:
    """Order names so that each comes after those it needs; a cycle or an unknown name is an error.

    >>> in_order({"house_number": ["street"], "street": []})
    ['street', 'house_number']
    """
    unknown = sorted({need for wanted in needs.values() for need in wanted} - needs.keys())
    if unknown:
        raise PluginError(f"needed but not there: {', '.join(unknown)}")
    sorter = TopologicalSorter({name: sorted(wanted) for name, wanted in needs.items()})
    try:
        return list(sorter.static_order())
    except CycleError as error:
        raise PluginError(f"these depend on each other in a circle: {' -> '.join(error.args[1])}") from error
