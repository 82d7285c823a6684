"""Tests run what is written: modules that were compiled from other sources than these are removed first."""

from __future__ import annotations

from pathlib import Path

from hypothesis import settings

import compiled

# how long an example takes depends on what else the machine does; tests of speed measure for themselves
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

_OLD = not compiled.is_current() and compiled.remove()
_BUILT = frozenset(compiled.sources()) if compiled.is_current() else frozenset()


def pytest_report_header() -> str:
    """Say which concealment is tested."""
    if _OLD:
        return "concealment: from source; what was compiled was older and is removed, tools/compiled.py builds it again"
    return f"concealment: {'compiled' if _BUILT else 'from source'}"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """A compiled module has no docstrings: tests/test_compiled.py reads the examples in the source, and runs them on it."""
    return True if collection_path in _BUILT else None
