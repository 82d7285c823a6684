"""Policies as TOML files: those that ship, and those of a hospital."""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from innominate.conceal.policy.policy import Policy
from innominate.core import UsageError

_FOLDER = files("innominate.conceal.policy") / "policies"
_KEYS = frozenset({"title", "strategy", "ages_over_89", "kinds", "categories", "labels", "thresholds"})


def policy_names() -> list[str]:
    """The policies that ship with Innominate.

    >>> policy_names()
    ['class', 'hipaa-safe-harbor', 'i2b2', 'mask', 'pseudo', 'remove', 'swedish-research', 'swiss-research']
    """
    return sorted(entry.name.removesuffix(".toml") for entry in _FOLDER.iterdir() if entry.name.endswith(".toml"))


def load_policy(name: str) -> Policy:
    """Read a policy by its name, or from a file whose name ends in `.toml`; what is wrong is said with the file and the key.

    >>> load_policy("class").of("PATIENT")
    'class'
    """
    return _made(_content(name), name)


def hash_policy(name: str) -> str:
    """A hash of what a policy says, for the run record.

    >>> len(hash_policy("class"))
    64
    """
    return hashlib.sha256(_content(name).encode()).hexdigest()


def _content(name: str) -> str:
    if name in policy_names():
        return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    if not name.endswith(".toml"):
        raise UsageError(f"no policy is called {name!r}; there are: {', '.join(policy_names())}, or the name of a .toml file")
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the policy {name}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None


def _made(content: str, name: str) -> Policy:
    try:
        values: dict[str, Any] = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"policy {name!r} is not TOML: {error}") from None
    unknown = sorted(values.keys() - _KEYS)
    if unknown:
        raise UsageError(f"policy {name!r}: unknown key {', '.join(unknown)}; there are: {', '.join(sorted(_KEYS))}")
    for section in ("kinds", "categories", "labels", "thresholds"):
        if not isinstance(values.get(section, {}), dict):
            raise UsageError(f"policy {name!r}: {section} has to be a section, [{section}]")
    return Policy(name, **values)
