"""Draw the pictures of the README anew: .venv/bin/python tools/pictures.py  (needs chromium)"""

import io
import subprocess
import tempfile
from pathlib import Path

from rich.console import Console

from innominate.conceal.explain import explain
from innominate.conceal.keys import HEADER
from innominate.conceal.policy_files import policy
from innominate.formats import read_documents
from innominate.report.page import preview_page
from innominate.report.policy import policy_table
from innominate.report.terminal import coloured, legend
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings

IMAGES = Path("docs/images")
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars"]


def terminal() -> None:
    """One note in the terminal, before and after."""
    pipeline = Pipeline(Settings())
    seen = pipeline.detect(next(read_documents("samples/fr/note_infirmiere.txt")))
    console = Console(record=True, width=118, force_terminal=True, file=io.StringIO())
    console.print("[bold green]$[/] [bold]innominate preview samples/fr/note_infirmiere.txt[/]\n")
    console.print(coloured(seen))
    console.rule("concealed", style="dim")
    console.print(coloured(pipeline.conceal(seen), labels=False))
    console.print(legend(seen.spans))
    (IMAGES / "terminal.svg").write_text(console.export_svg(title="innominate"), encoding="utf-8")


def page() -> None:
    """Notes of several languages as a page."""
    pipeline = Pipeline(Settings())
    sources = ["samples/fr/lettre_de_sortie.txt", "samples/en/telephone_note.txt", "samples/sv/epikris.txt"]
    seen = [pipeline.detect(document) for source in sources for document in read_documents(source)]
    with tempfile.TemporaryDirectory() as folder:
        html = Path(folder) / "preview.html"
        html.write_text(
            preview_page([(note, pipeline.conceal(note)) for note in seen], "Innominate preview"), encoding="utf-8"
        )
        shot = f"--screenshot={IMAGES / 'preview.png'}"
        subprocess.run([*CHROMIUM, "--window-size=1280,900", shot, html.as_uri()], check=True, stderr=subprocess.DEVNULL)


def pseudonyms() -> None:
    """One note with pseudonyms; the key is not secret."""
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "project.key"
        key.write_text(f"{HEADER}\n{bytes(range(32)).hex()}\n", encoding="ascii")
        pipeline = Pipeline(Settings(detector="rules", policy="pseudo", key=str(key)))
        seen = pipeline.detect(next(read_documents("samples/fr/lettre_de_sortie.txt")))
        concealed = pipeline.conceal(seen)
    console = Console(record=True, width=118, force_terminal=True, file=io.StringIO())
    shown = "innominate preview samples/fr/lettre_de_sortie.txt --detector rules --policy pseudo --key project.key"
    console.print(f"[bold green]$[/] [bold]{shown}[/]\n")
    console.print(coloured(seen, labels=False))
    console.rule("concealed", style="dim")
    console.print(coloured(concealed, labels=False))
    console.print(legend(seen.spans))
    (IMAGES / "pseudonyms.svg").write_text(console.export_svg(title="innominate"), encoding="utf-8")


def explained_policy() -> None:
    """A policy in plain words."""
    console = Console(record=True, width=150, force_terminal=True, file=io.StringIO())
    console.print("[bold green]$[/] [bold]innominate policy explain swiss-research --lang fr[/]\n")
    console.print(policy_table(explain(policy("swiss-research"), "fr")))
    (IMAGES / "policy.svg").write_text(console.export_svg(title="innominate"), encoding="utf-8")


if __name__ == "__main__":
    IMAGES.mkdir(parents=True, exist_ok=True)
    terminal()
    page()
    pseudonyms()
    explained_policy()
