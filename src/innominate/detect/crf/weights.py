"""What a model has learned, as plain arrays: no pickle, and the same bytes for the same training."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save

from innominate.core import UsageError
from innominate.detect.crf.features import split

VOCABULARY, ARRAYS = "attributes.txt", "weights.safetensors"
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})


@dataclass(frozen=True, slots=True)
class CrfWeights:
    """A weight for an attribute at an offset and a tag, and for a tag after another.

    Those of attribute `a` are `values[starts[a]:starts[a + 1]]`; their `columns` are `band * len(tags) + tag`. The bands are
    the offsets of the window from left to right, and one more for pairs and places.
    """

    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    starts: NDArray[np.int32]
    columns: NDArray[np.uint16]
    values: NDArray[np.float32]
    transitions: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        tags: Iterable[str],
        offsets: range,
        states: Mapping[tuple[str, str], float],
        transitions: Mapping[tuple[str, str], float],
    ) -> CrfWeights:
        """From weights by name: of (attribute, tag) and of (tag, next tag)."""
        tags = tuple(sorted(tags))
        index = {tag: number for number, tag in enumerate(tags)}
        rows: dict[str, list[tuple[int, float]]] = {}
        for (attribute, tag), weight in states.items():
            base, offset = split(attribute)
            band = len(offsets) if offset is None else offset - offsets.start
            rows.setdefault(base, []).append((band * len(tags) + index[tag], weight))
        attributes = tuple(sorted(rows))
        ordered = [sorted(rows[attribute]) for attribute in attributes]
        matrix = np.zeros((len(tags), len(tags)), np.float32)
        for (before, after), weight in transitions.items():
            matrix[index[before], index[after]] = weight
        return cls(
            tags,
            attributes,
            np.cumsum([0, *map(len, ordered)], dtype=np.int32),
            np.array([column for row in ordered for column, _ in row], np.uint16),
            np.array([value for row in ordered for _, value in row], np.float32),
            matrix,
        )

    def without_small(self, least: float) -> CrfWeights:
        """Without the weights nearer to 0 than `least`, and without attributes that have none left."""
        kept = np.abs(self.values) >= least
        counts = np.add.reduceat(kept, self.starts[:-1]) if len(self.values) else np.zeros(0, np.intp)
        names = tuple(name for name, count in zip(self.attributes, counts, strict=True) if count)
        starts = np.cumsum([0, *(int(count) for count in counts if count)], dtype=np.int32)
        return CrfWeights(self.tags, names, starts, self.columns[kept], self.values[kept], self.transitions)

    def save(self, folder: Path, *, half: bool = False) -> None:
        """Write two files; `half` keeps weights in 16 bits."""
        text = "\n".join(attribute.translate(_ESCAPES) for attribute in self.attributes)
        (folder / VOCABULARY).write_text(text, encoding="utf-8", newline="\n")
        values = self.values.astype(np.float16) if half else self.values
        arrays = {"starts": self.starts, "columns": self.columns, "values": values, "transitions": self.transitions}
        (folder / ARRAYS).write_bytes(save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))

    @classmethod
    def load(cls, folder: Path, tags: Iterable[str]) -> CrfWeights:
        """Read the two files."""
        try:
            text = (folder / VOCABULARY).read_text(encoding="utf-8")
            arrays = load_file(str(folder / ARRAYS))
        except OSError as error:
            raise UsageError(f"{folder}: a file of the model cannot be read: {error.strerror}") from error
        attributes = tuple(map(_plain, text.split("\n"))) if text else ()
        weights = cls(
            tuple(tags),
            attributes,
            arrays["starts"],
            arrays["columns"],
            arrays["values"].astype(np.float32),
            arrays["transitions"],
        )
        if len(attributes) + 1 != len(weights.starts) or weights.transitions.shape != (len(weights.tags),) * 2:
            raise UsageError(f"{folder}: the files of the model do not belong together; copy the whole folder again")
        return weights


def _plain(line: str) -> str:
    if "\\" not in line:
        return line
    parts = (part.replace("\\n", "\n").replace("\\r", "\r") for part in line.split("\\\\"))
    return "\\".join(parts)
