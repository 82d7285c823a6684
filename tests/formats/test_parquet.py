"""Parquet: the same columns, streamed both ways."""

import io
import sys
from pathlib import Path

import pytest

from innominate.core import Document, FormatError, PluginError, Rejected, Span, UsageError
from innominate.formats import parquet
from innominate.formats.parquet import ParquetFormat
from innominate.formats.sources import DiskFile, MemoryFile

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(path: Path, *documents, **options):
    writer = ParquetFormat(**options).open_writer(path)
    for document in documents:
        writer.write(document)
    writer.close()
    return DiskFile(path, "t")


def table(**columns) -> MemoryFile:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return MemoryFile("t.parquet", buffer.getvalue(), "t")


@pytest.mark.parametrize("text", ["👩‍⚕️ Eva", "Ne\u0301e Eva", "a\r\nb\rc\nEva", "a\0Eva\0", "Eva", "\ufeffEva"])
@pytest.mark.parametrize("options", [{}, {"text_column": "body", "id_column": "n", "patient_column": "pid"}])
def test_any_text_survives(tmp_path, text, options):
    start = text.index("Eva")
    spans = (Span(start, start + 3, "ÂGE", 0.5, "crf"), Span(start, start + 1, "B C"))
    documents = [Document("n1", text, spans, {"patient": "p1", "n": [1, None, "\0"]}), Document("n2", "", (), {})]
    found = list(ParquetFormat(**options).read(write(tmp_path / "t.parquet", *documents, **options)))
    assert found == documents
    assert [(span.score, span.source) for span in found[0].spans] == [(span.score, span.source) for span in documents[0].spans]


def test_ten_megabytes_on_one_line_before_a_name(tmp_path):
    document = Document("n1", "x" * 10_000_000 + " Eva", (Span(10_000_001, 10_000_004, "NAME"),))
    assert list(ParquetFormat().read(write(tmp_path / "t.parquet", document))) == [document]


def test_rows_are_written_in_groups_and_read_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 100)
    documents = [Document(f"n{number}", "Eva") for number in range(250)]
    file = write(tmp_path / "t.parquet", *documents)
    assert pq.ParquetFile(file.path).num_row_groups == 3
    assert list(ParquetFormat().read(file)) == documents


def test_spans_are_a_list_of_structs(tmp_path):
    file = write(tmp_path / "t.parquet", Document("n1", "Eva", (Span(0, 3, "NAME"),)))
    assert pq.read_table(file.path).to_pylist()[0]["spans"] == [
        {"start": 0, "end": 3, "label": "NAME", "score": None, "source": None}
    ]


def test_other_columns_go_to_meta():
    file = table(
        id=[7, 8], text=["Eva", "Ola"], ward=["W3", None], day=pa.array([0, 1], pa.date32()), spans=['[[0,3,"NAME"]]', None]
    )
    assert list(ParquetFormat().read(file)) == [
        Document("7", "Eva", (Span(0, 3, "NAME"),), {"ward": "W3", "day": "1970-01-01"}),
        Document("8", "Ola", (), {"ward": None, "day": "1970-01-02"}),
    ]


def test_bad_rows_are_rejected_by_number_and_the_rest_goes_on():
    bad = pa.array([b"Eva", b"\xff", b"Eva", b"Eva"]).view(pa.string()) if hasattr(pa.array([b""]), "view") else None
    found = list(ParquetFormat().read(table(id=["1", "2", None, "4"], text=bad, spans=["", "", "", "[3]"])))
    assert [type(entry) for entry in found] == [Document, Rejected, Rejected, Rejected]
    assert [entry.line for entry in found[1:]] == [2, 3, 4]
    assert (
        next(ParquetFormat().read(table(id=["1"], text=pa.array([None], pa.string())))).reason
        == "the column 'text' holds no text"
    )


def test_missing_columns_and_damaged_files():
    with pytest.raises(FormatError, match="no column 'text'; the table has 2 columns"):
        list(ParquetFormat().read(table(id=["1"], body=["Eva"])))
    with pytest.raises(FormatError, match="damaged"):
        list(ParquetFormat().read(MemoryFile("t.parquet", b"PAR1 Eva PAR1", "t")))


def test_the_file_has_its_name_only_when_it_is_complete(tmp_path):
    writer = ParquetFormat().open_writer(tmp_path / "t.parquet")
    writer.write(Document("n1", "Eva"))
    assert not (tmp_path / "t.parquet").exists()
    writer.abandon()
    assert not (tmp_path / "t.parquet").exists()


def test_what_cannot_be_written_is_refused_alone(tmp_path):
    writer = ParquetFormat().open_writer(tmp_path / "t.parquet")
    with pytest.raises(FormatError, match="surrogate") as caught:
        writer.write(Document("n1", "Eva \ud800"))
    assert "Eva" not in str(caught.value)
    writer.write(Document("n2", "Eva"))
    writer.close()
    assert pq.read_table(tmp_path / "t.parquet").num_rows == 1


def test_resuming_is_refused_with_the_reason(tmp_path):
    writer = ParquetFormat().open_writer(tmp_path / "t.parquet")
    assert writer.commit() == {}
    writer.abandon()
    with pytest.raises(UsageError, match="complete only when it is closed, so writing cannot be resumed"):
        ParquetFormat().open_writer(tmp_path / "t.parquet", {})
    with pytest.raises(UsageError):
        ParquetFormat().open_writer("-")


def test_a_table_without_rows(tmp_path):
    assert list(ParquetFormat().read(write(tmp_path / "t.parquet"))) == []


def test_without_pyarrow_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PluginError, match=r"pip install 'innominate\[files\]'"):
        list(ParquetFormat().read(MemoryFile("t.parquet", b"PAR1", "t")))


def test_recognised_by_its_first_bytes():
    assert ParquetFormat().recognise(MemoryFile("x", b""), b"PAR1...")
    assert not ParquetFormat().recognise(MemoryFile("x.parquet", b""), b"Eva")
