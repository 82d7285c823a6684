"""What a run is asked to do, as one frozen value that can be written to TOML, read back, and sent to a worker."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.core.plugins import available
from innominate.labels import names
from innominate.text.view import DETECTION

LANGUAGES = ("en", "fr", "sv", "es")
DEFAULT_CLEANERS = ("html-blocks", *DETECTION)
KEPT_META = ("lang", "type")


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices behind a run. Two runs with equal settings on equal input give equal bytes.

    >>> Settings(lang="fr", policy="mask").policy
    'mask'
    """

    lang: str = "auto"
    detector: str = "patterns"
    rules: tuple[str, ...] = ()  # files of the user's own rules, for the detector `rules`
    taxonomy: str = ""  # empty: the detector's own
    policy: str = "class"
    cleaners: tuple[str, ...] = DEFAULT_CLEANERS
    keep_meta: tuple[str, ...] = KEPT_META
    patients: str = ""  # a file of known identifiers, matched in the notes of each patient
    patient_key: str = "patient"  # where the meta data of a note says whose it is; "id": the id of the note
    patients_required: bool = False  # withhold a note whose patient is not in the file
    time_limit: float = 60.0  # seconds for one note; a note that takes longer is withheld

    def __post_init__(self) -> None:
        _one_of("lang", self.lang, ("auto", *LANGUAGES))
        _one_of("detector", self.detector, tuple(available("detectors")))
        _one_of("policy", self.policy, tuple(available("concealers")))
        _one_of("taxonomy", self.taxonomy, ("", *names()))
        if self.rules and self.detector != "rules":
            raise UsageError("rules of your own need the detector that reads them: --detector rules")
        for cleaner in self.cleaners:
            _one_of("cleaner", cleaner, tuple(available("cleaners")))

    def fingerprint(self) -> str:
        """A hash that changes when any choice changes."""
        contents = {"patients": _content(self.patients), "rules": [_content(path) for path in self.rules]}
        choices = {**asdict(self), **contents}
        return hashlib.sha256(json.dumps(choices, sort_keys=True).encode()).hexdigest()[:16]

    def with_options(self, **options: Any) -> Settings:
        """Return the settings with the options that are not None put in place."""
        return replace(self, **{name: value for name, value in options.items() if value is not None})


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
    return Settings(**values)
