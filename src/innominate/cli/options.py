"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.cli.language_codes import CODES
from innominate.core import UsageError

Sources = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE...", help="Files, folders, globs, a database URL, or [bold]-[/] for standard input."),
]
Output = Annotated[
    str, typer.Option("--output", "-o", metavar="OUT", help="Where to write: a file, a folder, or a database URL.")
]
Lang = Annotated[
    str | None, typer.Option("--lang", metavar=f"auto|{CODES}", help="Language of the notes. [dim]Default: auto[/]")
]
UnknownLanguage = Annotated[
    str | None,
    typer.Option(
        "--unknown-language",
        metavar="withhold|all",
        help="A note that does not look like its language: withhold it, or search it with all. [dim]Default: withhold[/]",
    ),
]
OneLang = Annotated[str, typer.Option("--lang", metavar=CODES, help="Language of the notes.")]
TrainingNotes = Annotated[str, typer.Option("--train", metavar="SOURCE", help="Annotated notes to learn from.")]
ModelFolder = Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the model.")]
WeightsSeed = Annotated[int, typer.Option("--seed", help="Same seed, same weights on a CPU.")]
Detector = Annotated[
    str | None,
    typer.Option(
        "--detector",
        metavar="NAME|MODEL",
        help="Which detector: combined (rules and the contextual model), best (the large model), rules, crf, union, "
        "a model's folder, or rules+MODEL. [dim]Default: combined[/]",
    ),
]
Recall = Annotated[
    str | None,
    typer.Option(
        "--recall",
        metavar="F10|0.995|names=F20,...",
        help="How much may be missed, with a detector that has a model. [dim]Default: F1[/]",
    ),
]
TaxonomyName = Annotated[
    str | None,
    typer.Option(
        "--taxonomy",
        metavar="NAME",
        help="Labels of the output: i2b2, chuv, swedish, meddocan, hipaa. [dim]Default: the detector's own[/]",
    ),
]
Policy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="NAME|FILE.toml",
        help="How to conceal: pseudo, class, mask, remove, or one of [bold]innominate policy list[/]. [dim]Default: class[/]",
    ),
]
KeyFile = Annotated[
    str | None,
    typer.Option("--key", metavar="KEYFILE", help="The key of pseudonyms, from [bold]innominate keys new[/]."),
]
Consistency = Annotated[
    str | None,
    typer.Option(
        "--consistency",
        metavar="MODE",
        help="Who shares pseudonyms: patient, document, markov (redrawn now and then) or none. "
        "[dim]Default: the notes of a patient; a note that names none by itself[/]",
    ),
]
Propagate = Annotated[
    bool | None,
    typer.Option(
        "--propagate/--no-propagate",
        help="Find again what is marked once, in the note and the patient's other notes. [dim]Default: yes[/]",
        show_default=False,
    ),
]
Entities = Annotated[
    str | None,
    typer.Option(
        "--entities", metavar="A,B", help="Labels of the source that are no identifiers: carried into the concealed text."
    ),
]
VaultPath = Annotated[
    Path | None,
    typer.Option("--vault", metavar="FILE", help="Keep the originals, sealed with a passphrase, for reidentify."),
]
SpansFile = Annotated[
    str | None,
    typer.Option(
        "--spans",
        metavar="FILE",
        help="List for yourself what was concealed where; the output does not say it then. [dim]Default: it does, but beside "
        "pseudonyms[/]",
    ),
]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help="Read the passphrase of the vault from a file; else from INNOMINATE_PASSPHRASE, else it is asked for.",
    ),
]
FormatName = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Format of the input; recognised from its content if not given.")
]
FormatOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="KEY=VALUE", help="Option of the input format, such as text_column=body. May be repeated."
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to", metavar="FORMAT", help="Format of the output. [dim]Default: from the suffix of OUT, else as the input[/]"
    ),
]
ToOptions = Annotated[
    list[str] | None, typer.Option("--to-option", metavar="KEY=VALUE", help="Option of the output format. May be repeated.")
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, metavar="N", help="Processes to use. [dim]Default: all cores for large input, else 1[/]"),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped, where it was.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE.toml", help="Settings of the run; options given here win over it.")
]
KeepMeta = Annotated[
    str | None,
    typer.Option(
        "--keep-meta",
        metavar="A,B=KIND",
        help="Metadata to carry into the output: NAME=KIND concealed (note_date=DATE), NAME=keep as it is, patient as a "
        "pseudonym. [dim]Default: lang,type; everything else is left out[/]",
    ),
]
KeepIds = Annotated[
    bool | None,
    typer.Option(
        "--keep-ids",
        help="Keep ids and names of files, which may identify somebody. [dim]Default: pseudonyms of them[/]",
        show_default=False,
    ),
]
PatientFrom = Annotated[
    str | None,
    typer.Option(
        "--patient-from", metavar="REGEX", help="Take the patient of a note from the path of its file: the first group."
    ),
]
Patients = Annotated[
    str | None,
    typer.Option("--patients", metavar="FILE.csv", help="Known identifiers of patients, matched in their own notes."),
]
TableColumns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAME=KIND,...",
        help="For a table whose cells are identifiers: what each column holds. A label, a kind, or patient, text, keep, drop.",
    ),
]
OtherColumns = Annotated[
    str | None, typer.Option("--others", metavar="keep|drop", help="What becomes of columns that --columns does not name.")
]
PatientBirths = Annotated[
    str | None,
    typer.Option(
        "--patients",
        metavar="FILE.csv",
        help="Patient file; birth dates in it tell on which days a moved date would change an age.",
    ),
]
PatientKey = Annotated[
    str | None,
    typer.Option(
        "--patient-key",
        metavar="KEY",
        help="Metadata with the patient of a note; id: the id of the note. [dim]Default: patient[/]",
    ),
]
PatientsRequired = Annotated[
    bool | None,
    typer.Option("--patients-required", help="Withhold notes whose patient is not in the patient file.", show_default=False),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", help="Withhold a note that takes more CPU time. [dim]Default: 60[/]"),
]


RuleFiles = Annotated[
    list[Path] | None,
    typer.Option("--rules", metavar="FILE.toml", help="Rules of your own, added to those of the language. May be repeated."),
]


def names(value: str | None) -> tuple[str, ...] | None:
    """A list that was written with commas, if there is one.

    >>> names("lang, type")
    ('lang', 'type')
    """
    if not value:
        return None
    return tuple(name.strip() for name in value.split(",") if name.strip())


def key_values(pairs: list[str] | None) -> dict[str, Any]:
    """Read `KEY=VALUE` options; true, false and whole numbers become what they look like.

    >>> key_values(["lines=true", "delimiter=;"])
    {'lines': True, 'delimiter': ';'}
    """
    options: dict[str, Any] = {}
    for pair in pairs or []:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise UsageError(f"an option is written KEY=VALUE, not {pair!r}")
        words = {"true": True, "false": False}
        options[key.replace("-", "_")] = words.get(value.lower(), int(value) if value.isdecimal() else value)
    return options
