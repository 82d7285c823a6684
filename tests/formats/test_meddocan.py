"""All 750 documents of MEDDOCAN (train and dev) through the formats that hold spans."""

from __future__ import annotations

from pathlib import Path

import pytest

from innominate.core import Document
from innominate.formats import read_documents, write

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "meddocan"

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS.is_dir(), reason="the MEDDOCAN corpus is not in ../shared/corpora"),
]


@pytest.fixture(scope="module")
def corpus() -> dict[str, Document]:
    return {document.id: document for part in ("train", "dev") for document in read_documents(CORPUS / part)}


def test_the_corpus_is_read_completely(corpus: dict[str, Document]):
    assert len(corpus) == 750
    lines = sum(
        line.startswith("T")
        for part in ("train", "dev")
        for path in (CORPUS / part).glob("*.ann")
        for line in path.read_text(encoding="utf-8").split("\n")
    )
    assert sum(len(document.spans) for document in corpus.values()) == lines


@pytest.mark.parametrize(
    ("format", "target"), [("brat", "out"), ("i2b2", "out"), ("jsonl", "out.jsonl"), ("conll", "out.conll"), ("text", "out")]
)
def test_every_document_comes_back(corpus: dict[str, Document], format: str, target: str, tmp_path: Path):
    assert write(corpus.values(), tmp_path / target, format) == 750
    assert {document.id: document for document in read_documents(tmp_path / target)} == corpus


@pytest.mark.parametrize("part", ["train", "dev"])
def test_brat_files_come_back_with_the_same_lines(part: str, tmp_path: Path):
    write(read_documents(CORPUS / part), tmp_path, "brat")
    for path in (CORPUS / part).glob("*.txt"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
