"""The learning curve: what its cells learn from, that it goes on after a kill, and that its plot shows its numbers."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import Document, UsageError
from innominate.formats import write
from innominate.report.charts import draw_curve
from innominate.report.models import render_curve, shares_reached
from innominate.study.learning_curve import Cell, LearningCurve, summarise_cells
from innominate.synth.generate import generate

NOTES = tuple(Document(f"n{i}", "x") for i in range(40))


def curve(folder, notes=NOTES, kinds=("crf",), fractions=(0.5, 1.0), seeds=(1, 2), mark="m"):
    return LearningCurve(folder, kinds, fractions, seeds, notes, mark)


@given(st.integers(0, 100), st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_smaller_share_is_inside_a_larger_one_and_all_kinds_get_the_same(seed, one, other):
    small, large = sorted((one, other))
    plan = curve(None, seeds=(seed,), fractions=(small,))
    less, rest = plan.share_notes(Cell("crf", small, seed))
    more, _ = plan.share_notes(Cell("bilstm", large, seed))
    assert {note.id for note in less} <= {note.id for note in more}
    assert len(less) == max(1, round(small * 40))
    assert {note.id for note in less}.isdisjoint(note.id for note in rest)
    assert len(less) + len(rest) == 40
    assert plan.share_notes(Cell("cvt", small, seed))[0] == less


def test_another_seed_draws_other_notes():
    draws = {tuple(note.id for note in curve(None).share_notes(Cell("crf", 0.25, seed))[0]) for seed in range(5)}
    assert len(draws) == 5


def test_a_kind_without_chance_learns_all_notes_once():
    names = [cell.name for cell in curve(None, kinds=("crf", "bilstm"), seeds=(1, 2)).cells()]
    assert names.count("crf_1_1") == 1
    assert "crf_1_2" not in names
    assert {"bilstm_1_1", "bilstm_1_2", "crf_0.5_2"} <= set(names)


def score(cell, notes, others, folder):
    return {"ner": {"f1": len(notes) / 40}, "span": {"f1": 1.0}}


def test_a_study_that_was_stopped_goes_on_with_what_is_missing(tmp_path):
    asked = []

    def stop(cell, *rest):
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append(cell.name)
        return score(cell, *rest)

    with pytest.raises(KeyboardInterrupt):
        list(curve(tmp_path).run(stop))
    first = curve(tmp_path).result()
    assert (len(first["cells"]), first["planned"]) == (2, 3)
    again = [cell["fraction"] for cell in curve(tmp_path).run(score)]
    assert again == [1]
    assert not list(curve(tmp_path).run(score))
    straight = curve(tmp_path / "other")
    list(straight.run(score))
    assert straight.result() == curve(tmp_path).result()


def test_cells_of_other_notes_are_not_mixed_in(tmp_path):
    list(curve(tmp_path).run(score))
    with pytest.raises(UsageError, match="other notes or settings"):
        curve(tmp_path, mark="another").done()


@pytest.mark.parametrize("wrong", [{"fractions": (0.0,)}, {"fractions": (1.5,)}, {"seeds": (1, 1)}, {"kinds": ()}])
def test_plans_that_make_no_sense_are_refused(tmp_path, wrong):
    with pytest.raises(UsageError):
        curve(tmp_path, **wrong)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    pytest.importorskip("pycrfsuite", reason="training needs the extra [train]")
    folder = tmp_path_factory.mktemp("corpus")
    write(list(generate("sv", 6, seed=1)), folder / "train.jsonl", "jsonl")
    write(list(generate("sv", 3, seed=2, split="dev")), folder / "dev.jsonl", "jsonl")
    return folder


def arguments(corpus, output, kinds="crf", *more):
    sources = ("--train", corpus / "train.jsonl", "--dev", corpus / "dev.jsonl", "-o", output)
    plan = ("--kinds", kinds, "--fractions", "0.5,1", "--seeds", "1,2", "--set", "crf:max_iterations=4")
    return [str(part) for part in ("study", "learning-curve", *sources, *plan, *more)]


def scores(folder):
    """All cells, without how long they took."""
    cells = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "cells").glob("*.json"))]
    return [{key: value for key, value in cell.items() if key != "processor_seconds"} for cell in cells]


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_study_that_was_killed_gives_the_same_numbers_in_the_end(corpus, tmp_path):
    command = [sys.executable, "-m", "innominate", *arguments(corpus, tmp_path / "killed")]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while not list((tmp_path / "killed").glob("cells/*.json")) and time.monotonic() < until:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert 1 <= len(scores(tmp_path / "killed")) < 3
    runner = CliRunner()
    assert runner.invoke(app, arguments(corpus, tmp_path / "killed")).exit_code == 0
    assert runner.invoke(app, arguments(corpus, tmp_path / "whole")).exit_code == 0
    assert scores(tmp_path / "killed") == scores(tmp_path / "whole")
    assert len(scores(tmp_path / "whole")) == 3
    assert {path.name for path in (tmp_path / "whole").iterdir()} == {
        "cells",
        "result.json",
        "learning-curve.html",
        "learning-curve.svg",
    }


@pytest.mark.filterwarnings("ignore::innominate.detect.models.named.UselessModelWarning")
def test_networks_learn_in_cells_and_cross_view_training_reads_the_other_notes(corpus, tmp_path):
    pytest.importorskip("torch", reason="training needs the extra [train]")
    sizes = ("hidden=8", "second=8", "epochs=1", "words=8", "filters=4", "batch=4", "window=24", "overlap=8")
    small = [part for size in sizes for part in ("--set", size)]
    done = CliRunner().invoke(app, [*arguments(corpus, tmp_path, "bilstm,cvt", *small), "--fractions", "0.5", "--seeds", "1"])
    assert done.exit_code == 0, done.exception
    found = scores(tmp_path)
    assert [cell["kind"] for cell in found] == ["bilstm", "cvt"]
    assert all(cell["notes"] == 3 and 0 <= cell["ner"]["f1"] <= 1 and cell["mark"] == found[0]["mark"] for cell in found)


def test_numbers_of_notes_show_what_adapting_the_shipped_model_buys(corpus, tmp_path):
    pytest.importorskip("torch", reason="training needs the extra [train]")
    more = ("--notes", "2,6", "--seeds", "1", "--set", "adapt:epochs=2")
    done = CliRunner().invoke(app, arguments(corpus, tmp_path, "adapt", *more))
    assert done.exit_code == 0, done.exception
    found = {cell["notes"]: cell["ner"]["f1"] for cell in scores(tmp_path)}
    assert found.keys() == {2, 6}
    assert found[6] > 0.3  # it begins with what the model knows
    asked = CliRunner().invoke(app, arguments(corpus, tmp_path / "more", "adapt", "--notes", "7"))
    assert "there are 6" in str(asked.exception)


def result(*rows):
    cells = [
        {"kind": kind, "fraction": fraction, "seed": seed, "notes": int(40 * fraction), "ner": {"f1": f1}, "span": {"f1": f1}}
        for kind, fraction, values in rows
        for seed, f1 in enumerate(values, start=1)
    ]
    return {"cells": cells, "table": summarise_cells(cells), "planned": len(cells), "training_notes": 40}


def test_the_plot_has_a_line_and_a_band_for_each_kind_and_a_dot_for_each_training():
    shown = result(("crf", 0.5, [0.8, 0.9]), ("crf", 1, [0.9, 0.92]), ("<b>", 0.5, [0.91, 0.93]), ("<b>", 1, [0.95, 0.97]))
    chart = str(draw_curve(shown))
    assert (chart.count("<polyline"), chart.count("<polygon"), chart.count("<circle")) == (2, 2, 8)
    assert "<b>" not in chart
    higher, lower = (
        re.search(rf'cy="([\d.]+)"[^>]*><title>{kind}, 40 notes, seed 1', chart)[1] for kind in ("&lt;b&gt;", "crf")
    )
    assert float(higher) < float(lower)  # pixels are counted from above
    assert [row["fraction"] for row in shares_reached(shown)] == [1, 0.5]
    page = render_curve(shown)
    assert "0.8500" in page
    assert "<style" in str(draw_curve(shown, alone=True))


def test_one_cell_alone_can_be_drawn():
    assert "<circle" in str(draw_curve(result(("crf", 1, [0.9]))))
