"""What a run worked with, as hashes: code, rules and lists, models, and the files of the user. Never the key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import innominate
from innominate.detect.models.named import list_shipped_folders, model_files
from innominate.detect.rules.sources import data_folder
from innominate.run.settings import Settings

_ROOT = Path(innominate.__file__).parent
_NO_DATA = (".pyc", ".so", ".pyd")


def hash_materials(settings: Settings, action: str) -> dict[str, Any]:
    """Hashes of what decides on the bytes of an output; a model only if the action finds something with it."""
    name = settings.detector if isinstance(settings.detector, str) and action != "conceal" else ""
    folders = list_shipped_folders(name)
    own = {
        "rules": hash_files(map(Path, settings.rules)) if settings.rules else "",
        "lists": hash_files(data_folder().glob("*/*.txt")) if any(data_folder().glob("*/*.txt")) else "",
        "model": hash_files(map(Path, model_files(name))) if name and model_files(name) else "",
        "patients": hash_files([Path(settings.patients)]) if settings.patients else "",
    }
    return {
        "code": _hash_code(),
        "rules_and_lists": _hash_data(),
        "models": {folder.relative_to(_ROOT).as_posix(): _hash_folder(folder) for folder in folders},
        "own": {what: digest for what, digest in own.items() if digest},
    }


def hash_file(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_files(paths: Iterable[Path], root: Path | None = None) -> str:
    """One hash of several files in the order of their names (below a root), of names and contents."""
    named = sorted((path.relative_to(root).as_posix() if root else path.name, path) for path in paths)
    digest = hashlib.sha256()
    for name, path in named:
        digest.update(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest() + bytes.fromhex(hash_file(path)))
    return digest.hexdigest()


@cache
def _hash_code() -> str:
    return hash_files(_ROOT.rglob("*.py"), _ROOT)


@cache
def _hash_data() -> str:
    """Everything that ships beside code and models: rules, lists, labels, policies, data of surrogates."""
    files = (path for path in _ROOT.rglob("*") if path.is_file() and path.suffix not in (".py", *_NO_DATA))
    return hash_files((path for path in files if "models" not in path.relative_to(_ROOT).parts), _ROOT)


@cache
def _hash_folder(folder: Path) -> str:
    return hash_files((path for path in folder.rglob("*") if path.is_file() and path.suffix not in _NO_DATA), folder)
