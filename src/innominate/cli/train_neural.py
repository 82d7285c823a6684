"""`innominate train KIND` for the neural kinds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import Document
from innominate.detect.models.cards import load_card
from innominate.detect.models.named import warn_if_useless
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.settings import Watch
from innominate.formats import read_documents
from innominate.report.charts import draw_training

SAYS = {
    "bilstm": "Train the BiLSTM of the Swiss-French thesis: words alone, softmax; --set layers=2 for two layers.",
    "bilstm-crf": "Train a BiLSTM with characters, shapes and a CRF.",
    "cvt": "Train by cross-view training: also from notes without annotations, given by --unlabelled.",
    "flair": "Train a BiLSTM-CRF that reads through character language models, given by --language-model.",
    "flair-cvt": "Train by cross-view training on top of character language models.",
}


def add_to(app: typer.Typer) -> None:
    """Add one command per kind."""
    for kind, says in SAYS.items():
        app.command(kind, no_args_is_help=True, help=says)(_command(kind))


def _command(kind: str) -> Callable[..., None]:
    def command(
        train: o.TrainingNotes,
        dev: Annotated[str, typer.Option("--dev", metavar="SOURCE", help="Annotated notes that say when to stop.")],
        output: o.ModelFolder,
        unlabelled: Annotated[
            str | None, typer.Option("--unlabelled", metavar="SOURCE", help="Notes without annotations, for cvt.")
        ] = None,
        language_model: Annotated[
            Path | None, typer.Option("--language-model", metavar="FOLDER", help="What `train charlm` wrote, for flair.")
        ] = None,
        word_lm: Annotated[
            Path | None, typer.Option("--word-lm", metavar="FOLDER", help="What `train wordlm` or `train borrow` wrote.")
        ] = None,
        parts_of_speech: Annotated[
            str,
            typer.Option("--parts-of-speech", metavar="PIPELINE|FILE.tsv", help="Of a spaCy pipeline, or of a word list."),
        ] = "",
        vectors: Annotated[
            Path | None, typer.Option("--vectors", metavar="FILE", help="Word vectors in the text form of GloVe or fastText.")
        ] = None,
        setting: Annotated[
            list[str] | None,
            typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=200, epochs=30. May be repeated."),
        ] = None,
        rare: Annotated[int, typer.Option("--rare", min=0, help="Leave out labels with fewer mentions.")] = 0,
        seed: o.WeightsSeed = 1,
        format: o.FormatName = None,
        option: o.FormatOptions = None,
    ) -> None:
        reading = {"format": format, **o.key_values(option)}
        notes, held_out, more = (
            list(read_documents(source, **reading)) if source else [] for source in (train, dev, unlabelled)
        )
        network = NeuralDetector(output, kind=kind, parameters=o.key_values(setting))
        beside = {"language_model": language_model, "word_lm": word_lm, "parts_of_speech": parts_of_speech}
        _train(network, notes, held_out, seed=seed, unlabelled=more, vectors=vectors, rare=rare, **beside)

    return command


def _train(network: NeuralDetector, notes: Sequence[Document], dev: Sequence[Document], *, seed: int, **about: Any) -> None:
    recipe, falls = network.settings(seed).recipe, [0.0]
    with counting("epochs", recipe.epochs) as tick:

        def epoch(scores: Mapping[str, float]) -> None:
            stderr.print(f"epoch {scores['epoch']}: loss {scores['loss']:.4f}, dev F1 {scores['ner']:.4f}", highlight=False)
            tick(None)

        network.fit(notes, dev, seed=seed, watch=Watch(epoch, falls.append), **about)
    folder = network.folder
    history, card = json.loads((folder / "training.json").read_text(encoding="utf-8")), load_card(folder)["card"]
    (folder / "training.svg").write_text(draw_training(history), encoding="utf-8")
    stderr.print(
        f"[bold]{len(notes)}[/] notes learned in {card['seconds']:.0f} s; dev F1 {card['dev_ner_f1']:.4f}; eight-bit weights "
        f"cost {100 * falls[-1]:.2f} points"
    )
    if not warn_if_useless(card["dev_ner_f1"], str(folder)):
        stderr.print(f"Use it: innominate detect NOTES --detector {folder} -o spans.jsonl", soft_wrap=True)
