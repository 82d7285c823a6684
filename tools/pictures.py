"""Draw the pictures of the README and the docs anew: .venv/bin/python tools/pictures.py  (needs chromium)

Pictures are drawn from what the program gives, never by hand; tests/test_pictures.py fails when one is out of date or shows
an identifier where it should be concealed.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from markupsafe import Markup
from rich.console import Console

import innominate
from innominate.conceal.keys import HEADER
from innominate.conceal.policy.explain import explain_policy
from innominate.conceal.policy.policy import load_policy
from innominate.core import Document, marked
from innominate.formats import read_documents
from innominate.report.policy import tabulate_policy
from innominate.report.preview import render_preview
from innominate.report.terminal import colour_spans, count_labels
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SAMPLES = ROOT / "samples"
Pair = tuple[Document, Document]  # a note before and after

TERMINAL = ("fr/note_infirmiere",)
PAGE = ("fr/lettre_de_sortie", "en/telephone_note", "sv/epikris")
PSEUDONYMS = "fr/lettre_de_sortie"
NOTEBOOK = ["import innominate", 'nlp = innominate.load("fr", policy="pseudo", key="project.key")', "nlp(note)"]


def pairs(names: tuple[str, ...], **choices: Any) -> list[Pair]:
    """Sample notes as they are found and concealed."""
    pipeline = Pipeline(Settings(**choices))
    notes = (next(read_documents(SAMPLES / f"{name}.txt")) for name in names)
    seen = [pipeline.detect(note) for note in notes]
    return [(note, pipeline.conceal(note)) for note in seen]


def terminal_picture(shown: Pair, command: str, *, labels: bool = True) -> str:
    """One note in the terminal, before and after."""
    before, after = shown
    console = Console(record=True, width=118, force_terminal=True, file=io.StringIO())
    console.print(f"[bold green]$[/] [bold]innominate {command}[/]\n")
    console.print(colour_spans(before, labels=labels))
    console.rule("concealed", style="dim")
    console.print(colour_spans(after, labels=False))
    console.print(count_labels(before.spans))
    return console.export_svg(title="innominate")


def policy_picture() -> str:
    """A policy in plain words."""
    console = Console(record=True, width=150, force_terminal=True, file=io.StringIO())
    console.print("[bold green]$[/] [bold]innominate policy explain swiss-research --lang fr[/]\n")
    console.print(tabulate_policy(explain_policy(load_policy("swiss-research"), "fr")))
    return console.export_svg(title="innominate")


@contextlib.contextmanager
def a_key() -> Iterator[Path]:
    """A key that is not secret, in a folder that is then the current one."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "project.key"
        key.write_text(f"{HEADER}\n{bytes(range(32)).hex()}\n", encoding="ascii")
        os.chdir(folder)
        try:
            yield key
        finally:
            os.chdir(before)


def notebook_result() -> innominate.Deidentified:
    """What the last line of the notebook gives: the lines are run as they are shown."""
    names: dict[str, Any] = {"note": next(read_documents(SAMPLES / f"{PSEUDONYMS}.txt")).text}
    with a_key():
        for line in NOTEBOOK[:-1]:
            exec(line, names)
        result = eval(NOTEBOOK[-1], names)
    assert isinstance(result, innominate.Deidentified)
    return result


def notebook_page(result: innominate.Deidentified) -> str:
    """A cell of a notebook with what it gives, as a browser shows it."""
    style = (
        "body{margin:0;background:#fff}main{width:900px;padding:14px;font:13px/1.5 system-ui,sans-serif}"
        ".row{display:flex;gap:10px;margin-bottom:8px}.row>b{width:48px;flex:none;text-align:right;font:12px/2 monospace}"
        ".in>b{color:#307fc1}.out>b{color:#bf5b3d}"
        "pre{margin:0;flex:1;background:#f7f7f7;border:1px solid #e0e0e0;padding:6px 10px;font:13px/1.5 monospace}"
    )
    code, shown = "\n".join(NOTEBOOK), Markup(result._repr_html_())
    rows = Markup('<div class="row in"><b>[1]:</b><pre>{}</pre></div><div class="row out"><b>[1]:</b><div>{}</div></div>')
    return f'<!doctype html><meta charset="utf-8"><style>{style}</style><main>{rows.format(code, shown)}</main>'


def photograph(html: str, told: str, *, what: str, width: int, height: int) -> bytes:
    """A part of a page as a browser shows it; `told` is kept in the file, to see later whether it is out of date."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "page.html"
        page.write_text(html, encoding="utf-8")
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        tab = browser.new_page(viewport={"width": width, "height": height})
        tab.goto(page.as_uri())
        picture = tab.locator(what).first.screenshot() if what else tab.screenshot()
        browser.close()
    return with_comment(picture, told)


_HEAD = 33  # bytes of a PNG up to the end of its first chunk


def with_comment(picture: bytes, comment: str) -> bytes:
    """A PNG with a text in it that is not shown."""
    chunk = b"tEXt" + b"Comment\0" + comment.encode("latin-1")
    return picture[:_HEAD] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + picture[_HEAD:]


def comment_of(picture: bytes) -> str:
    """The text in a PNG that `with_comment` wrote."""
    (length,) = struct.unpack(">I", picture[_HEAD : _HEAD + 4])
    return picture[_HEAD + 8 : _HEAD + 8 + length].removeprefix(b"Comment\0").decode("latin-1")


def mark_of(shown: list[Pair]) -> str:
    """What a picture shows, as a number: another one is another picture."""
    return f"{zlib.crc32(repr([(marked(before), after.text) for before, after in shown]).encode()):08x}"


def terminal() -> bytes:
    """The first picture of the README."""
    (shown,) = pairs(TERMINAL)
    return terminal_picture(shown, f"preview samples/{TERMINAL[0]}.txt").encode()


def preview() -> bytes:
    """The second: notes of several languages as a page."""
    shown = pairs(PAGE)
    return photograph(render_preview([*shown], "Innominate preview"), mark_of(shown), what="", width=1280, height=900)


def pseudonyms() -> bytes:
    """One note with pseudonyms."""
    name = PSEUDONYMS
    with a_key() as key:
        (shown,) = pairs((name,), detector="rules", policy="pseudo", key=str(key))
    command = f"preview samples/{name}.txt --detector rules --policy pseudo --key project.key"
    return terminal_picture(shown, command, labels=False).encode()


def notebook() -> bytes:
    """What a notebook shows."""
    result = notebook_result()
    told = mark_of([(result.original, Document(result.id, result.text))])
    return photograph(notebook_page(result), told, what="main", width=1000, height=800)


PICTURES: dict[str, Callable[[], bytes]] = {
    "terminal.svg": terminal,
    "preview.png": preview,
    "pseudonyms.svg": pseudonyms,
    "policy.svg": lambda: policy_picture().encode(),
    "notebook.png": notebook,
}


if __name__ == "__main__":
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (IMAGES / name).write_bytes(draw())
        print(IMAGES / name)
