"""`innominate deidentify`: detect and conceal."""

from __future__ import annotations

from innominate.cli import options as o
from innominate.cli.job import Job
from innominate.cli.option_sets import Finding, Hiding, Reading, Running, Sealing, Tables, Writing, choices, expanded
from innominate.cli.passphrase import vault_file
from innominate.cli.tables import of_table

NEEDS_ARGUMENTS = True


@expanded
def command(
    sources: o.Sources,
    output: o.Output,
    finding: Finding,
    hiding: Hiding,
    tables: Tables,
    sealing: Sealing,
    reading: Reading,
    writing: Writing,
    running: Running,
    keep_meta: o.KeepMeta = None,
) -> None:
    """Find identifiers and conceal them. A note that fails in any step is withheld and listed, never passed through.

    [dim]innominate deidentify notes/ -o clean/ --policy class[/]

    [dim]innominate deidentify notes.jsonl -o clean.jsonl --policy pseudo --key project.key[/]

    [dim]innominate deidentify people.csv -o clean.csv --lang fr --columns pid=patient,name=NAME,birth=DATE ...[/]
    """
    job = Job("deidentify", sources, output, reading, writing, running)
    chosen = {**choices(finding, hiding), "keep_meta": o.names(keep_meta)}
    job = of_table(job, tables, chosen) if tables.columns else job.configure(**chosen)
    job.run(vault_file(sealing.vault, sealing.passphrase_file))
