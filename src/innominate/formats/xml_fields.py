"""The fields of an XML record as flat meta data, and back: `{"PATIENT/NOM": ..., "NOTE@id": ..., "DIAG[2]": ...}`.

Keys are paths below the root without prefixes of namespaces. `text_path` says where the text stands and stands itself, among
the other keys, in the place of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from innominate.core import FormatError
from innominate.formats import xml_escaping, xml_parsing

if TYPE_CHECKING:
    from lxml import etree

TEXT_PATH = "text_path"
TEXT_NAMES = (
    "CONTENT",
    "Content",
    "content",
    "TEXT",
    "Text",
    "text",
    "CONTENU",
    "Contenu",
    "contenu",
    "TEXTE",
    "Texte",
    "texte",
)
Fields = list[tuple[str, Any]]

_OWN = "innominate-"  # attributes by which we keep what XML would not
_JSON, _KEY = "innominate-json", "innominate-key"
_NAME = "[A-Za-z_À-ÖØ-öø-˿Ͱ-ͽͿ-῿、-\ud7ff][A-Za-z0-9_.À-ÖØ-öø-˿Ͱ-ͽͿ-῿、-\ud7ff-]*"
_PLAIN = re.compile(_NAME)
_PATH = re.compile(f"(?P<path>(?:{_NAME}(?:/{_NAME})*)?)(?:@(?P<attribute>{_NAME}))?(?:\\[\\d+\\])?")


def local_name(element: etree._Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def fields_below(
    top: etree._Element, root: etree._Element, texts: Container[etree._Element], leave: Container[etree._Element]
) -> Iterator[tuple[str, Any]]:
    """Yield path and value of every leaf and attribute below an element, in order; `TEXT_PATH` where a text stands."""
    stack = [(top, _path(top, root))]
    while stack:
        element, path = stack.pop()
        if element in leave:
            continue
        for name, value in element.attrib.items():
            if not str(name).startswith(_OWN):
                yield f"{path}@{str(name).rpartition('}')[2]}", value
        if element in texts:
            yield TEXT_PATH, path
        elif len(element):
            stack += [(child, f"{path}/{local_name(child)}".lstrip("/")) for child in reversed(element)]
        elif path:
            yield _leaf(element, path)


def meta_of_fields(found: Fields, root: str) -> dict[str, Any]:
    """Make meta data of fields; what occurs again gets a number, and the path of the text the name of the root.

    >>> meta_of_fields([("DIAG", "a"), ("text_path", "NOTE/TEXT"), ("DIAG", "b")], "EHR")
    {'DIAG': 'a', 'text_path': 'EHR/NOTE/TEXT', 'DIAG[2]': 'b'}
    """
    named: dict[str, Any] = {}
    seen: dict[str, int] = {}
    for key, value in found:
        seen[key] = seen.get(key, 0) + 1
        if key == TEXT_PATH:
            value = f"{root}/{value}".rstrip("/")
        named[key if seen[key] == 1 else f"{key}[{seen[key]}]"] = value
    return named


def elements_around(texts: list[etree._Element]) -> list[etree._Element]:
    """For each text the largest element around it that has no other text in it."""
    holding: dict[etree._Element, int] = {}
    for text in texts:
        for element in (text, *text.iterancestors()):
            holding[element] = holding.get(element, 0) + 1
    return [[element for element in (text, *text.iterancestors()) if holding[element] == 1][-1] for text in texts]


def texts_by_record(texts: list[etree._Element], records: list[etree._Element]) -> dict[etree._Element, list[etree._Element]]:
    """The texts of each record; one that stands in two, because records stand in each other, is of the inner one."""
    inside: dict[etree._Element, list[etree._Element]] = {record: [] for record in records}
    for text in texts:
        for element in (text, *text.iterancestors()):
            if element in inside:
                inside[element].append(text)
                break
    return inside


def inner_text(element: etree._Element) -> str:
    """The content of an element as text: as it stands, or with the markup of its children if there are any."""
    if not len(element):
        return xml_escaping.text_of(element)
    from lxml import etree

    opening = xml_escaping.escape_markup(element.text or "")
    return opening + "".join(etree.tostring(child, encoding="unicode", with_tail=True) for child in element)


def write_record(text: str, meta: Mapping[str, Any], default_path: str) -> str:
    """Write a text and its meta data as XML; what was read by `fields_below` gets the same names and places again."""
    path = _text_path(meta, default_path).split("/")
    root = _Node(path[0])
    from_xml = meta.get(TEXT_PATH) == "/".join(path)
    if not from_xml:
        meta = {**{key: value for key, value in meta.items() if key != TEXT_PATH}, TEXT_PATH: ""}
    for key, value in meta.items():
        if key == TEXT_PATH:
            root.leaf(path[1:]).content = text
        elif key.rpartition("/")[2] in {*TEXT_NAMES, path[-1]} or not (_PATH if from_xml else _PLAIN).fullmatch(key):
            root.add(_Node("META", {_KEY: json.dumps(key)})).set(value)
        else:
            root.put(key, value)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root.xml()}\n'


@dataclass(slots=True)
class _Node:
    """An element being written: its content is a text, a value as JSON, or children."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Node] = field(default_factory=list)
    content: str | None = None

    def down(self, path: list[str], without: str = "") -> _Node:
        """Go down a path, through the last element of each name; begin a new one where its attribute is taken already."""
        node = self
        for depth, name in enumerate(path, start=1):
            last = node.last(name)
            if last is None or last.content is not None or (depth == len(path) and without in last.attributes):
                last = node.add(_Node(name))
            node = last
        return node

    def last(self, name: str) -> _Node | None:
        """The last child, if it has this name."""
        return self.children[-1] if self.children and self.children[-1].name == name else None

    def add(self, child: _Node) -> _Node:
        """Append a child."""
        self.children.append(child)
        return child

    def leaf(self, path: list[str]) -> _Node:
        """An element for a value: one that has attributes only, or a new one."""
        if not path:
            return self
        parent = self.down(path[:-1])
        last = parent.last(path[-1])
        return last if last and last.content is None and not last.children else parent.add(_Node(path[-1]))

    def put(self, key: str, value: Any) -> None:
        """Write a field in its place."""
        match = _PATH.fullmatch(key)
        path = match["path"].split("/") if match and match["path"] else []
        attribute = match["attribute"] if match else None
        if attribute:
            self.down(path, attribute).attributes[attribute] = str(value)
        elif path:
            self.leaf(path).set(value)

    def set(self, value: Any) -> None:
        """Make a value the content; what is not a string becomes JSON."""
        self.content = value if isinstance(value, str) else json.dumps(value)
        if not isinstance(value, str):
            self.attributes[_JSON] = "true"

    def xml(self) -> str:
        """Write the element."""
        attributes = "".join(f" {name}={xml_escaping.quote_attribute(value)}" for name, value in self.attributes.items())
        if self.content is not None:
            return xml_escaping.write_element(self.name, self.content, attributes)
        return f"<{self.name}{attributes}>\n" + "".join(f"{child.xml()}\n" for child in self.children) + f"</{self.name}>"


def _path(element: etree._Element, root: etree._Element) -> str:
    if element is root:
        return ""
    names = [local_name(ancestor) for ancestor in element.iterancestors() if ancestor is not root]
    return "/".join([*reversed(names), local_name(element)])


def _leaf(element: etree._Element, path: str) -> tuple[str, Any]:
    value = xml_escaping.text_of(element)
    try:
        key = json.loads(element.attrib.get(_KEY, "null")) or path
        return str(key), json.loads(value) if _JSON in element.attrib else value
    except ValueError:
        raise FormatError(
            f"element {path}: its attribute {_KEY} or its value is not JSON", line=xml_parsing.line_of(element)
        ) from None


def _text_path(meta: Mapping[str, Any], default: str) -> str:
    """Where to put the text: where it was, unless that is no path, or is the root and there are other elements."""
    path = meta.get(TEXT_PATH)
    match = _PATH.fullmatch(path) if isinstance(path, str) else None
    if match is None or match["path"] != path or not path:
        return default
    alone = all(key == TEXT_PATH or key.startswith("@") for key in meta)
    return path if "/" in path or alone else default
