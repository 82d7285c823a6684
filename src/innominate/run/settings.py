"""What a run is asked to do, as one frozen value that can be written to TOML, read back, and sent to a worker."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from innominate.conceal.keys import read_key
from innominate.conceal.policy.policy import hash_policy, load_policy, policy_names
from innominate.conceal.scope import MODES
from innominate.core import UsageError
from innominate.core.plugins import available
from innominate.core.protocols import Cleaner, Concealer, Detector
from innominate.detect.models.named import TOGETHER, is_known, model_files
from innominate.labels import names
from innominate.languages import language_codes
from innominate.text.view import DETECTION

DEFAULT_CLEANERS = ("html-blocks", *DETECTION)
KEPT_META = ("lang", "type")


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices behind a run. Two runs with equal settings on equal input give equal bytes.

    Where a name may stand for a detector, a cleaner or a concealer, the object itself may stand too.

    >>> Settings(lang="fr", policy="mask").policy
    'mask'
    """

    lang: str = "auto"
    unknown_language: str = "withhold"  # a note that does not look like its language; or all: every language looks at it
    detector: str | Detector = (
        "combined"  # rules and the contextual model; or a name, the folder of a model, or `rules+` and either
    )
    recall: str = ""  # the operating point of a model: F10, 0.995, names=F20,dates=F1; empty: F1
    rules: tuple[str, ...] = ()  # files of the user's own rules, for the detector `rules` or a union with it
    taxonomy: str = ""  # empty: the detector's own
    policy: str | Concealer = "class"  # the name of a ready policy, or a file
    key: str = ""  # the file of the key that pseudonyms are made with
    consistency: str = ""  # patient, document, markov or none; empty: patient where a note names one, else document
    propagate: bool = True  # find again what is marked once, in the note and in the patient's other notes
    entities: tuple[str, ...] = ()  # labels of the source that are no identifiers, carried into the concealed text
    cleaners: tuple[str | Cleaner, ...] = DEFAULT_CLEANERS
    keep_meta: tuple[str, ...] = KEPT_META
    keep_ids: bool = False  # ids and names of files as they are; else pseudonyms stand for them in the output of a run
    patients: str = ""  # a file of known identifiers, matched in the notes of each patient
    patient_key: str = "patient"  # where the meta data of a note says whose it is; "id": the id of the note
    patients_required: bool = False  # withhold a note whose patient is not in the file
    time_limit: float = 60.0  # CPU seconds for one note, over all steps; a note that takes longer is withheld

    def __post_init__(self) -> None:
        check_types(self)
        _one_of("lang", self.lang, ("auto", *language_codes()))
        _one_of("unknown_language", self.unknown_language, ("withhold", "all"))
        self._check_detector()
        if isinstance(self.policy, str) and not self.policy.endswith(".toml"):
            _one_of("policy", self.policy, (*policy_names(), *sorted(available("concealers").keys() - set(policy_names()))))
        _one_of("consistency", self.consistency, ("", *MODES))
        _one_of("taxonomy", self.taxonomy, ("", *names()))
        for cleaner in self.cleaners:
            if isinstance(cleaner, str):
                _one_of("cleaner", cleaner, tuple(available("cleaners")))

    def _check_detector(self) -> None:
        name = self.detector
        if not isinstance(name, str):
            if self.rules or self.recall:
                raise UsageError("a detector that is given as an object has its own rules and its own recall")
            return
        if not is_known(name):
            choices = ", ".join(available("detectors"))
            raise UsageError(f"detector {name!r} is not known; choose one of: {choices}, or the folder of a model")
        if self.rules and name not in ("rules", "union", "combined", "best") and not name.startswith(TOGETHER):
            raise UsageError("rules of your own need the detector that reads them: --detector rules")

    def __hash__(self) -> int:
        """By identity where an object stands for a name: most classes that people write have no hash of their own."""
        values = (getattr(self, field.name) for field in fields(self))
        return hash(tuple(map(_hashable, values)))

    def fingerprint(self) -> str:
        """A hash that changes when any choice changes."""
        files = (*self.rules, *(model_files(self.detector) if isinstance(self.detector, str) else ()))
        contents = {"patients": _content(self.patients), "rules": [_content(path) for path in files]}
        choices = {**self.recorded(), **contents}
        return hashlib.sha256(json.dumps(choices, sort_keys=True).encode()).hexdigest()[:16]

    def recorded(self) -> dict[str, Any]:
        """The choices as a run record keeps them: what the policy says as a hash, and of the key its mark, never the key."""
        choices = {field.name: _recorded(getattr(self, field.name)) for field in fields(self)}
        if isinstance(self.policy, str) and self.is_policy:
            choices["policy_sha256"] = hash_policy(self.policy)
        if self.key:
            choices["key"] = read_key(Path(self.key)).fingerprint()
        return choices

    @property
    def is_policy(self) -> bool:
        """Whether concealment follows a policy; else it is a concealer of another package, or one that was given."""
        return isinstance(self.policy, str) and (self.policy.endswith(".toml") or self.policy in policy_names())

    @property
    def makes_pseudonyms(self) -> bool:
        """Whether surrogates may stand in the text; what a concealer of another package does nobody knows."""
        return not isinstance(self.policy, str) or not self.is_policy or load_policy(self.policy).needs_key

    @property
    def objects(self) -> tuple[Any, ...]:
        """What was given as an object and not by its name."""
        return tuple(part for part in (self.detector, self.policy, *self.cleaners) if not isinstance(part, str))

    def with_options(self, **options: Any) -> Settings:
        """Return the settings with the options that are not None put in place."""
        return replace(self, **{name: value for name, value in options.items() if value is not None})


