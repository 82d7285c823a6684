"""PackRule packs: folders of data. A user's own TOML file adds to a pack or overrides rules by name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.core.plugins import in_order
from innominate.detect.rules.board import Header, PackRule
from innominate.detect.rules.checks import find_check
from innominate.detect.rules.expressions.expand import expand
from innominate.detect.rules.expressions.matching import Behind, Lazy
from innominate.detect.rules.expressions.parsed import check_width, holds_always, parse
from innominate.detect.rules.kinds.beside import BesideRule, RelabelRule
from innominate.detect.rules.kinds.keep import KeepRule
from innominate.detect.rules.kinds.names import NamesRule
from innominate.detect.rules.kinds.text_alone import CASES, ListRule, PatternRule, span_groups
from innominate.detect.rules.sources import COMMON, find_words, pack_folder

KINDS = ("pattern", "list", "beside", "relabel", "keep", "names")
OWN = 1000  # added to the priority of a user's own rules
_SHARED = ("name", "label", "score", "priority")


@dataclass(frozen=True)
class Pack:
    """The rules of a language, in the order in which they run."""

    lang: str
    rules: tuple[PackRule, ...]
    expressions: Mapping[str, str] = field(default_factory=dict)  # of the patterns, by rule name
    own: frozenset[str] = frozenset()  # names of the rules that the user added

    @property
    def labels(self) -> frozenset[str]:
        """Labels that leave the engine; marks begin with a dot and stay."""
        return frozenset(label for rule in self.rules for label in rule.gives if not label.startswith("."))


def load_pack(lang: str, extra: Iterable[Path] = (), *, check: bool = False) -> Pack:
    """Load the pack of a language with what a user adds to it; a rule of the same name replaces the pack's.

    A rule that a user adds wins over every rule of the pack: its priority is higher and, unless it says otherwise, it is sure.
    What a user adds is checked; the packs that come with the package were when it was made, unless `check` asks for it.
    """
    extra = list(extra)
    contents: list[tuple[str, Mapping[str, Any]]] = []
    for place in (COMMON, pack_folder(lang)):
        entries = sorted((e for e in place.iterdir() if e.name.endswith(".toml")), key=lambda e: e.name)
        contents += [(entry.name, _toml(entry.name, entry.read_text(encoding="utf-8"))) for entry in entries]
    own = [(str(path), _own(_toml(str(path), path.read_text(encoding="utf-8")), str(path))) for path in extra]
    check = check or any("macros" in content for _, content in own)  # a macro may stand in any rule
    checked = frozenset(place for place, _ in ((*contents, *own) if check else own))
    pack = _pack(lang, [*contents, *own], checked)
    names = {str(table["name"]) for _, content in own for kind in KINDS for table in content.get(kind, [])}
    return replace(pack, own=frozenset(names))


def _own(content: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    """The rules of a user's own, before all others."""
    own = {kind: [_first(table, place) for table in content[kind]] for kind in KINDS if isinstance(content.get(kind), list)}
    return {**content, **own}


