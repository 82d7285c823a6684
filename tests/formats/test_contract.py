"""The contract of formats, run over every format plugin that is installed."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import contract
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innominate.core import Document, Span, plugins
from innominate.core.protocols import Format
from innominate.formats import format_named, read

EVERY = sorted(plugins.available("formats"))
SECRET_DOCUMENTS = [
    Document(f"n{number}", f"{contract.SECRET} 🙂 met {contract.SECRET} again.", (Span(0, 11, "NAME"), Span(18, 29, "NAME")))
    for number in range(3)
]


@pytest.mark.parametrize("name", EVERY)
def test_a_format_is_what_the_protocol_says(name: str):
    format = format_named(name)
    assert isinstance(format, Format)
    assert format.name == name
    assert all(suffix.startswith(".") for suffix in format.suffixes)
    assert contract.writable(format)
    assert name in contract.SETTINGS, "every format has a setting in the contract"


@pytest.mark.parametrize("name", EVERY)
def test_hard_documents_come_back(name: str, tmp_path: Path):
    documents = contract.as_it_can_hold(name, contract.hard_documents(contract.SETTINGS[name].meta), tmp_path / "first")
    source = contract.write_all(name, documents, tmp_path)
    assert contract.read_all(name, source) == contract.expected(name, documents)
    assert contract.read_all(name, source, recognised=False) == contract.expected(name, documents)


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_documents_come_back(name: str, data: st.DataObject):
    documents = data.draw(contract.documents(contract.SETTINGS[name].meta))
    with tempfile.TemporaryDirectory() as folder:
        documents = contract.as_it_can_hold(name, documents, Path(folder) / "first")
        source = contract.write_all(name, documents, Path(folder))
        assert contract.read_all(name, source, recognised=False) == contract.expected(name, documents)


@pytest.mark.parametrize("name", EVERY)
def test_a_long_line_before_a_name_is_no_trouble(name: str, tmp_path: Path):
    long = ("🙂" + "y" * 95 + " ") * (10 * 1024 * 1024 // 100)  # few tokens, for formats that write one per line
    documents = contract.as_it_can_hold(name, [contract.example("long", long + "Eva")], tmp_path / "first")
    started = time.process_time()
    source = contract.write_all(name, documents, tmp_path)
    assert contract.read_all(name, source, recognised=False) == contract.expected(name, documents)
    assert time.process_time() - started < 10  # CPU seconds; about 2 on a machine that does nothing else


@pytest.mark.parametrize("name", EVERY)
def test_own_output_is_recognised_and_nobody_elses(name: str, tmp_path: Path):
    source = contract.write_all(name, contract.hard_documents(contract.SETTINGS[name].meta), tmp_path)
    assert contract.recognised(name, source)


@pytest.mark.parametrize("name", EVERY)
def test_one_empty_document_is_recognised_too(name: str, tmp_path: Path):
    source = contract.write_all(name, [Document("n1", "")], tmp_path)
    assert contract.recognised(name, source)
    assert contract.read_all(name, source) == {"n1": Document("n1", "")}


@pytest.mark.parametrize("name", EVERY)
def test_damaged_files_are_rejected_without_a_word_of_their_text(name: str, tmp_path: Path):
    source = contract.write_all(name, SECRET_DOCUMENTS, tmp_path)
    files = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    for path in files[:2]:
        intact = path.read_bytes()
        for broken in contract.damaged(intact, seed=7):
            path.write_bytes(broken)
            contract.assert_silent(read(source, name))
            contract.assert_silent(read(source))
        path.write_bytes(intact)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("commit_after", [0, 1, 3])
def test_a_resumed_output_is_as_if_nothing_had_happened(name: str, commit_after: int, tmp_path: Path):
    if why := contract.SETTINGS[name].final:
        pytest.skip(why)
    documents = contract.hard_documents(contract.SETTINGS[name].meta)[:6]
    whole, resumed = tmp_path / "whole", tmp_path / "resumed"
    whole.mkdir()
    resumed.mkdir()
    first = contract.write_all(name, documents, whole)
    second = contract.write_interrupted(name, documents, commit_after, resumed)
    if contract.SETTINGS[name].same_bytes:
        assert contract.bytes_below(resumed) == contract.bytes_below(whole)
    assert contract.read_all(name, second) == contract.read_all(name, first)


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_left_but_the_output(name: str, tmp_path: Path):
    contract.write_all(name, SECRET_DOCUMENTS, tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith((".partial", ".tmp", "-journal", "-wal"))]
