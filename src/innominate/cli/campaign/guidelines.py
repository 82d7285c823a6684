"""`innominate campaign guidelines`: begin guidelines, and make a page and a PDF of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from innominate.campaign.planning.guidelines import begin_guidelines, check_guidelines
from innominate.campaign.store import open_store
from innominate.cli.campaign._shared import say_written
from innominate.cli.console import stderr
from innominate.core import UsageError
from innominate.labels import Taxonomy, taxonomy


def command(
    source: Annotated[
        str | None, typer.Argument(metavar="[FILE.md|STORE]", help="Guidelines in markdown, or the store of a campaign.")
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="What to write, by its suffix: .md, .html or .pdf. May be repeated."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--taxonomy", metavar="NAME", help="Whose labels. [dim]Default: chuv, or the store's[/]")
    ] = None,
    lang: Annotated[str, typer.Option("--lang", metavar="LANG", help="Language of the guidelines.")] = "en",
) -> None:
    """Begin the guidelines of a campaign, or make a page and a PDF of what you wrote.

    Without a source it begins them: written out for chuv in French and English, with examples from synthetic notes for others.

    [dim]innominate campaign guidelines --taxonomy chuv --lang fr -o guidelines.md[/]
    [dim]innominate campaign guidelines guidelines.md -o guidelines.html -o guidelines.pdf[/]
    """
    from innominate.report.guidelines import print_guidelines, render_guidelines

    if not output:
        raise UsageError("say what to write: -o guidelines.md, -o guidelines.html, -o guidelines.pdf")
    text, labels = _text(source, name, lang)
    for problem in check_guidelines(text, labels) if source else ():
        stderr.print(f"[yellow]note:[/] {escape(problem)}", soft_wrap=True)
    page = render_guidelines(text, labels, lang)
    for path in output:
        if path.suffix not in (".md", ".html", ".pdf"):
            raise UsageError(f"{path}: guidelines are written as .md, .html or .pdf")
        if path.suffix == ".pdf":
            print_guidelines(page, path)
        else:
            path.write_text(text if path.suffix == ".md" else page, encoding="utf-8")
        say_written(path)


def _text(source: str | None, name: str | None, lang: str) -> tuple[str, Taxonomy]:
    if source is None:
        labels = taxonomy(name or "chuv")
        return begin_guidelines(labels, lang), labels
    if source.endswith(".md"):
        try:
            return Path(source).read_text(encoding="utf-8"), taxonomy(name or "chuv")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the guidelines {source}: {type(error).__name__}") from None
    with open_store(source, time.time()) as store:
        versions = store.guidelines()
        if not versions:
            raise UsageError(f"{store.name} has no guidelines; name them in the campaign file and run: campaign update")
        return versions[-1].text, taxonomy(name or store.campaign().taxonomy)
