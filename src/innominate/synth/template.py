"""Templates: whole notes with slots, choices and literal annotations, read into a tree that does not change.

The language is described in docs/synth-templates.md. The reader is strict: a template with a mistake never renders, because a
mistake in a template is a mistake in the gold standard of every note made from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from innominate.core import FormatError
from innominate.synth.slot import ROLES, Slot, parse_slot


@dataclass(frozen=True, slots=True)
class Text:
    """Characters that stand in the note as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several continuations."""

    options: tuple[Nodes, ...]


@dataclass(frozen=True, slots=True)
class Agree:
    """What depends on the gender of a person."""

    role: str
    masculine: Nodes
    feminine: Nodes


@dataclass(frozen=True, slots=True)
class Marked:
    """A literal annotation around anything."""

    label: str
    nodes: Nodes
    line: int = 0


Node = Text | Slot | Choice | Agree | Marked
Nodes = tuple[Node, ...]


def labels_in(nodes: Nodes) -> set[str]:
    """The labels of literal annotations anywhere in a tree."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, Marked):
            found.add(node.label)
        elif isinstance(node, Choice):
            found |= {label for option in node.options for label in labels_in(option)}
        elif isinstance(node, Agree):
            found |= labels_in(node.masculine) | labels_in(node.feminine)
    return found


@dataclass(frozen=True, slots=True)
class Template:
    """One note to be. `gender` is 'm' or 'f' where the note only fits one (`=== delivery-01 f`)."""

    name: str
    nodes: Nodes
    source: str = ""
    line: int = 0
    gender: str = ""
    note_type: str = ""
    split: str = ""
    slots: tuple[Slot, ...] = field(default=(), repr=False)

    def error(self, reason: str, line: int = 0) -> FormatError:
        """Make an error that says where: file, line and template."""
        return FormatError(f"template {self.name!r}: {reason}", source=self.source, line=line or self.line)


_HEADER = re.compile(r"=== (?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)(?: (?P<gender>[mf]))?\s*")
_LABEL = re.compile(r"\((?P<label>[^()\s]+)\)")
_SPECIAL = re.compile(r"[\\{}\[\]|]")
_AGREE = re.compile(r"~(?P<role>[a-z]+[0-9]?)\|")


def parse_file(text: str, source: str = "") -> Iterator[Template]:
    """Read a file of templates. Comment lines (`#`) may stand before the first header only.

    >>> [template.name for template in parse_file("=== a-1\\nHello {patient.full}\\n=== a-2\\nBye")]
    ['a-1', 'a-2']
    """
    name, gender, start, body = "", "", 0, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("==="):
            if name:
                yield parse_template("\n".join(body), name, source=source, line=start, gender=gender)
            header = _HEADER.fullmatch(line)
            if not header:
                raise FormatError("a template begins with '=== name' (lower case, digits, dashes)", source=source, line=number)
            name, gender, start, body = header["name"], header["gender"] or "", number, []
        elif name:
            body.append(line)
        elif line.strip() and not line.startswith("#"):
            raise FormatError("text before the first '=== name'", source=source, line=number)
    if name:
        yield parse_template("\n".join(body), name, source=source, line=start, gender=gender)


def parse_template(body: str, name: str = "template", *, source: str = "", line: int = 0, gender: str = "") -> Template:
    """Read the body of one template.

    >>> parse_template("Vu par {doctor.full}").slots[0].attr
    'full'
    """
    blank = Template(name, (), source, line, gender)
    text = body.strip("\n")
    if not text.strip():
        raise blank.error("it is empty")
    skipped = len(body) - len(body.lstrip("\n"))
    parser = _Parser(text, blank, line + 1 + skipped if line else 1 + skipped)
    nodes = parser.parse()
    return Template(name, nodes, source, line, gender, slots=tuple(_slots(nodes)))


def _slots(nodes: Nodes) -> Iterator[Slot]:
    """All slots of a tree, from left to right."""
    for node in nodes:
        if isinstance(node, Slot):
            yield node
        elif isinstance(node, Choice):
            for option in node.options:
                yield from _slots(option)
        elif isinstance(node, Agree):
            yield from _slots(node.masculine)
            yield from _slots(node.feminine)
        elif isinstance(node, Marked):
            yield from _slots(node.nodes)


