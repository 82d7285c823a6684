"""The detectors that an ensemble or a hybrid is made of: found by name or folder, asked together, copied with it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from innominate.core import Document, Span, UsageError
from innominate.core.protocols import AfterRulesDetector, BatchDetector, Detector
from innominate.detect.dial.dial import DIAL
from innominate.detect.models.cards import CARD, load_card
from innominate.detect.models.named import LISTENS, detector, is_name, taxonomy_of

_LEFT_BEHIND = shutil.ignore_patterns("checkpoint", "*.jsonl", "training.toml")


def where(folder: Path, member: str) -> str:
    """A member as `--detector` names it; a folder is seen from the one of the ensemble.

    >>> where(Path("/models/both"), "../crf"), where(Path("/models/both"), "rules")
    ('/models/both/../crf', 'rules')
    """
    return member if is_name(member) else str(folder / member)


@lru_cache(16)
def member_detector(name: str, lang: str, recall: str = "") -> Detector:
    """Make one member; those that know no `--recall` do as always."""
    return detector(name, lang, recall=recall if listens(name) else "")


def listens(name: str) -> bool:
    """Whether a detector can be told how much it may miss.

    >>> listens("rules"), listens("crf")
    (False, True)
    """
    return name in LISTENS or not is_name(name)


def find_shared_taxonomy(detectors: Sequence[Detector], names: Sequence[str], lang: str) -> str:
    """The one taxonomy of all; labels of two cannot be put together."""
    spoken = {name: taxonomy_of(one, lang) for name, one in zip(names, detectors, strict=True)}
    if len(set(spoken.values())) > 1:
        said = ", ".join(f"{name} {taxonomy or '(of its own)'}" for name, taxonomy in spoken.items())
        raise UsageError(f"these speak different taxonomies and cannot be put together: {said}")
    return next(iter(spoken.values()))


def ask(one: Detector, documents: Sequence[Document]) -> list[Sequence[Span]]:
    """The spans of many notes, together where the detector can."""
    return one.detect_many(documents) if isinstance(one, BatchDetector) else [one.detect(document) for document in documents]


def ask_after_rules(
    one: Detector, documents: Sequence[Document], by_rules: Sequence[Sequence[Span]]
) -> Sequence[Sequence[Span]]:
    """The same when what the rules find is known: for a model that has it among its features they do not run again."""
    return one.after_rules(documents, by_rules) if isinstance(one, AfterRulesDetector) else ask(one, documents)


def ask_all(detectors: Sequence[Detector], documents: Sequence[Document]) -> list[Sequence[Sequence[Span]]]:
    """The spans of each detector; rules among them run once."""
    rules = next((one for one in detectors if one.name == "rules"), None)
    if rules is None:
        return [ask(one, documents) for one in detectors]
    by_rules = ask(rules, documents)
    return [by_rules if one is rules else ask_after_rules(one, documents, by_rules) for one in detectors]


def clear(folder: Path, kind: str, members: Sequence[str]) -> None:
    """Make room for a model made of others: never over one of these or over a model of another kind; an old dial goes."""
    if any(not is_name(name) and Path(name).resolve() == folder.resolve() for name in members):
        raise UsageError(f"{folder} is one of the models to be put together; choose another folder for -o")
    if (folder / CARD).is_file() and load_card(folder)["kind"] != kind:
        raise UsageError(f"{folder}: a model of another kind is here already; choose another folder for -o")
    (folder / DIAL).unlink(missing_ok=True)


def copy_model(name: str, to: Path) -> None:
    """Copy a model with everything it needs to be served: the members of an ensemble too."""
    folder = Path(name)
    if to.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{to} is inside of {folder}, which is to be copied there; choose another folder for -o")
    shutil.copytree(folder, to, ignore=_LEFT_BEHIND, dirs_exist_ok=True)
    inner = load_card(folder).get("members", [])
    text = (to / CARD).read_text(encoding="utf-8")
    for number, member in enumerate(inner, start=1):
        if is_name(member) or (to / member).resolve().is_relative_to(to.resolve()):
            continue
        place = f"members/{number}-{Path(member).name}"
        copy_model(where(folder, member), to / place)
        text = text.replace(f'"{member}"', f'"{place}"')
    (to / CARD).write_text(text, encoding="utf-8", newline="\n")
