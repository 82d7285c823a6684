"""A note in another language than said, from the command line."""

import json

from typer.testing import CliRunner

from innominate.cli.app import app

ITALIAN = (
    "La paziente Zwyxelhof, nata il 18.03.1950, è stata ricoverata per dolore toracico e dispnea insorti nella notte. "
    "All'ingresso era vigile e collaborante; l'elettrocardiogramma non mostrava segni di ischemia. È stata dimessa."
)


def test_the_command_line_withholds_a_strange_note_or_searches_it_with_all(tmp_path):
    (tmp_path / "n.txt").write_text(ITALIAN, encoding="utf-8")
    command = ["deidentify", str(tmp_path / "n.txt"), "--lang", "fr", "-o"]
    run = CliRunner().invoke(app, [*command, str(tmp_path / "a.jsonl")])
    assert run.exit_code == 1
    (withheld,) = tmp_path.glob("a.jsonl*quarantine*")
    (entry,) = map(json.loads, withheld.read_text(encoding="utf-8").splitlines())
    assert entry["step"] == "language"
    assert "does not look like the language" in entry["reason"]
    assert "Zwyxelhof" not in run.output + withheld.read_text(encoding="utf-8")
    run = CliRunner().invoke(app, [*command, str(tmp_path / "b.jsonl"), "--unknown-language", "all"])
    assert run.exit_code == 0
    assert "18.03.1950" not in (tmp_path / "b.jsonl").read_text(encoding="utf-8")
