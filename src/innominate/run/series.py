"""Columns of texts of pandas and polars, taken and given back without importing either: who has one has imported it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LIBRARIES = ("pandas", "polars")


def is_series(value: Any) -> bool:
    """Whether this is a Series of pandas or polars.

    >>> is_series(["a", "b"])
    False
    """
    return type(value).__name__ == "Series" and type(value).__module__.partition(".")[0] in LIBRARIES


def texts_of(series: Any) -> list[str | None]:
    """The texts; a cell without a value is None, and one with something else than a text is a TypeError."""
    missing = series.isna().tolist() if hasattr(series, "isna") else series.is_null().to_list()
    texts: list[str | None] = []
    for row, (value, is_missing) in enumerate(zip(series, missing, strict=True)):
        if not is_missing and not isinstance(value, str):
            raise TypeError(f"row {row} of the series holds {type(value).__name__}, not a text")
        texts.append(None if is_missing else value)
    return texts


def like(series: Any, texts: Sequence[str | None]) -> Any:
    """A series of the same library with the same name, and rows that stand where those of the first do."""
    if hasattr(series, "isna"):
        return type(series)(list(texts), index=series.index, name=series.name)
    return type(series)(series.name, list(texts))
