"""Cards: what a model is, in `model.toml` of its folder; readable by people, and checked by the program."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from innominate.core import UsageError

CARD = "model.toml"


def load_card(folder: Path, *, family: str = "", format: int = 0, made_by: str = "innominate train") -> dict[str, Any]:
    """What a card says, or why there is none that can be used: it is of another `family` or `format` than is asked for.

    `made_by` is the command that makes such a model. Where a card names no family, the kind of the model stands for it.
    """
    path = folder / CARD
    if not path.is_file():
        raise UsageError(f"{folder}: no model is here; a folder with {CARD} is one, made by `{made_by}`")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not a model card: {error}") from error
    found = family_of(content)
    if not found or (family and found != family):
        raise UsageError(f"{path}: this is a model of kind {found!r}, not {family or 'any'!r}; make one with `{made_by}`")
    if format and content.get("format") != format:
        tables = (content.get(name, {}) for name in ("versions", "card"))
        version = next((table["innominate"] for table in tables if "innominate" in table), "another version")
        raise UsageError(
            f"{path}: the model has format {content.get('format')} (Innominate {version}); this version reads {format}. "
            f"Make it again with `{made_by}`, or use the version that made it"
        )
    return content


CardRead = TypeVar("CardRead")


def current_card(folder: Path, read: Callable[[Path], CardRead]) -> CardRead:
    """A card as it is now, read again only when it was written again."""
    path = folder / CARD
    return cast(CardRead, _card_of(folder, read, path.stat().st_mtime_ns if path.is_file() else 0))


@lru_cache(maxsize=16)
def _card_of(folder: Path, read: Callable[[Path], object], _changed: int) -> object:
    return read(folder)


def family_of(card: Mapping[str, Any]) -> str:
    """What reads a model: the family on its card, or else its kind."""
    return str(card.get("family") or card.get("kind") or "")


@contextmanager
def naming_what_is_missing(folder: Path) -> Iterator[None]:
    """Say what a card lacks, or holds in a wrong way."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{folder / CARD}: the model card lacks {error}, or has it in a wrong form") from error


def write_card(folder: Path, content: Mapping[str, Any]) -> None:
    """Write a card into its folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).write_text(as_toml(content), encoding="utf-8", newline="\n")


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def as_toml(content: Mapping[str, Any]) -> str:
    """Write a table of tables as TOML.

    >>> print(as_toml({"kind": "crf", "corpus": {"notes": 500}, "tags": ["O"]}), end="")
    kind = "crf"
    tags = ["O"]
    <BLANKLINE>
    [corpus]
    notes = 500
    """
    plain = {key: value for key, value in content.items() if not isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for name, table in content.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{_key(name)}]", *(f"{_key(key)} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(str(value), ensure_ascii=False)
