"""`innominate train ensemble` and `train hybrid`: several detectors as one model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.cli.counting import counting
from innominate.cli.language_codes import CODES
from innominate.core import Document, UsageError
from innominate.detect.models.named import dev_f1, warn_if_useless
from innominate.formats import read_annotated

Copy = Annotated[bool, typer.Option("--copy", help="Copy the models into the folder, so that it can be moved alone.")]


def add_to(app: typer.Typer) -> None:
    """Add the two commands."""
    app.command("ensemble", no_args_is_help=True)(ensemble)
    app.command("hybrid", no_args_is_help=True)(hybrid)


def ensemble(
    members: Annotated[
        list[str], typer.Argument(metavar="MODEL...", help="Folders of models, other ensembles too, or [bold]rules[/].")
    ],
    output: o.ModelFolder,
    how: Annotated[
        str, typer.Option("--how", metavar="union|majority|weighted|average", help="How the models are put together.")
    ] = "union",
    dev: Annotated[
        str | None,
        typer.Option("--dev", metavar="SOURCE", help="Annotated notes no member has learned from: for weights and figures."),
    ] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar=CODES, help="Language, if no card of a member says it.")
    ] = None,
    copy: Copy = False,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Put several models together into one, which is used like any other.

    [dim]innominate train ensemble models/crf models/network -o models/both --how union --dev notes/dev[/]
    """
    from innominate.detect.combine.ensemble.build import build, check_members
    from innominate.detect.crf.training import as_seen

    notes = [as_seen(note) for note in read_annotated(dev, format=format, **o.key_values(option))] if dev else []
    check_members(how, members, notes)
    with counting("notes", len(notes)) as tick:
        measured = build(members, how, output, lang=lang or "", dev=notes, copy=copy, tick=tick)
    if measured:
        _print(measured, notes)
    _say_written(output)


def _say_written(output: Path) -> None:
    stderr.print(f"wrote [cyan]{output}[/]", soft_wrap=True)
    if not warn_if_useless(dev_f1(output), str(output)):
        stderr.print(f"Use it: innominate detect NOTES --detector {output} -o OUT", soft_wrap=True)


def _print(measured: Any, notes: list[Document]) -> None:
    from innominate.evaluate.release import share_hidden

    table = Table("on --dev", "P", "R", "F1", "identifiers hidden", box=None)
    for name, score in measured.scores.items():
        found = zip(notes, measured.found[name], strict=True)
        hidden = share_hidden((note, note.with_spans(tuple(spans))) for note, spans in found)
        table.add_row(name, *(f"{value:.4f}" for value in (score.precision, score.recall, score.f(), hidden)))
    stdout.print(table)
    if "weighted" in measured.scores:
        stderr.print("weighted: each half of the notes with the weights of the other half")


def hybrid(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Folder of the model that takes the rest.")],
    output: o.ModelFolder,
    rules_score: Annotated[
        Path | None,
        typer.Option(
            "--rules-score", metavar="EVAL.json", help="Scores of the rules, from [bold]innominate evaluate --json[/]."
        ),
    ] = None,
    over: Annotated[float, typer.Option("--over", min=0, max=1, help="The F1 from which on rules keep a label.")] = 0.9,
    system: Annotated[
        str, typer.Option("--system", help="The rules among the systems of the file. [dim]Default: the first[/]")
    ] = "",
    labels: Annotated[str | None, typer.Option("--labels", metavar="A,B", help="Labels the rules keep, instead.")] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar=CODES, help="Language, if the card of the model does not say it.")
    ] = None,
    copy: Copy = False,
) -> None:
    """Let the rules keep the labels they are good at, and a model take the rest.

    [dim]innominate train hybrid models/network --rules-score rules.json -o models/hybrid --lang fr[/]
    """
    from innominate.detect.combine.ensemble.build import build_hybrid
    from innominate.detect.combine.hybrid import f1_by_label, good_labels

    if (rules_score is None) == (labels is None):
        raise UsageError("say what the rules keep: by their scores with --rules-score EVAL.json, or by --labels A,B")
    kept = good_labels(f1_by_label(rules_score, system), over) if rules_score else dict.fromkeys(o.names(labels) or (), 1.0)
    decided = {"by": rules_score.name, "over": over, **kept} if rules_score else {"by": "--labels"}
    shares = build_hybrid(str(model), output, tuple(kept), lang=lang or "", copy=copy, decided=decided)
    stdout.print(f"rules: {', '.join(kept) or 'none'}", soft_wrap=True)
    stdout.print(f"model: {', '.join(shares.model) or 'none'}", soft_wrap=True)
    if shares.rules_alone:
        stdout.print(f"rules, because the model does not know them: {', '.join(shares.rules_alone)}", soft_wrap=True)
    _say_written(output)
