"""`innominate train KIND` for the neural kinds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import Document, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.neural.settings import Settings, of_kind
from innominate.formats import read_documents
from innominate.labels import with_labels
from innominate.report.training import training_chart
from innominate.text.language import recognise

NO_TORCH = "training neural models needs torch: pip install 'innominate[train]'"

SAYS = {
    "bilstm": "Train the BiLSTM of the Swiss-French thesis: words alone, softmax; --set layers=2 for two layers.",
    "bilstm-crf": "Train a BiLSTM with characters, shapes and a CRF.",
    "cvt": "Train by cross-view training: also from notes without annotations, given by --unlabelled.",
    "flair": "Train a BiLSTM-CRF that reads through character language models, given by --language-model.",
    "flair-cvt": "Train by cross-view training on top of character language models.",
    "encoder": "Train a small transformer with a CRF; --set pretrain=50 lets it guess hidden words first.",
}


def add_to(app: typer.Typer) -> None:
    """Add one command per kind."""
    for kind, says in SAYS.items():
        app.command(kind, no_args_is_help=True, help=says)(_command(kind))


def _command(kind: str) -> Callable[..., None]:
    def command(
        train: Annotated[str, typer.Option("--train", metavar="SOURCE", help="Annotated notes to learn from.")],
        dev: Annotated[str, typer.Option("--dev", metavar="SOURCE", help="Annotated notes that say when to stop.")],
        output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the model.")],
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
        seed: Annotated[int, typer.Option("--seed", help="Same seed, same weights on a CPU.")] = 1,
        format: o.FormatName = None,
        option: o.FormatOptions = None,
    ) -> None:
        chosen = _settings(kind, o.key_values(setting), seed)
        reading = {"format": format, **o.key_values(option)}
        notes = [
            [as_seen(note) for note in read_documents(source, **reading)] if source else []
            for source in (train, dev, unlabelled)
        ]
        more = {"rare": rare, "language_model": language_model, "vectors": vectors, "about": _about(notes[0])}
        _train(chosen, notes, output, {**more, "word_lm": word_lm, "parts_of_speech": parts_of_speech})

    return command


def _about(notes: Sequence[Document]) -> dict[str, str]:
    """The language of the notes and the taxonomy of their labels, for the card."""
    declared = {str(note.meta["lang"]) for note in notes if note.meta.get("lang")}
    found = declared or {recognise(note.text) for note in notes[:50]}
    lang = found.pop() if len(found) == 1 else ""
    known = with_labels({span.label for note in notes for span in note.spans}, lang)
    return {"lang": lang, "taxonomy": known.name if known else ""}


def _settings(kind: str, settings: dict[str, Any], seed: int) -> Settings:
    return of_kind(kind).with_options({**{name: str(value) for name, value in settings.items()}, "seed": str(seed)})


def _train(chosen: Settings, notes: Sequence[Sequence[Document]], output: Path, more: dict[str, Any]) -> None:
    try:
        from innominate.detect.neural.training.fit import fit, make_small
    except ImportError:
        raise UsageError(NO_TORCH) from None

    train, dev, unlabelled = notes
    with counting("epochs", chosen.recipe.epochs) as tick:

        def watch(progress: Any, _epochs: int) -> None:
            last = progress.history[-1]
            stderr.print(f"epoch {progress.epoch}: loss {last['loss']:.4f}, dev F1 {last['ner']:.4f}", highlight=False)
            tick(None)

        def guessing(epoch: int, loss: float) -> None:
            stderr.print(f"hidden words, epoch {epoch} of {chosen.recipe.pretrain}: loss {loss:.4f}", highlight=False)

        progress = fit(chosen, train, dev, output, unlabelled=unlabelled, watch=watch, guessing=guessing, **more)
    (output / "training.json").write_text(json.dumps(progress.history), encoding="utf-8")
    (output / "training.svg").write_text(training_chart(progress.history), encoding="utf-8")
    fall = make_small(output, dev)
    stderr.print(
        f"[bold]{len(train)}[/] notes learned in {progress.seconds:.0f} s; dev F1 {progress.best:.4f}; eight-bit weights cost "
        f"{100 * fall:.2f} points. Use it: innominate detect NOTES --detector {output} -o spans.jsonl"
    )
