"""Oracle cases, raw: read without our own readers, so that a scorer is tested and nothing else."""

import json
from dataclasses import dataclass
from math import isclose
from pathlib import Path

import pytest
from lxml import etree

from innominate.core import Document, Span
from innominate.evaluate.i2b2 import I2b2Note, Tag

COPIED = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[3] / "shared" / "oracles"


@dataclass(frozen=True)
class Oracle:
    """One standard's folder: inputs and the official numbers."""

    folder: Path

    @property
    def expected(self):
        return json.loads((self.folder / "expected.json").read_text(encoding="utf-8"))

    @property
    def cases(self):
        return json.loads((self.folder / "cases.json").read_text(encoding="utf-8"))

    def runs(self):
        """Name, gold folder and expected numbers of every scored system."""
        content = self.expected
        for name, numbers in content["main"]["systems"].items():
            yield name, self.folder / content["main"]["gold"], self.folder / numbers["system"], numbers
        for name, numbers in content["edge"].items():
            yield name, self.folder / numbers["gold"], self.folder / numbers["system"], numbers


def oracles(standard):
    """Parametrise a test over the copied cases and, where it is at hand, the whole set."""
    absent = pytest.mark.skipif(not SHARED.is_dir(), reason="skipped: ../shared/oracles not found")
    return pytest.mark.parametrize(
        "oracle",
        [
            pytest.param(Oracle(COPIED / standard), id="copied"),
            pytest.param(Oracle(SHARED / standard), id="shared", marks=absent),
        ],
    )


def differences(found, expected, tolerance=1e-9, where=""):
    """Every place where numbers differ; counts exactly, rates within the tolerance, and what is only ours is not looked at."""
    if isinstance(expected, dict):
        missing = [f"{where}/{key} is missing" for key in expected.keys() - found.keys()]
        both = expected.keys() & found.keys()
        return missing + [d for key in both for d in differences(found[key], expected[key], tolerance, f"{where}/{key}")]
    if isinstance(expected, list):
        if len(found) != len(expected):
            return [f"{where}: {len(found)} instead of {len(expected)}"]
        pairs = enumerate(zip(found, expected, strict=True))
        return [d for i, (a, b) in pairs for d in differences(a, b, tolerance, f"{where}/{i}")]
    if isinstance(expected, float) and isinstance(found, (int, float)):
        close = isclose(found, expected, rel_tol=tolerance, abs_tol=1e-15)
        return [] if close else [f"{where}: {found} instead of {expected}"]
    return [] if found == expected else [f"{where}: {found!r} instead of {expected!r}"]


def i2b2_notes(folder):
    """Tags as they stand in the XML, strings and all."""
    return {path.stem: _i2b2_note(path) for path in sorted(folder.glob("*.xml"))}


def _i2b2_note(path):
    root = etree.parse(path).getroot()
    tags = [Tag(tag.tag, tag.get("start"), tag.get("end"), tag.get("TYPE")) for tag in root.find("TAGS")]
    return I2b2Note(path.stem, root.find("TEXT").text or "", tags)


def brat_documents(folder):
    """Text-bound annotations; lines that do not start with T are passed over."""
    return {path.stem: _brat_document(path) for path in sorted(folder.glob("*.txt"))}


def _brat_document(path):
    lines = path.with_suffix(".ann").read_text(encoding="utf-8").split("\n")
    fields = [line.split("\t")[1].split(" ") for line in lines if line.startswith("T")]
    spans = [Span(int(start), int(end), label) for label, start, end in fields]
    return Document(path.stem, path.read_bytes().decode("utf-8"), tuple(spans))


def on_both_sides(gold, system):
    """Pairs as the official scorers make them."""
    return [(gold[id], system[id]) for id in gold if id in system]
