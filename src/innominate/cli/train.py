"""`innominate train`: learn a detector from annotated notes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from innominate.cli import options as o
from innominate.cli import train_contextual, train_ensemble, train_neural
from innominate.cli.console import stderr, stdout
from innominate.cli.counting import counting
from innominate.core import UsageError
from innominate.detect.models.named import warn_if_useless
from innominate.formats import read_annotated
from innominate.text.language import common_language

if TYPE_CHECKING:
    from innominate.detect.crf.model import CrfModel
    from innominate.detect.crf.search import Search
    from innominate.detect.crf.training import Fold, Lessons

app = typer.Typer(no_args_is_help=True, help="Train a detector on annotated notes.", rich_markup_mode="rich")


@app.callback()
def _group() -> None:
    """Train a detector on annotated notes; each kind of model is a command."""


@app.command("crf", no_args_is_help=True)
def crf(
    train: o.TrainingNotes,
    output: o.ModelFolder,
    dev: Annotated[str | None, typer.Option("--dev", metavar="SOURCE", help="Annotated notes to score the model on.")] = None,
    lang: o.Lang = None,
    taxonomy_name: Annotated[
        str | None, typer.Option("--taxonomy", metavar="NAME", help="Of the labels. [dim]Default: that of the language[/]")
    ] = None,
    features: Annotated[
        str,
        typer.Option("--features", metavar="+A,-B", help="Features to add (section, context) or to leave out: -rule,-list."),
    ] = "",
    parameter: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Parameter of CRFsuite: c1=0.1, max_iterations=50. May be repeated."),
    ] = None,
    search: Annotated[int, typer.Option("--search", min=0, metavar="N", help="Trials of a random search.")] = 0,
    folds: Annotated[int, typer.Option("--folds", min=0, metavar="K", help="Cross-validate in K folds first.")] = 0,
    group: Annotated[
        str, typer.Option("--group", metavar="KEY", help="Metadata that folds keep together: patient, unit; id: each note.")
    ] = "id",
    leave_one_out: Annotated[
        bool, typer.Option("--leave-one-out", help="Cross-validate with each group left out once, such as each unit.")
    ] = False,
    workers: o.Workers = None,
    seed: Annotated[int, typer.Option("--seed", help="Of folds and search; same seed, same model bytes.")] = 0,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Train a conditional random field.

    [dim]innominate train crf --train notes/train --dev notes/dev -o model --lang es[/]
    """
    from innominate.detect.crf.detector import CrfDetector
    from innominate.detect.crf.features import Features
    from innominate.detect.crf.search import Search
    from innominate.detect.crf.training import PARAMETERS

    reading = {"format": format, **o.key_values(option)}
    notes = read_annotated(train, **reading)
    held_out = read_annotated(dev, **reading) if dev else []
    spoken = lang if lang and lang != "auto" else common_language(notes)
    detector = CrfDetector(
        spoken, features=_features(Features(spoken), features), parameters={**PARAMETERS, **_parameters(parameter)}
    )
    with counting("notes", len(notes)) as tick:
        lessons = detector.lessons(notes, taxonomy=taxonomy_name or "", source=train, tick=tick)
    if search or folds or leave_one_out:
        parts = lessons.each_left_out(group) if leave_one_out else lessons.folds(group, folds or 3, seed)
        if search:
            trials = Search(output / "trials.jsonl", lessons.examples, list(parts.values()), lessons.features, seed=seed)
            detector = replace(detector, parameters=_search(trials, search, workers))
        else:
            _cross_validate(lessons, parts, detector.parameters)
    with counting("training", int(detector.parameters["max_iterations"])) as tick:
        model = lessons.learn(detector.parameters, held_out, seed=seed, progress=lambda iteration: tick(None))
    model.save(output)
    if held_out:
        _print_scores(model.log["scores"], len(held_out))
    _say_learned(output, len(notes), model)


def _say_learned(output: Path, notes: int, model: CrfModel) -> None:
    size = sum(path.stat().st_size for path in output.iterdir() if path.suffix in {".txt", ".safetensors", ".toml"})
    seconds, weights = model.log["time"]["seconds"], len(model.tagger.weights.values)
    stderr.print(
        f"[bold]{notes}[/] notes learned in {seconds:.0f} s: {weights:,} weights, {size / 1e6:.1f} MB in [cyan]{output}[/]"
    )
    if not warn_if_useless(model.dev_f1, str(output)):
        stderr.print(f"Next: innominate tune {output} --dev NOTES", soft_wrap=True)


def _features(features: Any, changes: str) -> Any:
    for change in filter(None, changes.split(",")):
        if change[0] not in "+-":
            raise UsageError(f"--features is written +NAME or -NAME, with commas between, not {change!r}")
        features = features.also([change[1:]]) if change[0] == "+" else features.also([change[1:]]).without([change[1:]])
    return features


def _parameters(pairs: list[str] | None) -> dict[str, Any]:
    from innominate.study.learning_curve import read_number

    return {key: read_number(value) for key, _, value in (pair.partition("=") for pair in pairs or [])}


def _cross_validate(lessons: Lessons, parts: Mapping[str, Fold], parameters: Mapping[str, Any]) -> None:
    from innominate.detect.crf.training import TrialOutcome

    with counting("folds", len(parts)) as tick:
        rows = [tick(row) for row in lessons.cross_validate(parts, parameters)]
    rows.append(("all", sum(count for _, count, _ in rows), sum((found for _, _, found in rows), TrialOutcome())))
    table = _table("Held out", "notes", *rows[0][2].as_dict())
    for name, count, found in rows:
        table.add_row(name, str(count), *(f"{value:.4f}" for value in found.as_dict().values()))
    stdout.print(table)


def _search(trials: Search, count: int, workers: int | None) -> dict[str, Any]:
    """Run the trials that are missing, show the best, and give back the parameters of the first."""
    with counting("trials", count, done=len(trials.done)) as tick:
        for row in trials.run(count, workers or os.cpu_count() or 1):
            tick(row)
    ranked = trials.rank_trials()
    table = _table("Trial", "span F1", "token P", "token R")
    table.add_column("parameters")
    for row in ranked[:10]:
        scores = (f"{row[key]:.4f}" for key in ("span_f1", "token_precision", "token_recall"))
        drawn = ", ".join(f"{name.removeprefix('feature.')} {value}" for name, value in row["parameters"].items())
        table.add_row(str(row["trial"]), *scores, drawn)
    stdout.print(table)
    stderr.print(f"the best of {len(ranked)} trials is used; all of them are in [cyan]{trials.path}[/]")
    return dict(ranked[0]["parameters"])


def _print_scores(scores: Mapping[str, float], notes: int) -> None:
    table = _table("On --dev", *scores)
    table.add_row(f"{notes} notes", *(f"{value:.4f}" for value in scores.values()))
    stdout.print(table)


def _table(*heading: str) -> Table:
    table = Table(box=None)
    for index, name in enumerate(heading):
        table.add_column(name.replace("_", " "), justify="right" if index else "left")
    return table


train_contextual.add_to(app)
train_neural.add_to(app)
train_ensemble.add_to(app)
