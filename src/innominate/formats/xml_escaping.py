"""Any text inside XML: line ends that XML would change, and characters it cannot hold at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from innominate.core import FormatError

if TYPE_CHECKING:
    from lxml import etree

RESTORE = "innominate-restore"  # attribute of the text's element: what stood at which U+FFFD, as `position:codepoint` in hex
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STAND_IN = "\ufffd"


def has_unfit(text: str) -> bool:
    """Say whether a text has characters that XML 1.0 cannot hold: NUL, most controls, lone surrogates."""
    return _UNFIT.search(text) is not None


def replace_unfit(text: str) -> str:
    """Put U+FFFD in the place of each character that XML cannot hold, so that all offsets stay right."""
    return _UNFIT.sub(_STAND_IN, text)


def write_element(name: str, text: str, attributes: str = "") -> str:
    r"""Write an element that our reader turns back into exactly this text, and any other reader into one of its length.

    >>> write_element("TEXT", "a < b ]]>")
    '<TEXT><![CDATA[a < b ]]]]><![CDATA[>]]></TEXT>'
    >>> write_element("TEXT", "a\x00\r\n")
    '<TEXT innominate-restore="1:0">a\ufffd&#13;\n</TEXT>'
    """
    listing = " ".join(f"{match.start()}:{ord(match[0]):x}" for match in _UNFIT.finditer(text))
    attributes += f' {RESTORE}="{listing}"' if listing else ""
    return f"<{name}{attributes}>{write_content(replace_unfit(text))}</{name}>"


def write_content(text: str) -> str:
    """Write text that fits as CDATA; with carriage returns escaped instead, as XML would turn them into line feeds."""
    if "\r" in text:
        return escape_markup(text).replace("\r", "&#13;")
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"


def quote_attribute(value: str) -> str:
    r"""Quote an attribute's value so that its white space survives.

    >>> quote_attribute('a "b"\n')
    '"a &quot;b&quot;&#10;"'
    """
    quoted = escape_markup(replace_unfit(value)).replace('"', "&quot;")
    return '"' + quoted.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;") + '"'


def text_of(element: etree._Element) -> str:
    """The text of an element as it was given to `write_element`."""
    return restore_unfit(element.text or "", element.get(RESTORE))


def restore_unfit(text: str, listing: str | None) -> str:
    """Put back the characters that `write_element` replaced."""
    if not listing:
        return text
    characters = list(text)
    for entry in listing.split():
        position, code = _parse_entry(entry)
        if position >= len(characters) or characters[position] != _STAND_IN or code > 0x10FFFF:
            raise FormatError(f"the attribute {RESTORE} does not fit the text")
        characters[position] = chr(code)
    return "".join(characters)


def _parse_entry(entry: str) -> tuple[int, int]:
    position, _, code = entry.partition(":")
    if not (position.isascii() and position.isdigit() and len(position) < 16 and re.fullmatch("[0-9a-f]{1,6}", code)):
        raise FormatError(f"the attribute {RESTORE} is not a list of position:codepoint")
    return int(position), int(code, 16)


def escape_markup(text: str) -> str:
    """Escape markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
