"""CSV: named columns, exact texts, and cells that no spreadsheet runs."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innominate.core import Document, FormatError, Rejected, Span, UsageError, annotated
from innominate.formats.csv_table import CsvFormat
from innominate.formats.sources import MemoryFile


def held(data, name="t.csv"):
    return MemoryFile(name, data if isinstance(data, bytes) else data.encode(), "t")


def read(data, **options):
    return list(CsvFormat(**options).read(held(data)))


def written(*documents, **options):
    format = CsvFormat(**options)
    return format.header() + b"".join(map(format.encode, documents))


def survives(*documents, **options):
    return read(written(*documents, **options), **options) == list(documents)


def test_our_own_table():
    document = Document("n1", "Eva, slept.", (Span(0, 3, "NAME"),), {"lang": "sv"})
    assert written(document).decode() == (
        'id,text,spans,meta\r\nn1,"Eva, slept.","[{""start"": 0, ""end"": 3, ""label"": ""NAME""}]","{""lang"": ""sv""}"\r\n'
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_delimiter_and_mark_are_found_out(delimiter, start):
    table = start + f'note{delimiter}"body"{delimiter}ward\n7{delimiter}"a{delimiter}""b""\r\nc"{delimiter}W 3\n'
    (document,) = read(table, text_column="body", id_column="note")
    assert document == Document("7", f'a{delimiter}"b"\r\nc', (), {"ward": "W 3"})


def test_columns_come_back_in_their_order():
    table = "ward;pid;body;id\r\nW 3;p1;Eva slept.;n1\r\n"
    format = CsvFormat("body", patient_column="pid", spans_column="spans")
    (document,) = format.read(held(table))
    assert document.meta == {"ward": "W 3", "patient": "p1"}
    same = format.like(held(table))
    assert same.header() + same.encode(document) == b"ward;pid;body;id;spans\r\nW 3;p1;Eva slept.;n1;[]\r\n"


def test_meta_that_no_column_holds_is_never_lost():
    with pytest.raises(FormatError, match="no column for ward"):
        CsvFormat(columns="id,text").encode(Document("n1", "Eva", (), {"ward": "3"}))
    assert survives(Document("n1", "Eva", (), {"a": "1", "b": [2]}), columns=["a", "text", "id", "meta"])


@pytest.mark.parametrize(
    "text",
    [
        "👩‍⚕️ Eva",
        "Ne\u0301e Eva",
        "a\r\nb\rc\nEva",
        "a\0Eva\0",
        '"Eva"',
        ",;\tEva",
        "",
        " Eva ",
        "\ufeffEva",
        "=Eva()",
        "\x85\u2028Eva",
        "'Eva",
    ],
)
@pytest.mark.parametrize("options", [{}, {"delimiter": ";"}, {"delimiter": "\t"}, {"spreadsheet_safe": True}])
def test_any_text_survives(text, options):
    start = max(text.find("Eva"), 0)
    spans = (Span(start, start + 3, "ÂGE", 0.5, "crf"), Span(start, start + 1, "B C")) if text else ()
    document = Document("n1", text, spans, {"patient": "p,1", "n": [1, None, "\0"]})
    assert survives(document, Document("n2", "Eva"), **options)
    assert [span.score for span in read(written(document))[0].spans] == [span.score for span in document.spans]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.sampled_from("a\"',;\t\r\n\0=+-@\ufeff＝"), max_size=8), st.booleans())
def test_every_text_survives(text, safe):
    assert survives(Document("n1", text, (), {"x": text}), spreadsheet_safe=safe)
    assert survives(Document("n1", text, (), {"x": text}), spreadsheet_safe=safe, columns=["x", "text", "id"])


def test_ten_megabytes_on_one_line_before_a_name():
    text = "x" * 10_000_000 + " Eva"
    assert survives(Document("n1", text, (Span(10_000_001, 10_000_004, "NAME"),)))


@pytest.mark.parametrize(
    "start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\0=1", "＝1", "'=1", '=cmd|"/c calc"!A1']
)
def test_spreadsheet_safe_cells_are_no_formulas_and_come_back(start):
    document = Document(start, start, (), {"x": start})
    data = written(document, spreadsheet_safe=True, columns=["x", "text", "id"])
    cells = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))[1]
    assert all(cell.startswith("'") for cell in cells[:3])
    assert survives(document, spreadsheet_safe=True, columns=["x", "text", "id"])


def test_a_missing_column_is_named_and_no_cell_of_a_first_line_that_may_be_a_record():
    with pytest.raises(FormatError, match=r"^t\.csv: there is no column 'text'; the table has 2 columns ") as error:
        read("4711,Eva slept\n4712,Bo too\n")
    assert "Eva" not in str(error.value)
    assert "4711" not in str(error.value)
    with pytest.raises(FormatError, match="no column 'id'; the table has 2 columns"):
        read("a,text\n1,Eva\n")
    with pytest.raises(FormatError, match="same name"):
        read("id,text,text\n1,Eva,Eva\n")
    with pytest.raises(FormatError):
        read("")


def test_rows_without_ids_can_be_numbered():
    assert [document.id for document in read('text\n"a\nb"\nc\n', id_column=None)] == ["t:2", "t:4"]


def test_bad_rows_are_rejected_by_line_and_the_rest_goes_on():
    table = 'id,text,spans\n1,"Eva\nslept",\n2,Eva\n\n3,Eva,"[[0,9,""X""]]"\n4,"Eva"x,\n5,Eva,no\n,Eva,\n7,Eva,\n8,"Eva\n'
    found = read(table)
    assert [(entry.id, entry.line) for entry in found if isinstance(entry, Rejected)] == [
        ("t:4", 4), ("3", 6), ("t:7", 7), ("5", 8), ("t:9", 9), ("t:11", 11),
    ]  # fmt: skip
    assert [entry.id for entry in found if isinstance(entry, Document)] == ["1", "7"]
    assert not any("Eva" in str(entry) for entry in found if isinstance(entry, Rejected))


def test_encodings():
    assert read("id,text\n1,Née\n".encode("cp1252"))[0].text == "Née"
    assert read("id,text\n1,Née\n".encode("utf-16"))[0].text == "Née"
    assert read("id,text\n1,Née\n".encode("cp850"), encoding="cp850")[0].text == "Née"
    late = ("id,text\n" + "1,é\n" * 20_000).encode() + b"2,N\x82e\n3,ok\n"
    assert [type(entry) for entry in read(late)[-3:]] == [Document, Rejected, Document]
    with pytest.raises(UsageError):
        read("id,text\n", encoding="no-such")


def test_half_a_surrogate_pair_is_refused_without_the_text():
    with pytest.raises(FormatError) as caught:
        written(annotated("Eva \ud800"))
    assert "Eva" not in str(caught.value)


def test_rows_are_streamed():
    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            data = (b"1,Eva\n" * 100 if self.started else b"id,text\n")[: len(buffer)]
            self.started = True
            buffer[: len(data)] = data
            return len(data)

    class File:
        name, id = "t.csv", "t"

        def open(self):
            stream = Endless()
            stream.started = False
            return io.BufferedReader(stream)

    rows = CsvFormat().read(File())
    assert next(rows).text == next(rows).text == "Eva"


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.csv", b"x,y\n", True),
        ("a.tsv", b"id\ttext\n", True),
        ("a.tsv", b"Eva\tB-PER\n", False),
        ("a.txt", b"id;text;ward\n1", True),
        ("a.txt", b"Eva, slept\n", False),
        ("-", b"text\n", False),
    ],
)
def test_recognised(name, head, expected):
    assert CsvFormat().recognise(held(b"", name), head) is expected


@pytest.mark.parametrize("options", [{"delimiter": ",,"}, {"delimiter": '"'}])
def test_wrong_options(options):
    with pytest.raises(UsageError):
        CsvFormat(**options)


def test_a_tsv_is_written_with_tabs(tmp_path):
    writer = CsvFormat().open_writer(tmp_path / "t.tsv")
    writer.write(Document("n1", "Eva"))
    writer.close()
    assert (tmp_path / "t.tsv").read_bytes() == b"id\ttext\tspans\tmeta\r\nn1\tEva\t[]\t\r\n"
