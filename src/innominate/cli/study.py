"""`innominate study`: experiments with one command each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.cli.counting import counting
from innominate.core import UsageError
from innominate.formats import read_annotated, read_documents
from innominate.text.language import common_language

app = typer.Typer(no_args_is_help=True, help="Run an experiment.", rich_markup_mode="rich")


@app.callback()
def _group() -> None:
    """Run an experiment; each is a command."""


@app.command("learning-curve", no_args_is_help=True)
def learning_curve(
    train: Annotated[str, typer.Option("--train", metavar="SOURCE", help="Annotated notes to learn from, all or some.")],
    dev: Annotated[str, typer.Option("--dev", metavar="SOURCE", help="Annotated notes to score on.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder of the results.")],
    kinds: Annotated[
        str, typer.Option("--kinds", metavar="A,B", help="Kinds of model: adapt (the shipped one), crf, bilstm-crf, cvt ...")
    ] = "bilstm-crf,crf",
    fractions: Annotated[
        str, typer.Option("--fractions", metavar="0.1,1", help="Shares of the training notes.")
    ] = "0.1,0.25,0.5,1",
    counts: Annotated[
        str | None, typer.Option("--notes", metavar="10,100", help="Numbers of training notes, in the place of shares.")
    ] = None,
    seeds: Annotated[str, typer.Option("--seeds", metavar="1,2,3", help="Of the draw of notes and of the weights.")] = "1,2,3",
    unlabelled: Annotated[
        str | None, typer.Option("--unlabelled", metavar="SOURCE", help="More notes without annotations, for cvt.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="[KIND:]KEY=VALUE", help="Setting of all networks, or of one kind. May be repeated."),
    ] = None,
    lang: o.Lang = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the models, in FOLDER/work.")] = False,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Find out how much annotation pays: train kinds of model on growing shares of the notes, with several seeds.

    The same command goes on where it was stopped. A table, the numbers (result.json) and a page with the plot are written.

    [dim]innominate study learning-curve --train notes/train --dev notes/dev --kinds bilstm-crf,cvt -o curve[/]
    """
    from innominate.detect.crf.training import as_seen
    from innominate.study.learning_curve import CellTraining, LearningCurve, mark_of

    reading = {"format": format, **o.key_values(option)}
    notes, held_out = ([as_seen(note) for note in read_annotated(source, **reading)] for source in (train, dev))
    more = [as_seen(note) for note in read_documents(unlabelled, **reading)] if unlabelled else []
    chosen = o.names(kinds) or ()
    spoken = lang if lang and lang != "auto" else common_language(notes)
    training = CellTraining(spoken, held_out, more, _by_kind(setting), keep=keep)
    mark = mark_of(notes, held_out, more, training.lang, training.describe(chosen))
    shares = _shares(counts, len(notes)) if counts else _numbers(fractions, "--fractions")
    curve = LearningCurve(output, chosen, shares, tuple(map(int, _numbers(seeds, "--seeds"))), notes, mark)
    plan, done = curve.cells(), curve.done()
    with counting("cells", len(plan), done=len(done)) as tick:
        for cell in curve.run(training.learn):
            said = f"{cell['kind']}, {cell['notes']} notes, seed {cell['seed']}: F1 {cell['ner']['f1']:.4f}"
            stderr.print(said, highlight=False)
            tick(None)
    _report(curve.result(), output)


def _report(result: dict[str, Any], output: Path) -> None:
    from innominate.report.charts import draw_curve
    from innominate.report.models import render_curve

    table = Table("kind", "share", "notes", "seeds", "NER F1", "least - most", "span F1", box=None)
    for row in result["table"]:
        ner = row["ner"]
        spread = f"{ner['least']:.4f} - {ner['most']:.4f}"
        counts = (f"{row['fraction']:g}", str(row["notes"]), str(row["seeds"]))
        table.add_row(row["kind"], *counts, f"{ner['mean']:.4f}", spread, f"{row['span']['mean']:.4f}")
    stdout.print(table)
    (output / "learning-curve.html").write_text(render_curve(result), encoding="utf-8")
    (output / "learning-curve.svg").write_text(str(draw_curve(result, alone=True)), encoding="utf-8")
    stderr.print(f"wrote [cyan]{output / 'learning-curve.html'}[/], learning-curve.svg and result.json", soft_wrap=True)


def _shares(counts: str, notes: int) -> tuple[float, ...]:
    """Numbers of notes as shares of all."""
    numbers = _numbers(counts, "--notes")
    if max(numbers) > notes:
        raise UsageError(f"--notes asks for {max(numbers):g} notes, and there are {notes}")
    return tuple(number / notes for number in numbers)


def _numbers(text: str, option: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"{option} is a list of numbers with commas between, not {text!r}") from None


def _by_kind(settings: list[str] | None) -> dict[str, dict[str, str]]:
    """Settings by the kind they are for; without a kind they are for all networks.

    >>> _by_kind(["epochs=5", "crf:c1=0.1"])
    {'': {'epochs': '5'}, 'crf': {'c1': '0.1'}}
    """
    found: dict[str, dict[str, str]] = {}
    for setting in settings or []:
        name, sign, value = setting.partition("=")
        if not sign:
            raise UsageError(f"a setting is written KEY=VALUE or KIND:KEY=VALUE, not {setting!r}")
        kind, _, key = name.rpartition(":")
        found.setdefault(kind, {})[key] = value
    return found
