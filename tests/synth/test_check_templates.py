import check_templates as module
from check_templates import check, main


def write(folder, split, text):
    path = folder / "fr" / split
    path.mkdir(parents=True, exist_ok=True)
    (path / "lettre.txt").write_text(text, "utf-8")


def test_problems_are_named_and_labels_counted(tmp_path, monkeypatch):
    write(tmp_path, "train", "=== a-1\n{patient.first} {visit}\n=== a-2\n{id.ssn}\n")
    write(tmp_path, "dev", "=== a-1\nAgain {visit}\n")
    monkeypatch.setattr(module, "template_files", lambda lang, split: sorted((tmp_path / lang / split).glob("*.txt")))
    lines = list(check("fr"))
    assert any("fr/train/lettre.txt:4" in line and "a-2" in line for line in lines)
    assert any("'a-1' is also in" in line for line in lines)
    assert any(line.startswith("DATE") and "1.0" in line for line in lines)


def test_the_text_of_test_templates_is_never_printed(tmp_path, monkeypatch, capsys):
    write(tmp_path, "test", "=== t-1\nsecret words {secret slot} here\n")
    monkeypatch.setattr(module, "template_files", lambda lang, split: sorted((tmp_path / lang / split).glob("*.txt")))
    assert main(["fr"]) == 1
    printed = capsys.readouterr().out
    assert "t-1" in printed
    assert "secret" not in printed
