"""The data of this package."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_data(name: str) -> Mapping[str, Any]:
    """Read one of this package's TOML files, once."""
    return tomllib.loads((files("innominate.conceal") / "data" / name).read_text("utf-8"))
