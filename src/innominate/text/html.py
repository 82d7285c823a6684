"""HTML to text (seed, section 2.2, step 2), with the place of every character in the original.

A parser that builds a tree forgets offsets, so this is a scanner: one regular expression finds tags, comments and character
references, and each becomes an edit. It is tolerant, linear in the length of the text, and in doubt it shows: what is not
surely markup stays text, because what a view hides no detector sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.entities import html5

from innominate.core import Edit
from innominate.text.lists import lines

# A quoted value may hold `>`. One per tag may hold `<`, a few times: more would let `<a "<a "<a "...` take quadratic time.
_VALUES = r"""(?:[^'"<>]++|"[^"<]*+"|'[^'<]*+')*+"""
_ODD_VALUE = r"""(?:"[^"<]*+(?:<[^"<]*+){1,8}"|'[^'<]*+(?:<[^'<]*+){1,8}')"""

_MARKUP = re.compile(
    rf"""
      (?P<comment> <!-- )
    | (?P<other> <!\[CDATA\[ | \]\]> | <!(?:doctype|\[)[^<>]*> | <\?[a-z][^<>]*> )
    | </?+ (?P<name> [a-z][a-z0-9]{{0,15}} (?: :[a-z][a-z0-9]{{0,31}} )? )
      (?P<attributes> (?: [\s/] {_VALUES} (?: {_ODD_VALUE} {_VALUES} )? )? ) >
    | (?P<reference> & (?: \#[0-9]{{1,7}} | \#x[0-9a-f]{{1,6}} | [a-z][a-z0-9]{{1,31}} ) ;? )
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)

# What is dropped from its beginning to its end. If the end is missing, the content is shown.
_END = {
    "comment": re.compile("-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
}


class Html:
    r"""Shows the text content: new lines around br, li, p and tr, a space on each side of what a td holds.

    A character reference that exists and ends with `;` is always decoded. Without the `;` it is decoded only in a text that
    has a tag, so `R&D` and `A&E` stay as they are. A plain text without `&...;` is not edited at all.

    >>> Html().edits("<p>TA &lt; 120")
    [Edit(start=0, end=3, text='\n'), Edit(start=6, end=10, text='<')]
    """

    name = "html"

    def __init__(self, lines: tuple[str, ...] = ("br", "li", "p", "tr"), cells: tuple[str, ...] = ("td",)) -> None:
        self.lines, self.cells = lines, cells

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every tag, hidden element and decoded character reference."""
        if "<" not in text and "&" not in text:
            return []
        edits: list[Edit] = []
        only_in_html: set[Edit] = set()
        has_tag = False
        for found, end in _markup(text):
            if found["reference"]:
                edit = Edit(found.start(), end, unescape(found["reference"]))
                if not _is_complete(found["reference"]):
                    only_in_html.add(edit)
            else:
                edit = Edit(found.start(), end, self._shown(found["name"]))
                has_tag = has_tag or found["name"] is not None
            if edit.text != found[0]:
                edits.append(edit)
        return edits if has_tag or not only_in_html else [edit for edit in edits if edit not in only_in_html]

    def _shown(self, name: str | None) -> str:
        """Return the white space that stands for a tag."""
        name = (name or "").lower()
        if name in self.lines:
            return "\n\n" if name == "br" else "\n"  # br has no end tag: both of its new lines stand here
        return " " if name in self.cells else ""


BLOCKS = (
    *("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl", "dt", "fieldset"),
    *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "li", "main", "nav", "ol", "option", "p"),
    *("pre", "section", "table", "tbody", "tfoot", "thead", "title", "tr", "ul"),
)


class HtmlBlocks(Html):
    r"""Like `Html`, with a new line around every block and a space around every cell, so that no two words are joined.

    The seed's shorter list is for annotation; a detector must not see `<div>Eva</div><div>Meier</div>` as one word.

    >>> [edit.text for edit in HtmlBlocks().edits("<div>Eva</div><th>Meier")]
    ['\n', '\n', ' ']
    """

    name = "html-blocks"

    def __init__(self) -> None:
        super().__init__(lines=BLOCKS, cells=("td", "th"))


def is_html(text: str) -> bool:
    """Say whether the text has at least one tag.

    >>> is_html("TA <b>120</b>"), is_html("TA < 120, <Date_Part>")
    (True, False)
    """
    return "<" in text and any(found["name"] for found, _ in _markup(text))


def _markup(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield what is surely markup and where it ends, from left to right."""
    position = 0
    endless: set[str] = set()  # looked for to the end of the text in vain; once is enough
    while found := _MARKUP.search(text, position):
        if found["name"] and not _is_tag(found["name"].lower(), found["attributes"]):
            position = found.start() + 1
            continue
        position = found.end()
        kind = "comment" if found["comment"] else (found["name"] or "").lower()
        if kind in _END and kind not in endless and not found[0].startswith("</"):
            end = _END[kind].search(text, position)
            position = end.end() if end else position
            if end is None:
                endless.add(kind)
        if not found["comment"] or position > found.end():
            yield found, position


def _is_tag(name: str, attributes: str) -> bool:
    """Tell a tag from a comparison or a name in angle brackets."""
    elements, prefixes, flags = _vocabulary()
    known = name in elements or (":" in name and name.partition(":")[0] in prefixes)
    return known and ("=" in attributes or flags.issuperset(attributes.lower().strip("/ \t\r\n").split()))


def _is_complete(reference: str) -> bool:
    return reference.endswith(";") and (reference[1] == "#" or reference[1:] in html5)


@cache
def _vocabulary() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    elements, prefixes, flags = (
        frozenset(" ".join(lines(f"html/{name}.txt")).split()) for name in ("elements", "prefixes", "flags")
    )
    return elements, prefixes, flags
