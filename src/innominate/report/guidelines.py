"""Guidelines as a page, and as PDF: contents, label colours, right and wrong examples. Self-contained, and without scripts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from innominate.campaign.planning.guidelines import label_of_heading
from innominate.core import UsageError
from innominate.labels import Taxonomy
from innominate.report.rendering import render_page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_SECONDS = 120  # for printing
_EXAMPLE = re.compile(r"^([✓✗])\s*")


def render_guidelines(text: str, labels: Taxonomy, lang: str = "en") -> str:
    """The page. HTML in the source is shown as it is written, not obeyed.

    >>> from innominate.labels import taxonomy
    >>> page = render_guidelines("# Guide\\n\\n### TEMPS\\n\\n- ✓ à [12h](TEMPS)", taxonomy("chuv"))
    >>> 'class="right"' in page, 'href="#temps"' in page
    (True, True)
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    contents = _add_anchors(tokens, labels)
    _mark_examples(tokens)
    renderer = _Renderer(labels)
    body = Markup(renderer.render(tokens, markdown.options, {}))
    title = next((name for level, name, *_ in contents if level == 1), "Annotation guidelines")
    return render_page("guidelines.html", title, lang=lang, body=body, contents=[one for one in contents if one[0] in (2, 3)])


def print_guidelines(page: str, target: Path) -> None:
    """Print a page with an installed browser, which needs no network for it."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise UsageError("a PDF is printed by Chromium or Chrome, and none is installed; open the HTML page and print that")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "guidelines.html"
        source.write_text(page, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--disable-background-networking",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),  # root has no sandbox
            f"--user-data-dir={folder}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={target.resolve()}",
            source.as_uri(),
        ]
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    if done.returncode or not target.is_file():
        raise UsageError(f"{Path(browser).name} could not print {target}; open the HTML page and print that")


class _Renderer(RendererHTML):
    """A link to a label is a mark in its colour; other links are left as they are written."""

    def __init__(self, labels: Taxonomy) -> None:
        super().__init__()
        self._labels = labels

    def link_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        label = unquote(str(tokens[index].attrGet("href") or ""))
        if label not in self._labels:
            return str(Markup("<span>"))
        next(token for token in tokens[index:] if token.type == "link_close").meta["label"] = label
        return str(Markup('<mark style="--label: {}">').format(self._labels[label].colour))

    def link_close(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        label = tokens[index].meta.get("label")
        return str(Markup("<small>{}</small></mark>").format(label)) if label else "</span>"


def _add_anchors(tokens: Sequence[Token], labels: Taxonomy) -> list[tuple[int, str, str, str]]:
    """Give headings an address, and return the contents: level, words, address, colour."""
    contents: list[tuple[int, str, str, str]] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[place + 1].content
            plain, taken = re.sub(r"[^\w]+", "-", words.lower()).strip("-") or "section", {one[2] for one in contents}
            numbered = (plain, *(f"{plain}-{number}" for number in range(2, 99)))
            address = next(name for name in numbered if name not in taken)
            token.attrSet("id", address)
            name = label_of_heading(words, labels)
            members = [label for label in labels.labels.values() if label.category == words.strip()]
            colour = labels[name].colour if name else members[0].colour if members else ""
            if colour:
                token.attrSet("style", f"--label: {colour}")
                token.attrSet("class", "label")
            contents.append((int(token.tag[1:]), words, address, colour))
    return contents


def _mark_examples(tokens: Sequence[Token]) -> None:
    """Items that begin with ✓ or ✗ are examples."""
    for place, token in enumerate(tokens):
        if token.type != "list_item_open":
            continue
        inline = next(one for one in tokens[place:] if one.type in ("inline", "list_item_close"))
        first = inline.children[0] if inline.type == "inline" and inline.children else None
        if first is not None and (found := _EXAMPLE.match(first.content)):
            token.attrSet("class", "right" if found[1] == "✓" else "wrong")
