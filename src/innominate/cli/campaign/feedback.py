"""`innominate campaign feedback`: a report for each annotator, on disk or by mail."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.feedback.feedback import Feedback, collect_comments, list_corrections, make_feedback, read_comments
from innominate.campaign.feedback.mail import MailSettings, read_mail_settings, send_letters
from innominate.campaign.reference.decisions import check_queue_place, write_queue
from innominate.cli.campaign._shared import (
    Corrections,
    StoreAddress,
    Votes,
    Workers,
    analyse_with_progress,
    exit_code,
    say_written,
)
from innominate.cli.console import stderr
from innominate.core import UsageError
from innominate.formats.file_names import name_in_folder
from innominate.report.feedback import render_feedback, write_feedback, write_letters


def command(
    store: StoreAddress,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where the reports go, as text and as pages.")],
    corrections: Corrections = None,
    votes: Votes = "equal",
    comments: Annotated[
        Path | None, typer.Option("--comments", metavar="FILE", help="Comments of annotators on their reports.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only this annotator. May be repeated.")
    ] = None,
    words: Annotated[bool, typer.Option("--words/--no-words", help="Whether reports may hold words of the notes.")] = True,
    mail: Annotated[
        Path | None, typer.Option("--mail", metavar="FILE.toml", help="The mail server, in a table \\[mail].")
    ] = None,
    really: Annotated[
        bool, typer.Option("--send", help="Really send the mails; without it, --mail only says who would get one.")
    ] = False,
    workers: Workers = None,
) -> None:
    """Write a report for each annotator: numbers, ranks, and disagreements, the most recent first.

    [dim]innominate campaign feedback contest.db -o feedback/ --mail mail.toml --send[/]
    """
    if really and mail is None:
        raise UsageError("--send needs --mail FILE.toml, which names the server")
    settings = read_mail_settings(mail) if mail else None
    listed = output / "comments.jsonl"
    check_queue_place(listed, corrections or [])
    analysed = analyse_with_progress(store, corrections, votes=votes, workers=workers)
    reports = [one for one in make_feedback(analysed.analysis, datetime.now()) if not only or one.annotator.id in only]
    output.mkdir(parents=True, exist_ok=True)
    for one in reports:
        place = output / name_in_folder(one.annotator.id)  # a store that somebody sent may hold any id
        place.with_name(f"{place.name}.txt").write_text(write_feedback(one, analysed.labels, words=words), encoding="utf-8")
        place.with_name(f"{place.name}.html").write_text(render_feedback(one, analysed.labels, words=words), encoding="utf-8")
    stderr.print(f"[bold]{len(reports)}[/] reports in [cyan]{escape(str(output))}[/]")
    codes = [exit_code(analysed), _list_comments(analysed.analysis, comments, listed)]
    if settings:
        codes.append(_mail(reports, analysed.labels, settings, words=words and settings.words, really=really))
    raise typer.Exit(max(codes))


def _list_comments(analysis: Analysis, path: Path | None, place: Path) -> int:
    """Turn comments into corrections that wait for a manager, and return the exit code: 1 if some could not be read."""
    given, problems = read_comments(path) if path else ([], [])
    lines, silent = list_corrections(analysis, [*collect_comments(analysis), *given])
    for problem in (*problems, *silent):
        stderr.print(f"[yellow]note:[/] {escape(str(problem))}", soft_wrap=True)
    if lines:
        write_queue(place, lines)
        say_written(place, f", {len(lines)} comments for managers")
    return int(bool(problems))


def _mail(reports: list[Feedback], labels: dict[str, str], settings: MailSettings, *, words: bool, really: bool) -> int:
    """Send the reports, or say who would get one, and return the exit code."""
    letters = write_letters(reports, labels, words=words)
    if not really:
        for letter in letters:
            stderr.print(f"would send to {escape(letter.annotator)} <{escape(letter.address or 'no address')}>")
        stderr.print("[yellow]nothing was sent[/]; say --send to send")
        return 0
    deliveries = send_letters(letters, settings)
    failed = [one for one in deliveries if one.reason]
    for one in failed:
        stderr.print(
            f"[red]not sent[/] to {escape(one.annotator)} <{escape(one.address)}>: {escape(one.reason)}", soft_wrap=True
        )
    stderr.print(f"[bold]{len(deliveries) - len(failed)}[/] of {len(deliveries)} mails sent")
    return 1 if failed else 0
