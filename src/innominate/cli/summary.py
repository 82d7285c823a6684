"""The one-screen summary at the end of a run."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from innominate.cli.console import stderr
from innominate.report.colours import colour_of
from innominate.run.audit import read_record
from innominate.run.batch import OutputPlaces
from innominate.run.record import RunRecord

MOST_LABELS = 15


def summarise(record: RunRecord, places: OutputPlaces) -> None:
    """Say what came in, what went out, what was found, how fast, and where everything is."""
    counts = record.counts
    what = "rows" if record.action == "table" else "notes"
    speed = counts.characters / 1e6 / record.seconds if record.seconds else 0.0
    stderr.print(
        f"[bold]{counts.written}[/] of {counts.done} {what} written, "
        f"[{'bold red' if counts.quarantined else 'green'}]{counts.quarantined} quarantined[/], "
        f"{sum(counts.labels.values())} spans, {record.seconds:.1f} s, {speed:.1f} MB/s"
    )
    if record.known and record.known["notes_with_entry"] < sum(record.known.values()):
        missing = sum(record.known.values()) - record.known["notes_with_entry"]
        stderr.print(f"[yellow]{missing}[/] notes of patients that the patient file does not have, or of no patient")
    if counts.labels:
        stderr.print(_labels(record))
    if record.action != "detect":
        _print_concealment(record)
    rows: list[tuple[str, object]] = []
    if not places.is_standard_output:
        rows += [("output", places.output), ("run record", f"{places.record}[/] [dim]{_hash_of(places.record)}")]
    if record.vault:
        rows.append(("vault", record.vault))
    if counts.quarantined and not places.is_standard_output:
        rows.append(("quarantine", places.quarantine))
    for what, path in rows:
        stderr.print(f"  {what:<11} [cyan]{path}[/]", soft_wrap=True)


def _hash_of(record: Path) -> str:
    """What an owner notes elsewhere, to know the record again."""
    return str(read_record(record)["sha256"])


def _print_concealment(record: RunRecord) -> None:
    counts = record.counts
    done = sorted(counts.strategies.items(), key=lambda item: (-item[1], item[0]))
    if done:
        how = ", ".join(f"{count} {_WORDS.get(strategy, strategy)}" for strategy, count in done)
        stderr.print(f"  policy [bold]{record.settings.policy}[/]: {how}", soft_wrap=True)
    if counts.sentences_removed:
        stderr.print(f"  sentences removed: [bold]{counts.sentences_removed}[/]")
    if counts.found_again:
        again = ", ".join(f"{count} {label}" for label, count in sorted(counts.found_again.items()))
        stderr.print(f"  found again because marked elsewhere: {again}", soft_wrap=True)
    if record.without_patient:
        what = "rows" if record.action == "table" else "notes"
        stderr.print(
            f"  [yellow]{record.without_patient}[/] of {counts.done} {what} name no patient: each is concealed by itself"
        )


_WORDS = {
    "pseudo": "pseudonyms",
    "class": "by class",
    "mask": "masked",
    "keep": "kept",
    "remove": "removed with their sentence",
}


def _labels(record: RunRecord) -> Table:
    table = Table.grid(padding=(0, 1))
    labels = sorted(record.counts.labels.items(), key=lambda item: (-item[1], item[0]))
    longest = labels[0][1]
    for label, count in labels[:MOST_LABELS]:
        bar = "█" * max(1, round(30 * count / longest))
        table.add_row(f"  {label}", Text(str(count), justify="right"), f"[{colour_of(label)}]{bar}[/]")
    if len(labels) > MOST_LABELS:
        table.add_row("  ...", "", f"{len(labels) - MOST_LABELS} more labels in the run record")
    return table
