"""A run record in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DONE = {"deidentify": "de-identified", "conceal": "concealed what was marked in", "table": "concealed the rows of"}
_HOW = {"keep": "kept as they were", "remove": "removed with their sentence", "pseudo": "replaced by pseudonyms"}


def explain_record(record: Mapping[str, Any]) -> list[str]:
    """Sentences about a run, for somebody who was not there."""
    return [*_explain_run(record), *_explain_notes(record), *_explain_concealment(record), *_explain_materials(record)]


def _explain_run(record: Mapping[str, Any]) -> list[str]:
    did = _DONE.get(record["action"], "looked for identifiers in")
    lines = [f"innominate {record['innominate']} {did} {', '.join(record['sources'])} and wrote {record['output']}."]
    if record.get("command"):
        lines.append(f"The command was: {' '.join(record['command'])}")
    starts = record.get("starts") or [record["started"]]
    lines.append(f"It began at {starts[0]} and was done at {record.get('ended', '?')}.")
    if starts[1:]:
        lines.append(f"It was stopped and resumed {_times(len(starts) - 1)}: {', '.join(starts[1:])}.")
    return lines


def _explain_notes(record: Mapping[str, Any]) -> list[str]:
    notes = record["notes"]
    lines = [f"Of {notes['in']} notes {notes['out']} were written and {notes['quarantined']} withheld."]
    for what in ("languages", "formats"):
        if record.get(what):
            lines.append(f"Notes by {what.removesuffix('s')}: {_list(record[what])}.")
    return lines


def _explain_concealment(record: Mapping[str, Any]) -> list[str]:
    concealment = record.get("concealment")
    if concealment is None:
        return [f"Spans found: {_list(record['spans'])}."]
    lines = [f"The policy was {record['settings']['policy']}."]
    for label, strategies in sorted(concealment.get("labels", {}).items()):
        how = ", ".join(f"{count} {_HOW.get(strategy, f'by {strategy}')}" for strategy, count in sorted(strategies.items()))
        lines.append(f"  {label}: {how}")
    kept = record["settings"].get("keep_meta") or ["none"]
    lines.append(f"Metadata that was kept: {', '.join(kept)}.")
    if record["settings"].get("keep_ids"):
        lines.append("Ids and names of files were kept.")
    if record["settings"].get("key"):
        lines.append(f"Pseudonyms were made with the key {record['settings']['key']} (its mark, not the key).")
    if concealment.get("vault"):
        lines.append(f"Originals are sealed in {concealment['vault']}.")
    return lines


def _explain_materials(record: Mapping[str, Any]) -> list[str]:
    made = record.get("made_with") or {}
    hashes = {"code": made.get("code"), "rules and lists": made.get("rules_and_lists"), **made.get("models", {})}
    hashes |= {f"own {what}": digest for what, digest in made.get("own", {}).items()}
    hashes["policy"] = record["settings"].get("policy_sha256")
    return ["Made with (SHA-256):", *(f"  {what}: {digest}" for what, digest in hashes.items() if digest)]


def _list(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
