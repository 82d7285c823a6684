"""The native part of the rules, in C; None where it could not be built, and Python does the same, slower."""

from __future__ import annotations

from typing import Any

native: Any | None
try:
    from innominate.detect.rules.native import _native

    native = _native
except ImportError:  # there was no compiler when this was installed
    native = None
