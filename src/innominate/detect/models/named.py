"""Detectors by what a user writes after `--detector`: a name, the folder of a model, or `rules+` and either."""

from __future__ import annotations

import tomllib
import warnings
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.core.plugins import available, load
from innominate.core.protocols import Detector, TaxonomyDetector
from innominate.detect.models.cards import CARD, family_of, load_card
from innominate.labels import for_language

LOG = "training.toml"  # of a CRF: what differs from one training to the next
TOGETHER = "rules+"
LISTENS = ("crf", "neural", "flair", "union", "contextual", "combined", "best")  # to --recall; so does every model in a folder
_NEEDS_FOLDER = ("ensemble", "hybrid")  # made of other models, so that none ships by itself
_DETECTORS = Path(__file__).parent.parent
_STUDENT, _TEACHER = "contextual/models/student", "contextual/models/teacher"
_SHIPPED = {
    "combined": (_STUDENT,),
    "contextual": (_STUDENT,),
    "best": (_STUDENT, _TEACHER),
    "union": ("crf/models",),
    "crf": ("crf/models",),
    "neural": ("neural/models/neural",),
    "flair": ("neural/models/flair",),
}


class UselessModelWarning(UserWarning):
    """A model that found nothing right in the notes it was measured on."""


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
    own = (path for path in sorted(Path(alone).rglob("*")) if path.is_file() and not _is_of_training(path))
    members = load_card(Path(alone)).get("members", [])  # of an ensemble: its choice is theirs
    theirs = (model_files(member if is_name(member) else str(Path(alone) / member)) for member in members)
    return (*map(str, own), *(path for paths in theirs for path in paths))


def _is_of_training(path: Path) -> bool:
    """Whether a file of a model folder is what its training left there, and not what is served."""
    return path.suffix == ".jsonl" or path.name == "training.toml" or path.parent.name == "checkpoint"


def list_shipped_folders(name: str) -> tuple[Path, ...]:
    """The folders of the models that ship and that a detector of this name reads."""
    return tuple(_DETECTORS / folder for folder in _SHIPPED.get(name.removeprefix(TOGETHER), ()))


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
    if folder:
        warn_if_useless(dev_f1(Path(folder)), folder)
    kind = "union" if name != alone else family_of(load_card(Path(folder))) if folder else alone
    made: Detector = load("detectors", kind, **options)
    return made


def taxonomy_of(one: Detector, lang: str) -> str:
    """The taxonomy in which a detector speaks."""
    own = one.taxonomy if isinstance(one, TaxonomyDetector) else ""
    return own or (for_language(lang).name if lang else "")


def refuse_other_language(folder: Path, own: str, asked: str) -> None:
    """Refuse another language than a model's own: it would find little and say nothing."""
    if asked and own and asked != own:
        raise UsageError(f"{folder}: this {load_card(folder)['kind']} reads {own!r}, not {asked!r}; use --lang {own}")


def load_saved_detector(folder: Path, lang: str = "") -> Detector:
    """The model in a folder, in the language of its card, or else in the one that is given."""
    return detector(str(folder), str(load_card(folder).get("lang", "")) or lang)


def dev_f1(folder: Path) -> float | None:
    """The F1 of a model on the notes it was measured on when it was made; None if it was not."""
    card = load_card(folder)
    if "dev_ner_f1" in card.get("card", {}):  # a network
        return float(card["card"]["dev_ner_f1"])
    if "dev" in card:  # an ensemble
        return float(card["dev"][card["how"]]["f1"])
    try:
        log = tomllib.loads((folder / LOG).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    score = log.get("scores", {}).get("span_f1")
    return None if score is None else float(score)


def warn_if_useless(f1: float | None, name: str) -> bool:
    """Warn loudly of a model whose F1 was 0, and say whether that was so."""
    if f1 != 0:
        return False
    warnings.warn(
        f"{name}: DO NOT RELY ON THIS MODEL. It found nothing right in the notes it was measured on: its F1 on dev is 0. "
        "Train it on more notes, or for longer",
        UselessModelWarning,
        stacklevel=3,
    )
    return True
