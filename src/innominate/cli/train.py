"""`innominate train`: learn a detector from annotated notes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from innominate.cli import options as o
from innominate.cli import train_borrow, train_ensemble, train_language_models, train_neural
from innominate.cli.console import stderr, stdout
from innominate.cli.counting import counting
from innominate.core import Document, UsageError
from innominate.formats import read_documents
from innominate.labels import for_language, taxonomy
from innominate.text.language import recognise

app = typer.Typer(no_args_is_help=True, help="Train a detector on annotated notes.", rich_markup_mode="rich")


@app.callback()
def _group() -> None:
    """Train a detector on annotated notes; each kind of model is a command."""


@app.command("crf", no_args_is_help=True)
def crf(
    train: Annotated[str, typer.Option("--train", metavar="SOURCE", help="Annotated notes to learn from.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the model.")],
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
    from innominate.detect.crf.features import Features
    from innominate.detect.crf.training import PARAMETERS, Clock, card_of, corpus_facts, prepare, save, write_log
    from innominate.detect.crf.training import train as learn

    clock = Clock()
    notes = _notes(train, format, option)
    spoken = lang if lang and lang != "auto" else language_of(notes)
    labels = taxonomy(taxonomy_name) if taxonomy_name else for_language(spoken)
    _check_labels(notes, labels.name, labels.labels)
    chosen = _features(Features(spoken), features)
    parameters = {**PARAMETERS, **_parameters(parameter)}
    with counting("notes", len(notes)) as tick:
        examples = [tick(example) for example in prepare(notes, chosen)]
    if search or folds or leave_one_out:
        parts = _parts(notes, group, folds or 3, leave_one_out, seed)
        if search:
            parameters = _search(output / "trials.jsonl", examples, list(parts.values()), chosen, seed, search, workers)
        else:
            _cross_validate(examples, parts, chosen, parameters)
    with counting("training", int(parameters["max_iterations"])) as tick:
        weights = learn(examples, chosen, parameters, progress=lambda iteration: tick(None))
    facts = {"corpus": corpus_facts(notes, train), "parameters": parameters, "seed": seed}
    save(output, card_of(weights, chosen, taxonomy=labels.name, **facts), weights)
    write_log(output, clock, _scored(weights, chosen, _notes(dev, format, option)) if dev else {})
    _say_learned(output, len(notes), clock.as_dict()["seconds"], len(weights.values))


def _say_learned(output: Path, notes: int, seconds: float, weights: int) -> None:
    size = sum(path.stat().st_size for path in output.iterdir() if path.suffix in {".txt", ".safetensors", ".toml"})
    stderr.print(
        f"[bold]{notes}[/] notes learned in {seconds:.0f} s: {weights:,} weights, "
        f"{size / 1e6:.1f} MB in [cyan]{output}[/]. Next: innominate tune {output} --dev NOTES"
    )


def _notes(source: str, format: str | None, option: list[str] | None) -> list[Document]:
    notes = list(read_documents(source, format=format, **o.key_values(option)))
    if not any(note.spans for note in notes):
        raise UsageError(f"{source}: no note here has an annotated span, so there is nothing to learn from")
    return notes


def language_of(notes: list[Document]) -> str:
    """The one language of all notes: as they declare it, or as they look."""
    declared = {str(note.meta["lang"]) for note in notes if note.meta.get("lang")}
    found = declared or {recognise(note.text) for note in notes[:50]}
    if len(found) > 1:
        raise UsageError(f"the notes are in several languages ({', '.join(sorted(found))}); say which with --lang")
    return found.pop()


def _check_labels(notes: list[Document], name: str, known: Any) -> None:
    unknown = sorted({span.label for note in notes for span in note.spans} - set(known))
    if unknown:
        raise UsageError(f"labels that taxonomy {name!r} does not have: {', '.join(unknown)}; name another with --taxonomy")


def _features(features: Any, changes: str) -> Any:
    for change in filter(None, changes.split(",")):
        if change[0] not in "+-":
            raise UsageError(f"--features is written +NAME or -NAME, with commas between, not {change!r}")
        features = features.also([change[1:]]) if change[0] == "+" else features.also([change[1:]]).without([change[1:]])
    return features


def _parameters(pairs: list[str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in ((key, value) for key, _, value in (pair.partition("=") for pair in pairs or [])):
        try:
            found[key] = {"true": True, "false": False}.get(
                value.lower(), float(value) if "." in value or "e" in value else int(value)
            )
        except ValueError:
            found[key] = value
    return found


def _parts(notes: list[Document], group: str, folds: int, leave_one_out: bool, seed: int) -> dict[str, Any]:
    from innominate.detect.crf.folds import grouped
    from innominate.detect.crf.folds import leave_one_out as each

    if leave_one_out:
        return dict(each(notes, group))
    return {f"fold {number}": fold for number, fold in enumerate(grouped(notes, group, folds, seed), start=1)}


def _cross_validate(examples: Any, parts: dict[str, Any], features: Any, parameters: dict[str, Any]) -> None:
    from innominate.detect.crf.trial import Outcome, try_fold

    rows, total = [], Outcome()
    with counting("folds", len(parts)) as tick:
        for name, fold in parts.items():
            found = tick(try_fold(examples, fold, features, parameters))
            total += found
            rows.append((name, len(fold[1]), found.as_dict()))
    rows.append(("all", sum(count for _, count, _ in rows), total.as_dict()))
    table = _table("Held out", "notes", *rows[0][2])
    for name, count, scores in rows:
        table.add_row(name, str(count), *(f"{value:.4f}" for value in scores.values()))
    stdout.print(table)


def _search(
    path: Path, examples: Any, folds: Any, features: Any, seed: int, count: int, workers: int | None
) -> dict[str, Any]:
    from innominate.detect.crf.search import Search

    found = Search(path, examples, folds, features, seed)
    with counting("trials", count, done=len(found.done)) as tick:
        for row in found.run(count, workers or os.cpu_count() or 1):
            tick(row)
    ranked = found.ranked()
    table = _table("Trial", "span F1", "token P", "token R")
    table.add_column("parameters")
    for row in ranked[:10]:
        scores = (f"{row[key]:.4f}" for key in ("span_f1", "token_precision", "token_recall"))
        drawn = ", ".join(f"{name.removeprefix('feature.')} {value}" for name, value in row["parameters"].items())
        table.add_row(str(row["trial"]), *scores, drawn)
    stdout.print(table)
    stderr.print(f"the best of {len(ranked)} trials is used; all of them are in [cyan]{path}[/]")
    return dict(ranked[0]["parameters"])


def _scored(weights: Any, features: Any, notes: list[Document]) -> dict[str, float]:
    from innominate.detect.crf.training import prepare
    from innominate.detect.crf.trial import measure

    scores = measure(weights, features, list(prepare(notes, features))).as_dict()
    table = _table("On --dev", *scores)
    table.add_row(f"{len(notes)} notes", *(f"{value:.4f}" for value in scores.values()))
    stdout.print(table)
    return scores


def _table(*heading: str) -> Table:
    table = Table(box=None)
    for index, name in enumerate(heading):
        table.add_column(name.replace("_", " "), justify="right" if index else "left")
    return table


train_neural.add_to(app)
train_language_models.add_to(app)
train_borrow.add_to(app)
train_ensemble.add_to(app)