def _first(table: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    priority = table.get("priority", 0)
    if not isinstance(priority, int):
        raise UsageError(f"{place}: rule {table.get('name')!r} has a priority that is not a whole number")
    return {"score": 1.0, **table, "priority": OWN + priority}


def _toml(name: str, text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name}: not TOML: {error}") from error


def _pack(lang: str, contents: list[tuple[str, Mapping[str, Any]]], checked: frozenset[str]) -> Pack:
    macros: dict[str, str] = {}
    tables: dict[str, tuple[str, str, Mapping[str, Any]]] = {}
    switched_off: set[str] = set()
    for place, content in contents:
        unknown = sorted(content.keys() - {*KINDS, "macros", "off"})
        if unknown:
            raise UsageError(f"{place}: {', '.join(unknown)} is no kind of rule; there are: {', '.join(KINDS)}, macros, off")
        macros |= content.get("macros", {})
        switched_off |= set(content.get("off", []))
        for kind in KINDS:
            for table in content.get(kind, []):
                tables[_name(table, kind, place)] = (kind, place, table)
    maker = _Maker(macros, lang)
    rules = [
        maker.make(kind, place, table, check=place in checked)
        for name, (kind, place, table) in tables.items()
        if name not in switched_off
    ]
    patterns = {rule.header.name: rule.expression for rule in rules if isinstance(rule, PatternRule)}
    return Pack(lang, tuple(_order_rules(rules)), patterns)


def _name(table: Mapping[str, Any], kind: str, place: str) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name:
        raise UsageError(f"{place}: a {kind} rule has no name")
    return name


def _order_rules(rules: list[PackRule]) -> list[PackRule]:
    """After the rules that give what they need; what nobody gives is an error, and so is a circle."""
    givers: dict[str, set[str]] = {}
    for rule in rules:
        for label in rule.gives:
            givers.setdefault(label, set()).add(rule.header.name)
    by_name = {rule.header.name: rule for rule in rules}
    needs = {rule.header.name: sorted(_find_givers(rule, givers)) for rule in rules}
    return [by_name[name] for name in in_order(needs)]


def _find_givers(rule: PackRule, givers: Mapping[str, set[str]]) -> set[str]:
    missing = sorted(rule.needs - givers.keys())
    if missing:
        raise UsageError(f"rule {rule.header.name!r} needs {', '.join(missing)}, which no rule gives")
    return {name for label in rule.needs for name in givers[label]} - {rule.header.name}


class _Maker:
    """Makes rules from tables, and says which rule is wrong when one is."""

    def __init__(self, macros: Mapping[str, str], lang: str) -> None:
        self.macros = macros
        self.words = partial(find_words, lang=lang)
        self.checking = False  # compiling all expressions of a pack takes seconds

    def make(self, kind: str, place: str, table: Mapping[str, Any], *, check: bool) -> PackRule:
        self.checking = check
        try:
            rule: PackRule = getattr(self, f"_{kind}")(_header(table), dict(table))
        except re.error as error:
            raise UsageError(f"{place}: rule {table['name']!r} is not a regular expression: {error}") from error
        except (UsageError, KeyError, TypeError, ValueError) as error:
            reason = f"needs {error}" if isinstance(error, KeyError) else str(error)
            raise UsageError(f"{place}: rule {table['name']!r} {reason}") from error
        return rule

    def _lazy(self, make: Callable[[str], Any], expression: str) -> Any:
        lazy = Lazy(make, expression)
        if self.checking:
            _ = lazy.made
        return lazy

    def _expand(self, expression: str, *, ignore_case: bool = False) -> str:
        return ("(?i)" if ignore_case else "") + expand(expression, self.macros, self.words)

    def _pattern(self, header: Header, table: dict[str, Any]) -> PackRule:
        expression = self._expand(table["expression"], ignore_case=table.get("ignore_case", False))
        test = table.get("check", "")
        if test:
            find_check(test)
        if self.checking:
            check_width(expression)
            re.compile(expression)
        return PatternRule(header, expression, test, span_groups(expression))

    def _list(self, header: Header, table: dict[str, Any]) -> PackRule:
        words = frozenset(word for name in _many(table["words"]) for word in self.words(name))
        without = frozenset(word for name in _many(table.get("without", [])) for word in self.words(name))
        folded = {word.casefold() for word in without}
        case = table.get("case", "any")
        if case not in CASES:
            raise UsageError(f"wants words written in {case!r}; there are: {', '.join(CASES)}")
        return ListRule(header, frozenset(w for w in words if w.casefold() not in folded), case)

    def _beside(self, header: Header, table: dict[str, Any]) -> PackRule:
        side = table["side"]
        if side not in ("before", "after"):
            raise UsageError("has a side that is neither before nor after")
        expression = self._expand(table["expression"], ignore_case=table.get("ignore_case", False))
        if "(?P<span>" not in expression:
            raise UsageError("needs a group (?P<span>...) in its expression")
        mark = header.label.startswith(".")
        if self.checking:
            _check_span(expression, mark=mark)
        of = frozenset(_many(table["of"]))
        if side == "after":
            return BesideRule(header, of, None, self._lazy(re.compile, expression))
        return BesideRule(header, of, self._lazy(Behind.of, expression), None)

    def _relabel(self, header: Header, table: dict[str, Any]) -> PackRule:
        def optional(key: str, make: Callable[[str], Any] = re.compile) -> Any:
            if key not in table:
                return None
            return self._lazy(make, self._expand(table[key], ignore_case=table.get("ignore_case", True)))

        before, after, itself = optional("before", Behind.of), optional("after"), optional("itself")
        return RelabelRule(header, frozenset(_many(table["of"])), before, after, itself)

    def _keep(self, header: Header, table: dict[str, Any]) -> PackRule:
        return KeepRule(header, frozenset(_many(table["of"])), frozenset(_many(table["against"])))

    def _names(self, header: Header, table: dict[str, Any]) -> PackRule:
        return NamesRule.from_table(header, table, self.words)


def _header(table: Mapping[str, Any]) -> Header:
    shared = {key: table[key] for key in _SHARED if key in table}
    shared.setdefault("label", "")
    return Header(**shared, match=tuple(_many(table.get("match", []))), no_match=tuple(_many(table.get("no_match", []))))


def _check_span(expression: str, *, mark: bool) -> None:
    """Refuse an expression whose group may find nothing: there is no such span. A mark may stand before the text begins."""
    parsed = parse(expression)
    if not holds_always(parsed, parsed.state.groupdict["span"], empty=mark):
        raise UsageError("has a group (?P<span>...) that may be left out or empty; let it be part of every match")


def _many(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