class _Parser:
    """Recursive descent over one body; it remembers the position, so that errors can name the line."""

    def __init__(self, text: str, template: Template, first_line: int) -> None:
        self.text, self.template, self.first_line = text, template, first_line
        self.position = 0

    def parse(self) -> Nodes:
        nodes = self.nodes("", marked=False)
        if self.position < len(self.text):
            raise self.error(f"{self.text[self.position]!r} closes nothing; write a backslash before it if it is meant")
        return nodes

    @property
    def line(self) -> int:
        return self.first_line + self.text.count("\n", 0, self.position)

    def error(self, reason: str) -> FormatError:
        return self.template.error(reason, self.line)

    def nodes(self, stops: str, *, marked: bool) -> Nodes:
        """Read until one of the stop characters, which is left for the caller."""
        found: list[Node] = []
        plain: list[str] = []
        open_with: dict[str, Callable[[bool], Node]] = {"{": self.braces, "[": self.brackets}
        while self.position < len(self.text):
            special = _SPECIAL.search(self.text, self.position)
            end = special.start() if special else len(self.text)
            plain.append(self.text[self.position : end])
            self.position = end
            if not special:
                break
            character = special.group()
            if character == "\\":
                plain.append(self.escaped())
            elif character in stops or character in "}]":
                break
            elif character == "|":
                plain.append("|")
                self.position += 1
            else:
                _flush(plain, found)
                found.append(open_with[character](marked))
        _flush(plain, found)
        return tuple(found)

    def escaped(self) -> str:
        character = self.text[self.position + 1 : self.position + 2]
        if not character or character not in "{}[]|\\":
            raise self.error("a backslash must stand before { } [ ] | or \\")
        self.position += 2
        return character

    def braces(self, marked: bool) -> Node:
        """Read a slot, a choice or an agreement. `marked` says whether a literal annotation is open around it."""
        start = self.line
        self.position += 1
        agree = _AGREE.match(self.text, self.position)
        if agree:
            if agree["role"] not in ROLES:
                raise self.error(f"there is no person {agree['role']!r} to agree with")
            self.position = agree.end()
        options = [self.nodes("|}", marked=marked)]
        while self.take("|"):
            options.append(self.nodes("|}", marked=marked))
        if not self.take("}"):
            raise self.template.error("a '{' is never closed", start)
        if agree:
            if len(options) != 2:
                raise self.template.error("{~ROLE|masculine|feminine} needs exactly two forms", start)
            return Agree(agree["role"], options[0], options[1])
        if len(options) > 1:
            return Choice(tuple(options))
        return self.slot(options[0], start)

    def slot(self, nodes: Nodes, line: int) -> Slot:
        if len(nodes) != 1 or not isinstance(nodes[0], Text):
            raise self.template.error("'{}' needs a slot or at least two choices", line)
        try:
            return parse_slot(nodes[0].text, line)
        except ValueError as reason:
            raise self.template.error(str(reason), line) from None

    def brackets(self, marked: bool) -> Node:
        start = self.line
        if marked:
            raise self.error("annotations cannot hold annotations")
        self.position += 1
        nodes = self.nodes("|]" if self.in_choice() else "]", marked=True)
        if not self.take("]"):
            raise self.template.error("a '[' is never closed; write \\[ for a real bracket", start)
        label = _LABEL.match(self.text, self.position)
        if not label:
            raise self.template.error("']' needs '(LABEL)' after it; write \\] for a real bracket", start)
        if not nodes:
            raise self.template.error("an annotation is empty", start)
        self.position = label.end()
        return Marked(label["label"], nodes, start)

    def in_choice(self) -> bool:
        """Whether a brace is open here: a bare '|' inside brackets would then be read in two ways, so it is refused."""
        before = re.sub(r"\\.", "", self.text[: self.position], flags=re.DOTALL)
        return before.count("{") > before.count("}")

    def take(self, character: str) -> bool:
        if self.text.startswith(character, self.position):
            self.position += 1
            return True
        return False


def _flush(plain: list[str], found: list[Node]) -> None:
    text = "".join(plain)
    plain.clear()
    if text:
        found.append(Text(text))
