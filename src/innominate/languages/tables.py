"""TOML tables read into frozen dataclasses: what is wrong is said with the file, the field and the remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from innominate.core import FormatError

T = TypeVar("T")


def read_table(cls: type[T], folder: Path, name: str, given: Mapping[str, object] | None = None) -> T:
    """Read a TOML file of a folder as a dataclass; a field without a default has to be there."""
    source = f"{folder.name}/{name}"
    try:
        content = tomllib.loads((folder / name).read_text("utf-8"))
    except FileNotFoundError:
        raise FormatError("the file is missing; the page `Add a language` says what it holds", source=source) from None
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not TOML: {error}", source=source) from error
    return build(cls, content, source, given=given)


def build(
    cls: type[T], table: Mapping[str, Any], source: str, *, prefix: str = "", given: Mapping[str, object] | None = None
) -> T:
    """Make a dataclass of a table.

    >>> from innominate.languages.language import Ordinals
    >>> build(Ordinals, {"other": "th", "endings": {"1": "st"}}, "x.toml").ending(1)
    'st'
    """
    types, values = get_type_hints(cls), dict(given or {})
    known = {field.name: field for field in fields(cls) if field.name not in values}  # type: ignore[arg-type]
    unknown = sorted(table.keys() - known.keys())
    if unknown:
        raise FormatError(f"{prefix}{unknown[0]} is no field; there are: {', '.join(known)}", source=source)
    for name, field in known.items():
        if name in table:
            values[name] = _value(types[name], table[name], source, prefix + name)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise FormatError(f"{prefix}{name} is missing; add it ({_describe_type(types[name])})", source=source)
    return cls(**values)


def _value(kind: Any, found: Any, source: str, name: str) -> Any:
    """A value of the type that a field has."""
    if is_dataclass(kind) and isinstance(kind, type) and isinstance(found, Mapping):
        return build(kind, found, source, prefix=f"{name}.")
    outer, inner = get_origin(kind), get_args(kind)
    make = _MAKE.get(outer or kind)
    made = make(found, inner, lambda kind, value: _value(kind, value, source, name)) if make else None
    if made is None:
        raise FormatError(f"{name} has to be {_describe_type(kind)}", source=source)
    return made


_Convert = Callable[[Any, Any], Any]


def _list(found: Any, inner: tuple[Any, ...], convert: _Convert) -> tuple[Any, ...] | None:
    if isinstance(found, str) and inner[0] is str:
        return tuple(split_entries(found))
    if not isinstance(found, list):
        return None
    if len(inner) == 2 and inner[1] is ...:
        return tuple(convert(inner[0], one) for one in found)
    return tuple(map(convert, inner, found)) if len(inner) == len(found) else None


def _set(found: Any, inner: tuple[Any, ...], convert: _Convert) -> frozenset[Any] | None:
    made = _list(found, (*inner, ...), convert)
    return None if made is None else frozenset(made)


def _mapping(found: Any, inner: tuple[Any, ...], convert: _Convert) -> dict[Any, Any] | None:
    if not isinstance(found, dict) or (inner[0] is int and not all(key.isdecimal() for key in found)):
        return None
    return {inner[0](key): convert(inner[1], value) for key, value in found.items()}


def _plain(kind: type) -> Callable[..., Any]:
    return lambda found, inner, convert: found if type(found) is kind else None


_MAKE: Mapping[Any, Callable[[Any, tuple[Any, ...], _Convert], Any]] = {
    str: _plain(str),
    bool: _plain(bool),
    int: _plain(int),
    float: lambda found, inner, convert: float(found) if type(found) in (int, float) else None,
    object: lambda found, inner, convert: found,
    tuple: _list,
    frozenset: _set,
    Mapping: _mapping,
    re.Pattern: lambda found, inner, convert: re.compile(found) if isinstance(found, str) else None,
}


def split_entries(text: str) -> list[str]:
    """Entries that stand in one string: between blanks, or between `|` and line ends where they hold blanks.

    >>> split_entries("san santo"), split_entries("Dos de Mayo|Gran Vía")
    (['san', 'santo'], ['Dos de Mayo', 'Gran Vía'])
    """
    if "|" not in text:
        return text.split()
    return [entry for entry in (part.strip() for part in re.split(r"[|\n]", text)) if entry]


def _describe_type(kind: Any) -> str:
    """A type in words."""
    outer = get_origin(kind) or kind
    if outer in (tuple, frozenset):
        return "a list"
    words = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", re.Pattern: "a pattern"}
    return words.get(outer, "a table")
