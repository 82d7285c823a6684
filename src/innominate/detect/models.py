"""Detectors by what a user writes after `--detector`: a name, the folder of a model, or `rules+` and either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.core.plugins import available, load
from innominate.core.protocols import Detector
from innominate.detect.cards import CARD, family_of, load_card

TOGETHER = "rules+"
LISTENS = ("crf", "neural", "flair", "union")  # to --recall; so does every model in a folder
_NEEDS_FOLDER = ("ensemble", "hybrid")  # made of other models, so that none ships by itself


def is_name(name: str) -> bool:
    """Whether this is a detector by itself; else it is a folder, even one that is called as a kind of model is.

    >>> is_name("rules"), is_name("hybrid"), is_name("models/crf")
    (True, False, False)
    """
    return name in available("detectors") and name not in _NEEDS_FOLDER


def is_known(name: str) -> bool:
    """Whether a detector can be made of this.

    >>> is_known("rules"), is_known("no/such/folder")
    (True, False)
    """
    alone = name.removeprefix(TOGETHER)
    return is_name(alone) or (Path(alone) / CARD).is_file()


def model_files(name: str) -> tuple[str, ...]:
    """The files of the model that a user named; another content is another choice. Shipped ones belong to the version."""
    alone = name.removeprefix(TOGETHER)
    if is_name(alone):
        return ()
    own = (path for path in sorted(Path(alone).glob("*")) if path.suffix != ".jsonl" and path.name != "training.toml")
    members = load_card(Path(alone)).get("members", [])  # of an ensemble: its choice is theirs
    theirs = (model_files(member if is_name(member) else str(Path(alone) / member)) for member in members)
    return (*map(str, own), *(path for paths in theirs for path in paths))


def detector(name: str, lang: str, *, rules: tuple[Path, ...] = (), recall: str = "") -> Detector:
    """Make it; options that it does not understand are an error, not forgotten."""
    alone = name.removeprefix(TOGETHER)
    folder = alone if not is_name(alone) else ""
    options: dict[str, Any] = {"lang": lang}
    if folder or name != alone:
        options["model"] = alone
    if rules:
        options["rules"] = rules
    if recall:
        if not folder and alone not in LISTENS:
            raise UsageError(f"--recall needs a model that says how sure it is, and {name!r} has none; try --detector union")
        options["recall"] = recall
    kind = "union" if name != alone else family_of(load_card(Path(folder))) if folder else alone
    made: Detector = load("detectors", kind, **options)
    return made


def speaks(folder: Path, own: str, asked: str) -> None:
    """Refuse another language than a model's own: it would find little and say nothing."""
    if asked and own and asked != own:
        raise UsageError(f"{folder}: this {load_card(folder)['kind']} reads {own!r}, not {asked!r}; use --lang {own}")


def saved(folder: Path, lang: str = "") -> Detector:
    """The model in a folder, in the language of its card, or else in the one that is given."""
    return detector(str(folder), str(load_card(folder).get("lang", "")) or lang)
