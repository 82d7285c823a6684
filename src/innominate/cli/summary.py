"""The one-screen summary at the end of a run."""

from __future__ import annotations

from rich.table import Table

from innominate.cli.console import stderr
from innominate.report.colours import colour
from innominate.run.batch import Places
from innominate.run.record import RunRecord

MOST_LABELS = 15


def summarise(record: RunRecord, places: Places) -> None:
    """Say what came in, what went out, what was found, how fast, and where everything is."""
    counts = record.counts
    speed = counts.characters / 1e6 / record.seconds if record.seconds else 0.0
    stderr.print(
        f"[bold]{counts.written}[/] of {counts.done} notes written, "
        f"[{'bold red' if counts.quarantined else 'green'}]{counts.quarantined} quarantined[/], "
        f"{sum(counts.labels.values())} spans, {record.seconds:.1f} s, {speed:.1f} MB/s"
    )
    if record.known and record.known["notes_with_entry"] < sum(record.known.values()):
        missing = sum(record.known.values()) - record.known["notes_with_entry"]
        stderr.print(f"[yellow]{missing}[/] notes of patients that the patient file does not have, or of no patient")
    if counts.labels:
        stderr.print(_labels(record))
    rows = [("output", places.output), ("run record", places.record)]
    if counts.quarantined:
        rows.append(("quarantine", places.quarantine))
    for what, path in rows:
        stderr.print(f"  {what:<11} [cyan]{path}[/]", soft_wrap=True)


def _labels(record: RunRecord) -> Table:
    table = Table.grid(padding=(0, 1))
    labels = sorted(record.counts.labels.items(), key=lambda item: (-item[1], item[0]))
    longest = labels[0][1]
    for label, count in labels[:MOST_LABELS]:
        bar = "█" * max(1, round(30 * count / longest))
        table.add_row(f"  {label}", f"[right]{count}[/]", f"[{colour(label)}]{bar}[/]")
    if len(labels) > MOST_LABELS:
        table.add_row("  ...", f"{len(labels) - MOST_LABELS} more labels in the run record")
    return table
