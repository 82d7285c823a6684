"""Innominate de-identifies clinical text: annotate, detect, conceal, measure, run. Importing it does nothing else.

>>> import innominate
>>> nlp = innominate.load("fr")
>>> nlp("Vu le 18.03.2022 à 9h30.").text
'Vu le <DATE> à <TIME>.'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from innominate.api import Deidentified, Deidentifier, deidentify, evaluate, load, train
    from innominate.core import Corpus, Document, Edit, InnominateError, OffsetMap, Score, Span, apply_edits

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "Deidentified",
    "Deidentifier",
    "Document",
    "Edit",
    "InnominateError",
    "OffsetMap",
    "Score",
    "Span",
    "__version__",
    "apply_edits",
    "deidentify",
    "evaluate",
    "load",
    "train",
]

_FRONT_DOOR = {"Deidentified", "Deidentifier", "deidentify", "load", "train"}


def __getattr__(name: str) -> Any:
    """What is exported is imported when it is first asked for: the front door leads to everything."""
    if name == "evaluate":  # the package of this name, which can be called
        return import_module("innominate.evaluate")
    if name not in __all__:
        raise AttributeError(f"module 'innominate' has no attribute {name!r}")
    value = getattr(import_module("innominate.api" if name in _FRONT_DOOR else "innominate.core"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
