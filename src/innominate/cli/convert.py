"""`innominate convert`: from one format to another, text and spans as they are."""

from __future__ import annotations

from typing import Annotated

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.core import Document, Rejected, UsageError
from innominate.labels import LabelMapping
from innominate.labels import mapping as label_mapping
from innominate.run.convert import convert
from innominate.run.inputs import Inputs
from innominate.run.outputs import output_format
from innominate.synth.placeholders.fillings import fill_placeholders

NEEDS_ARGUMENTS = True


def command(
    sources: o.Sources,
    output: o.Output,
    to: o.To = None,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
    to_option: o.ToOptions = None,
    mapping: Annotated[
        str | None, typer.Option("--map", metavar="FROM:TO", help="Rename labels between taxonomies, such as chuv:i2b2.")
    ] = None,
    fill: Annotated[
        bool, typer.Option("--fill-placeholders", help="Write surrogates for the placeholders of MIMIC, [**Name**] and ___.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the surrogates: the same seed, the same text.")] = 0,
) -> None:
    """Convert annotated documents between formats.

    [dim]innominate convert corpus/ -o corpus.jsonl[/]    [dim]innominate convert notes.jsonl -o brat/ --to brat[/]
    """
    inputs = Inputs(tuple(sources), format, o.key_values(option))
    rename = _mapping(mapping)
    left_out: list[Rejected] = []

    def change(document: Document) -> Document:
        document = fill_placeholders(document, seed=seed) if fill else document
        return document.with_spans(rename.apply(document.spans)) if rename else document

    def rejected(item: Rejected) -> None:
        left_out.append(item)
        stderr.print(f"[red]not converted:[/] {item}", soft_wrap=True)

    chosen = output_format(output, to, inputs, o.key_values(to_option))
    written = convert(inputs, output, chosen, change=change, rejected=rejected)
    stderr.print(f"[bold]{written}[/] documents written to [cyan]{output}[/], {len(left_out)} not converted")
    raise typer.Exit(1 if left_out else 0)


def _mapping(pair: str | None) -> LabelMapping | None:
    if pair is None:
        return None
    source, colon, target = pair.partition(":")
    if not colon:
        raise UsageError(f"--map is written FROM:TO, such as chuv:i2b2, not {pair!r}")
    return label_mapping(source, target)
