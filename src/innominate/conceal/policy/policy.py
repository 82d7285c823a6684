"""A policy: what each kind of identifier becomes, as a value that a data protection officer can read, from a TOML file.

Some policies ship, others are those of a hospital.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from innominate.conceal.dates.shift import MOVE, WEEKDAYS
from innominate.conceal.strategies.operations import OPERATIONS
from innominate.core import Document, UsageError
from innominate.labels import kind_of, kinds, kinds_in_policy_group, labels_of_all, names, taxonomy

PSEUDO, REMOVE = "pseudo", "remove"
STRATEGIES = (PSEUDO, REMOVE, *OPERATIONS)
AGES = ("90+", "keep")
_FOLDER = files("innominate.conceal.policy") / "policies"
_KEYS = frozenset({"title", "strategy", "ages_over_89", "weekdays", "kinds", "categories", "labels", "thresholds"})


@dataclass(frozen=True, slots=True)
class Policy:
    """A strategy for everything, and exceptions: by group or kind, by category of a taxonomy, by label, the last one first.

    >>> policy = Policy("mine", strategy="class", kinds={"names": "pseudo"}, labels={"DOCTOR": "keep"})
    >>> policy.of("PATIENT"), policy.of("DOCTOR"), policy.of("ZIP")
    ('pseudo', 'keep', 'class')
    """

    name: str
    title: str = ""
    strategy: str = PSEUDO
    ages_over_89: str = "90+"
    weekdays: str = MOVE
    kinds: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    _found: dict[str, str] = field(default_factory=dict, repr=False, compare=False, init=False)  # answers of `of`

    def __post_init__(self) -> None:
        where = f"policy {self.name!r}"
        _check("strategy", self.strategy, STRATEGIES, where)
        _check("ages_over_89", self.ages_over_89, AGES, where)
        _check("weekdays", self.weekdays, WEEKDAYS, where)
        for section, known in (("kinds", _kinds()), ("categories", _categories()), ("labels", _labels())):
            for key, strategy in getattr(self, section).items():
                _check_name(f"[{section}]", key, known, where)
                _check(f"[{section}] {key}", strategy, STRATEGIES, where)
                _check_fits(strategy, _kinds_of(section, key), f"{where}: [{section}] {key}")
        for key, threshold in self.thresholds.items():
            _check_name("[thresholds]", key, frozenset({"default"}) | _labels(), where)
            if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
                raise UsageError(f"{where}: [thresholds] {key} is {threshold!r}; a threshold lies between 0 and 1")

    def of(self, label: str) -> str:
        """The strategy of a label."""
        found = self._found.get(label)
        if found is None:
            found = self._found[label] = self._of(label)
        return found

    def _of(self, label: str) -> str:
        if label in self.labels:
            return self.labels[label]
        for category in _categories_of(label):
            if category in self.categories:
                return self.categories[category]
        kind = kinds()[kind_of(label)]
        return self.kinds.get(kind.name) or self.kinds.get(kind.policy) or self.strategy

    def select(self, document: Document) -> Document:
        """Leave out spans that a detector was less sure of than the policy asks for."""
        if not self.thresholds:
            return document
        default = self.thresholds.get("default", 0.0)
        kept = [span for span in document.spans if span.score >= self.thresholds.get(span.label, default)]
        return document if len(kept) == len(document.spans) else document.with_spans(kept)

    @property
    def needs_key(self) -> bool:
        """Whether any label becomes a pseudonym."""
        return PSEUDO in (self.strategy, *self.kinds.values(), *self.categories.values(), *self.labels.values())


def _check(what: str, value: object, choices: tuple[str, ...], where: str) -> None:
    if value not in choices:
        raise UsageError(f"{where}: {what} is {value!r}; choose one of: {', '.join(choices)}")


def _check_name(section: str, key: str, known: frozenset[str], where: str) -> None:
    if key not in known:
        raise UsageError(f"{where}: {section} names {key!r}, which does not exist; there are: {', '.join(sorted(known))}")


def _check_fits(strategy: str, found: Iterable[str], where: str) -> None:
    suits = [name for name, kind in kinds().items() if strategy in kind.cuts]
    wrong = sorted(kind for kind in found if suits and kind not in suits)
    if wrong:
        raise UsageError(f"{where}: {strategy!r} is for {', '.join(suits)} only, not for {', '.join(wrong)}")


def _kinds_of(section: str, key: str) -> tuple[str, ...]:
    if section == "labels":
        return (kind_of(key),)
    if section == "kinds":
        return kinds_in_policy_group().get(key, (key,))
    return tuple({kind_of(label) for label in _labels() if key in _categories_of(label)})


@cache
def _kinds() -> frozenset[str]:
    return frozenset(kinds()) | frozenset(kinds_in_policy_group())


@cache
def _labels() -> frozenset[str]:
    return frozenset(labels_of_all())


@cache
def _categories() -> frozenset[str]:
    return frozenset(category for name in names() for category in taxonomy(name).categories)


@cache
def _categories_of(label: str) -> tuple[str, ...]:
    """The categories of a label; taxonomies may use one name for a label in two of them."""
    found = [taxonomy(name).labels[label].category for name in names() if label in taxonomy(name).labels]
    return tuple(dict.fromkeys(found))


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
