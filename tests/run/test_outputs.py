"""Which format an output gets, and with which options."""

from innominate.run.inputs import Inputs
from innominate.run.outputs import output_format


def test_a_table_written_as_it_was_read_keeps_columns_delimiter_and_safety(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("id;text;ward\nn1;'=1+1 Eva;3\n", encoding="utf-8")
    inputs = Inputs((str(path),), "csv", {"spreadsheet_safe": True})
    table = output_format("out.csv", None, inputs, {})
    (document,) = inputs.documents()
    assert table.header() == "\ufeffid;text;ward;spans;meta\r\n".encode()
    assert table.encode(document) == b"n1;'=1+1 Eva;3;[];\r\n"
