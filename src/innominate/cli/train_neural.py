"""`innominate train KIND` for the neural kinds, and for what they read through: `charlm`, `wordlm` and `borrow`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import Document, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.models.cards import load_card
from innominate.detect.models.named import warn_if_useless
from innominate.detect.neural.detector import NO_TORCH, NeuralDetector
from innominate.detect.neural.settings import Watch, change_settings
from innominate.formats import read_documents
from innominate.report.charts import draw_training

Setting = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=200, epochs=30. May be repeated.")
]
SAYS = {
    "bilstm": "Train the BiLSTM of the Swiss-French thesis: words alone, softmax; --set layers=2 for two layers.",
    "bilstm-crf": "Train a BiLSTM with characters, shapes and a CRF.",
    "cvt": "Train by cross-view training: also from notes without annotations, given by --unlabelled.",
    "flair": "Train a BiLSTM-CRF that reads through character language models, given by --language-model.",
    "flair-cvt": "Train by cross-view training on top of character language models.",
}


READERS = {
    "charlm": "Train two character language models, one that reads ahead and one backwards, on text without annotations.",
    "wordlm": "Train a language model that guesses words from those before and after them, on text without annotations.",
}


def add_to(app: typer.Typer) -> None:
    """Add one command per kind."""
    for kind, says in SAYS.items():
        app.command(kind, no_args_is_help=True, help=says)(_command(kind))
    for kind, says in READERS.items():
        app.command(kind, no_args_is_help=True, help=says)(_reader_command(kind))
    app.command("borrow", no_args_is_help=True)(borrow)


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
        setting: Setting = None,
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


def _reader_command(kind: str) -> Callable[..., None]:
    def command(
        text: Annotated[str, typer.Option("--text", metavar="SOURCE", help="Notes or any text; annotations are not read.")],
        output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the language model.")],
        before: Annotated[
            Path | None,
            typer.Option("--from", metavar="MODEL", help="Go on from one that has read something else: general text first."),
        ] = None,
        setting: Setting = None,
        seed: o.WeightsSeed = 1,
        format: o.FormatName = None,
        option: o.FormatOptions = None,
    ) -> None:
        notes = (as_seen(note) for note in read_documents(text, format=format, **o.key_values(option)))
        _train_reader(kind, notes, output, before=before, settings=o.key_values(setting), seed=seed)

    return command


def _train_reader(
    kind: str, notes: Iterator[Document], output: Path, *, before: Path | None, settings: dict[str, Any], seed: int
) -> None:
    try:
        from innominate.detect.neural.training.language_models import CharLmRecipe, WordLmRecipe, fit_charlm, fit_wordlm
    except ImportError:
        raise UsageError(NO_TORCH) from None

    by_words = kind == "wordlm"
    unit, use = ("word", "bilstm-crf --word-lm") if by_words else ("character", "flair --language-model")
    recipe: Any = change_settings(WordLmRecipe() if by_words else CharLmRecipe(), settings, seed)
    fit: Any = fit_wordlm if by_words else fit_charlm
    with counting("epochs", recipe.epochs if by_words else 2 * recipe.epochs) as tick:

        def watch(epoch: int, losses: dict[str, float]) -> None:
            said = ", ".join(f"{loss:.4f} {way}" for way, loss in losses.items())
            stderr.print(f"epoch {epoch}: {said}, nats per {unit}", highlight=False)
            tick(None)

        card = fit(recipe, notes, output, before=before, watch=watch)
    stderr.print(
        f"[bold]{card['notes']}[/] notes read; {card['loss_ahead']:.3f} and {card['loss_behind']:.3f} nats per {unit}. "
        f"Use it: innominate train {use} {output}"
    )


def borrow(
    encoder: Annotated[Path, typer.Argument(metavar="ENCODER", help="Folder with config.json, model.safetensors, vocab.txt.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="What networks read through.")],
    layers: Annotated[int, typer.Option("--layers", min=0, help="Read the last N only; fewer need less memory.")] = 0,
) -> None:
    """Make an encoder of the BERT family, which you have on your disk, ready to be read through; nothing is downloaded."""
    try:
        from innominate.detect.neural.training.borrow import borrow as take
    except ImportError:
        raise UsageError(NO_TORCH) from None

    card = take(encoder, output, layers)
    stderr.print(
        f"[bold]{card['read']}[/] layers of {card['size']} numbers, {card['words']} word pieces. "
        f"Use it: innominate train bilstm-crf --word-lm {output}"
    )
