"""Detectors by what a user writes after `--detector`: a name, the folder of a model, or `rules+` and either."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.core.plugins import available, load
from innominate.core.protocols import Detector

CARD = "model.toml"
TOGETHER = "rules+"
_LISTENS = ("crf", "union")  # to --recall; so does every model in a folder


def is_known(name: str) -> bool:
    """Whether a detector can be made of this.

    >>> is_known("rules"), is_known("no/such/folder")
    (True, False)
    """
    alone = name.removeprefix(TOGETHER)
    return alone in available("detectors") or (Path(alone) / CARD).is_file()


def model_files(name: str) -> tuple[str, ...]:
    """The files of the model that a user named; another content is another choice. Shipped ones belong to the version."""
    alone = name.removeprefix(TOGETHER)
    if alone in available("detectors"):
        return ()
    return tuple(
        str(path) for path in sorted(Path(alone).glob("*")) if path.suffix != ".jsonl" and path.name != "training.toml"
    )


def detector(name: str, lang: str, *, rules: tuple[Path, ...] = (), recall: str = "") -> Detector:
    """Make it; options that it does not understand are an error, not forgotten."""
    alone = name.removeprefix(TOGETHER)
    folder = alone if alone not in available("detectors") else ""
    options: dict[str, Any] = {"lang": lang}
    if folder:
        options["model"] = folder
    if rules:
        options["rules"] = rules
    if recall:
        if not folder and alone not in _LISTENS:
            raise UsageError(f"--recall needs a model that says how sure it is, and {name!r} has none; try --detector union")
        options["recall"] = recall
    kind = "union" if name != alone else _kind(Path(folder)) if folder else alone
    made: Detector = load("detectors", kind, **options)
    return made


def _kind(folder: Path) -> str:
    """The plugin that reads a model: the family on its card, or else its kind."""
    try:
        card = tomllib.loads((folder / CARD).read_text(encoding="utf-8"))
        return str(card.get("family") or card["kind"])
    except (OSError, KeyError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{folder}: no model is here; a folder with {CARD} is one, made by `innominate train`") from error
