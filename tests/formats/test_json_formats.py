from __future__ import annotations

import json
from typing import Any

import pytest

from innominate.core import Document, Rejected, Span, annotated
from innominate.core.protocols import Format
from innominate.formats import MemoryFile, format_named, read, recognise
from innominate.formats.doccano import DoccanoFormat
from innominate.formats.json_records import read_json
from innominate.formats.label_studio import LabelStudioFormat
from innominate.formats.prodigy import ProdigyFormat
from innominate.formats.utf16_offsets import Utf16Offsets


def lines(*records: Any) -> MemoryFile:
    return MemoryFile("f.jsonl", b"\n".join(json.dumps(record).encode() for record in records), "f")


def only(file: MemoryFile, format: str | Format | None = None) -> Document:
    (item,) = read(file, format)
    assert isinstance(item, Document), item
    return item


FLAVOURS = {
    "jsonl": {"text": "Eva", "spans": [[0, 3, "NAME"]]},
    "prodigy": {"text": "Eva", "spans": [{"start": 0, "end": 3, "label": "NAME", "token_start": 0, "token_end": 0}]},
    "doccano": {"id": 7, "text": "Eva", "label": [[0, 3, "NAME"]]},
    "label-studio": {
        "id": 7,
        "data": {"text": "Eva"},
        "annotations": [{"result": [{"type": "labels", "value": {"start": 0, "end": 3, "text": "Eva", "labels": ["NAME"]}}]}],
    },
}


@pytest.mark.parametrize("name", FLAVOURS)
@pytest.mark.parametrize("file", ["f.json", "f.txt", "f.jsonl", "f"])
@pytest.mark.parametrize("array", [False, True])
def test_flavours_are_recognised_by_their_content(name: str, file: str, array: bool):
    record = FLAVOURS[name]
    data = json.dumps([record], indent=2) if array else json.dumps(record) + "\n"
    source = MemoryFile(file, b"\xef\xbb\xbf" + data.encode(), "f")
    assert recognise(source).name == name
    assert only(source).spans == (Span(0, 3, "NAME"),)


def test_jsonl_keeps_what_it_does_not_know():
    document = only(lines({"id": 3, "text": "Eva", "ward": 3, "meta": {"patient": "p1"}}))
    assert document == Document("3", "Eva", meta={"ward": 3, "patient": "p1"})


def test_jsonl_keeps_score_and_source():
    format = format_named("jsonl")
    written = format.encode(Document("n", "Eva", (Span(0, 3, "NAME", 0.25, "crf"),)))
    span = only(MemoryFile("x", written)).spans[0]
    assert (span.score, span.source) == (0.25, "crf")


def test_a_missing_id_is_the_file_and_the_line():
    assert [item.id for item in read(lines({"text": "a"}, {"text": "b"}))] == ["f:1", "f:2"]


BAD = [
    ('{"id": "n", "text": "Eva"', "not JSON at character"),
    ('"Eva"', "not a JSON object"),
    ('{"id": "n"}', "no text"),
    ('{"id": "n", "text": ["Eva"]}', "no text"),
    ('{"id": "n", "text": "Eva", "spans": {"Eva": 1}}', "not a list"),
    ('{"id": "n", "text": "Eva", "spans": ["Eva"]}', "neither an object"),
    ('{"id": "n", "text": "Eva", "spans": [[0, "Eva", "NAME"]]}', "whole numbers"),
    ('{"id": "n", "text": "Eva", "spans": [[0, true, "NAME"]]}', "whole numbers"),
    ('{"id": "n", "text": "Eva", "spans": [[0, 3, ""]]}', "no label"),
    ('{"id": "n", "text": "Eva", "spans": [[0, 4, "NAME"]]}', "after the 3 characters"),
    ('{"id": "n", "text": "Eva", "spans": [[2, 1, "NAME"]]}', "start < end"),
    ('{"id": "n", "text": "Eva", "spans": [{"start": 0, "end": 3, "label": "NAME", "score": "Eva"}]}', "wrong kind"),
    ('{"id": "n", "text": "Eva", "meta": "Eva"}', "meta"),
    ('{"id": "n", "text": "Eva", "x": ' + "[" * 100_000, "nested too deeply"),
    ('{"id": "n", "text": "Eva", "x": ' + "1" * 5000 + "}", "number too long"),
]


