"""The native part of the rules, in C; None where it could not be built, and Python does the same, far slower."""

from __future__ import annotations

import multiprocessing
import warnings
from functools import cache
from typing import Any

MISSING = (
    "the native part of the rules is not built: they find the same spans and take about a hundred times as long. "
    "Install a C compiler, then install innominate again"
)

native: Any | None
try:
    from innominate.detect.rules.native import _native

    native = _native
except ImportError:  # there was no compiler when this was installed
    native = None


@cache
def warn_if_missing() -> None:
    """Say so once, and not again in each worker process."""
    if native is None and multiprocessing.parent_process() is None:
        warnings.warn(MISSING, RuntimeWarning, stacklevel=2)