_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "detector": ((str, Detector), "the name of a detector, or an object with name, labels and detect"),
    "policy": ((str, Concealer), "the name or the file of a policy, or an object with name and edits"),
    "cleaners": ((str, Cleaner), "names of cleaners, or objects with name and edits"),
    "propagate": ((bool,), "True or False"),
    "patients_required": ((bool,), "True or False"),
    "keep_ids": ((bool,), "True or False"),
    "time_limit": ((int, float), "a number of seconds"),
}


def check_types(settings: Settings) -> None:
    """Refuse a value of the wrong type by a message that says what is meant."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        types, meant = _TYPES.get(field.name, ((str,), "a text"))
        several = isinstance(field.default, tuple)
        if several and not isinstance(value, tuple):
            raise TypeError(f"{field.name} is a tuple of {meant if field.name in _TYPES else 'texts'}, not {_type(value)}")
        for one in value if several else (value,):
            if not isinstance(one, types) or (isinstance(one, bool) and bool not in types) or isinstance(one, type):
                raise TypeError(f"{field.name} is {meant}, not {_type(one)}")


def _type(value: object) -> str:
    """The type of a value; never the value, which may be the text of a note."""
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__


def _hashable(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_hashable, value))
    return value if isinstance(value, str | int | float) else id(value)


def _recorded(value: Any) -> Any:
    """A choice as plain values; an object by its class."""
    if isinstance(value, tuple):
        return list(map(_recorded, value))
    if isinstance(value, str | int | float):
        return value
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _one_of(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{what} {value!r} is not known; choose one of: {', '.join(choice for choice in choices if choice)}")


def _content(path: str) -> str:
    """A hash of a file, because another content is another choice; of one that is not there, its name."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return path


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file; an unknown key is an error, because it is probably a misspelt one."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot read settings from {path}: {error}") from error
    known = {field.name for field in fields(Settings)}
    unknown = sorted(content.keys() - known)
    if unknown:
        raise UsageError(f"{path}: unknown setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in content.items()}
    try:
        return Settings(**values)
    except TypeError as error:
        raise UsageError(f"{path}: {error}") from None