@pytest.mark.parametrize(("line", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_line_is_named_and_the_rest_goes_on(line: str, reason: str):
    source = MemoryFile("f.jsonl", b'{"id": "a", "text": "a"}\n\n' + line.encode() + b'\n{"id": "b", "text": "b"}\n', "f")
    first, bad, last = read(source)
    assert (first.id, last.id) == ("a", "b")
    assert isinstance(bad, Rejected)
    assert reason in bad.reason
    assert (bad.source, bad.line) == ("f.jsonl", 3)
    assert "Eva" not in str(bad)


def test_a_line_that_is_not_utf8_is_rejected_alone():
    items = list(read(MemoryFile("f.jsonl", b'{"text": "a"}\n{"text": "N\xe9e"}\n{"text": "b"}', "f")))
    assert [type(item) for item in items] == [Document, Rejected, Document]
    assert "not UTF-8" in items[1].reason


def test_a_line_far_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("innominate.formats.json_records.MAX_NOTE", 100)
    source = MemoryFile("f.jsonl", b'{"text": "a"}\n{"text": "' + b"x" * 500 + b'"}\n{"text": "b"}', "f")
    assert [type(item) for item in read(source)] == [Document, Rejected, Document]


def test_utf16_json_lines_are_read():
    source = MemoryFile("f.jsonl", '{"id": "1", "text": "Née 🙂"}\n{"id": "2", "text": "b"}\n'.encode("utf-16"), "f")
    assert [item.text for item in read(source)] == ["Née 🙂", "b"]


def test_an_array_may_cross_any_chunk(monkeypatch: pytest.MonkeyPatch):
    records = [{"id": str(number), "text": "é🙂" * number, "n": number} for number in range(30)]
    source = MemoryFile("f.json", json.dumps(records, ensure_ascii=False, indent=1).encode(), "f")
    for size in (1, 7, 64):
        monkeypatch.setattr("innominate.formats.json_records._CHUNK", size)
        assert [item.text for item in read_json(source, lambda record, id: Document(id, record["text"]))] == [
            record["text"] for record in records
        ]


def test_a_broken_array_says_that_the_rest_was_not_read():
    items = list(read(MemoryFile("f.json", b'[{"data": {"text": "Eva"}}, {"data": {"text": "Eva', "f"), "label-studio"))
    assert isinstance(items[0], Document)
    assert len(items) == 2
    assert "element 2" in items[1].reason
    assert "Eva" not in items[1].reason


def test_prodigy_keeps_its_own_keys_but_no_copy_of_the_text():
    task = {
        **FLAVOURS["prodigy"],
        "tokens": [{"text": "Eva", "start": 0, "end": 3, "id": 0}],
        "_session_id": "s-anna",
        "_annotator_id": "anna",
        "_input_hash": -3,
        "_task_hash": 5,
        "_timestamp": 1700000000,
        "answer": "accept",
        "meta": {"id": "n9", "ward": 3},
    }
    document = only(lines(task))
    assert document.id == "n9"
    assert document.meta["_input_hash"] == -3
    assert "tokens" not in document.meta
    written = json.loads(ProdigyFormat().encode(document))
    assert {key: written[key] for key in task if key.startswith("_") or key in ("answer", "meta")} == {
        key: value for key, value in task.items() if key.startswith("_") or key in ("answer", "meta")
    }


def test_prodigy_chooses_an_annotator():
    tasks = [{"id": "n", "text": "Eva", "_annotator_id": name, "answer": "accept"} for name in ("anna", "bo")]
    assert [type(item) for item in read(lines(*tasks))] == [Document, Rejected]
    assert only(lines(*tasks), ProdigyFormat(annotator="bo")).meta["_annotator_id"] == "bo"


def test_prodigy_gets_tokens_if_asked():
    document = Document("n", "Eva Berg slept.", (Span(0, 8, "NAME"), Span(9, 12, "X")))
    task = json.loads(ProdigyFormat(tokens=True).encode(document))
    assert [token["text"] for token in task["tokens"]] == ["Eva", "Berg", "slept", "."]
    assert (task["spans"][0]["token_start"], task["spans"][0]["token_end"]) == (0, 1)
    assert "token_start" not in task["spans"][1]


def test_doccano_with_relations():
    document = Document("7", "Eva", (Span(0, 3, "NAME"),), {"ward": 3})
    written = json.loads(DoccanoFormat(relations=True).encode(document))
    assert written["entities"] == [{"id": 0, "label": "NAME", "start_offset": 0, "end_offset": 3}]
    assert only(lines({**written, "relations": [{"id": 1, "from_id": 0, "to_id": 0, "type": "x"}]})) == document


@pytest.mark.parametrize("record", [{"entities": 3}, {"entities": [3]}, {"entities": [{"label": "X"}]}, {"label": "Eva"}])
def test_bad_doccano_records_are_rejected(record: dict[str, Any]):
    (item,) = read(lines({"id": 1, "text": "Eva", **record}), "doccano")
    assert isinstance(item, Rejected)
    assert "Eva" not in str(item)


def test_label_studio_counts_like_a_browser():
    document = annotated("🙂👩‍⚕️ Vu par [Eva 🙂 Berg](NAME) et [Bo](NAME)", id="n")
    value = json.loads(LabelStudioFormat().encode(document))["annotations"][0]["result"][0]["value"]
    units = document.text.encode("utf-16-le")
    assert units[2 * value["start"] : 2 * value["end"]].decode("utf-16-le") == "Eva 🙂 Berg"
    assert only(MemoryFile("x", b"[" + LabelStudioFormat().encode(document) + b"]")) == document


def test_label_studio_offsets_in_code_points_are_found_out():
    record = {
        "data": {"text": "🙂 Eva"},
        "annotations": [{"result": [{"value": {"start": 2, "end": 5, "text": "Eva", "labels": ["N"]}}]}],
    }
    (item,) = read(lines(record))
    assert isinstance(item, Rejected)
    assert "UTF-16" in item.reason


def test_inside_of_a_pair_is_no_position():
    (item,) = read(
        lines({"data": {"text": "🙂"}, "annotations": [{"result": [{"value": {"start": 1, "end": 2, "labels": ["N"]}}]}]})
    )
    assert "inside of a character" in item.reason


def test_utf16_offsets_are_those_of_the_encoded_text():
    text = "a🙂b👩‍⚕️\U0010ffffé"
    offsets = Utf16Offsets(text)
    for position in range(len(text) + 1):
        units = len(text[:position].encode("utf-16-le")) // 2
        assert offsets.units(position) == units
        assert offsets.points(units) == position


def task_of_two() -> dict[str, Any]:
    def result(start: int, end: int) -> list[dict[str, Any]]:
        return [
            {"type": "labels", "value": {"start": start, "end": end, "labels": ["NAME"]}},
            {"type": "choices", "value": {}},
        ]

    return {
        "id": 4,
        "data": {"text": "Eva and Bo", "ward": 3},
        "annotations": [
            {"completed_by": 1, "result": result(0, 3)},
            {"completed_by": {"id": 2, "email": "bo@example.org"}, "result": result(8, 10)},
            {"completed_by": 3, "was_cancelled": True, "result": result(0, 10)},
        ],
        "predictions": [{"model_version": "m1", "result": result(4, 7)}],
    }


def test_label_studio_does_not_choose_between_people():
    (item,) = read(lines(task_of_two()))
    assert "2 annotations" in item.reason


@pytest.mark.parametrize(
    ("options", "start"), [({"annotator": "1"}, 0), ({"annotator": "bo@example.org"}, 8), ({"predictions": True}, 4)]
)
def test_label_studio_reads_the_opinion_that_is_asked_for(options: dict[str, Any], start: int):
    document = only(lines(task_of_two()), LabelStudioFormat(**options))
    assert [span.start for span in document.spans] == [start]
    assert (document.id, document.meta) == ("4", {"ward": 3})


def test_label_studio_writes_suggestions():
    written = LabelStudioFormat(predictions=True).encode(Document("n", "Eva", (Span(0, 3, "NAME", 0.5),)))
    assert json.loads(written)["predictions"][0]["result"][0]["score"] == 0.5
    assert only(MemoryFile("x", written + b"\n")).spans[0].score == 0.5


@pytest.mark.parametrize("task", [{"data": 3}, {"data": {}}, {"data": {"text": "Eva"}, "annotations": [{"result": [3]}]}])
def test_bad_tasks_are_rejected(task: dict[str, Any]):
    (item,) = read(lines(task), "label-studio")
    assert isinstance(item, Rejected)
