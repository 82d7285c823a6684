"""The recall dial: operating points of a model, saved beside it, and what `--recall` means.

`F1` ... `F40` are points of the grid; `0.995` is the cheapest point at which the recall of identifiers was shown to be that
high; `names=F20,dates=F1` sets groups of labels, each label by a threshold of its own.
"""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from innominate.core import Span, UsageError
from innominate.detect.dial.threshold import UNCHANGED, Marginals, Point, decide, spans_of
from innominate.detect.models.cards import as_toml
from innominate.labels import recall_groups
from innominate.labels import taxonomy as labels_of

DIAL = "dial.toml"
_BETA = re.compile(r"F(\d+(?:\.\d+)?)\Z")


@dataclass(frozen=True, slots=True)
class Curve:
    """Recall at thresholds on the summed probability of PHI, from the cheapest on; `shown` is its lower confidence bound."""

    thresholds: Sequence[float] = ()
    recall: Sequence[float] = ()
    shown: Sequence[float] = ()
    precision: Sequence[float] = ()
    identifiers: int = 0
    confidence: float = 0.95

    def point(self, recall: float) -> Point:
        """The cheapest point at which so much recall was shown."""
        for threshold, shown in zip(self.thresholds, self.shown, strict=True):
            if shown >= recall:
                return Point(1 - threshold, 0.0)
        best, least = max(self.shown, default=0.0), identifiers_needed(recall, self.confidence)
        raise UsageError(
            f"a recall of {recall:g} cannot be shown with the {self.identifiers:,} identifiers this model was tuned on (at "
            f"most {best:.4f} at {100 * self.confidence:g} %); it takes at least {least:,} "
            "identifiers of which none is missed. Tune it on more notes, or ask for less"
        )


def identifiers_needed(recall: float, confidence: float = 0.95) -> int:
    """How many identifiers, all of them found, show a recall.

    >>> identifiers_needed(0.995), identifiers_needed(0.999)
    (598, 2995)
    """
    return math.ceil(math.log(1 - confidence) / math.log(recall)) if recall < 1 else 10**9


@dataclass(frozen=True, slots=True)
class Dial:
    """Operating points by beta, for all labels and for each, the curve behind recalls, and the calibration of scores."""

    points: Mapping[str, Point] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, Point]] = field(default_factory=dict)  # "F10" -> label -> point
    curve: Curve = field(default_factory=Curve)
    raw: Sequence[float] = ()  # scores of the model, rising
    right: Sequence[float] = ()  # and how often spans with that score were right
    tuned_on: Mapping[str, Any] = field(default_factory=dict)

    def calibrated(self, raw: float) -> float:
        """How often a span with this score was right; between two known scores a straight line."""
        if not self.raw:
            return raw
        at = bisect_left(self.raw, raw)
        if at == 0 or at == len(self.raw):
            return self.right[min(at, len(self.raw) - 1)]
        left, right = self.raw[at - 1], self.raw[at]
        share = (raw - left) / (right - left)
        return self.right[at - 1] * (1 - share) + self.right[at] * share

    def spans(self, found: Marginals, points: Mapping[str, Point], source: str) -> list[Span]:
        """The spans of a note at operating points, with calibrated scores."""
        return spans_of(found, decide(found, points), source, self.calibrated)

    def choose(self, wanted: str, labels: Sequence[str], taxonomy: str) -> dict[str, Point]:
        """What `--recall` asks for, as a point for each label. Nothing asked is F1, if there is one."""
        if not wanted:
            return dict.fromkeys(labels, self.points.get("F1", UNCHANGED))
        if "=" not in wanted:
            return dict.fromkeys(labels, self._point(wanted))
        chosen = dict.fromkeys(labels, self.points.get("F1", UNCHANGED))
        for part in wanted.split(","):
            group, _, value = part.partition("=")
            for label in labels_in_group(group.strip(), labels, taxonomy):
                chosen[label] = self.labels.get(value.strip(), {}).get(label) or self._point(value.strip())
        return chosen

    def _point(self, wanted: str) -> Point:
        if wanted in self.points:
            return self.points[wanted]
        if not self.points:
            raise UsageError("this model has no operating points yet; make them with `innominate tune MODEL --dev NOTES`")
        try:
            recall = float(wanted)
        except ValueError:
            recall = 0.0
        if not 0 < recall < 1:
            known = ", ".join(self.points)
            raise UsageError(f"--recall is one of {known}, or a recall between 0 and 1 such as 0.995, not {wanted!r}")
        return self.curve.point(recall)


def labels_in_group(group: str, labels: Sequence[str], taxonomy: str) -> list[str]:
    """The labels of a group: those of kinds that are recalled together such as `names`, a category of the taxonomy, or one."""
    known = labels_of(taxonomy).labels if taxonomy else {}
    if group.lower() in recall_groups():
        found = [label for label in labels if label in known and known[label].kind.recall == group.lower()]
    else:
        found = [label for label in labels if label == group or (label in known and known[label].category == group)]
    if not found:
        words = ", ".join(recall_groups())
        raise UsageError(
            f"--recall: {group!r} is no group of labels; there are {words}, and labels and categories of {taxonomy}"
        )
    return found


def current_dial(folder: Path) -> Dial:
    """The dial of a model as it is now, read again only when it was tuned again."""
    path = folder / DIAL
    return _dial_of(folder, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=16)
def _dial_of(folder: Path, _changed: int) -> Dial:
    return read_dial(folder)


def read_dial(folder: Path) -> Dial:
    """Read the dial of a model; a model that was never tuned has an empty one."""
    path = folder / DIAL
    if not path.is_file():
        return Dial()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        points = {name: Point(**point) for name, point in content["points"].items()}
        labels = {
            name: {label: Point(**point) for label, point in table.items()}
            for name, table in content.get("labels", {}).items()
        }
        curve, calibration = Curve(**content["curve"]), content["calibration"]
        return Dial(points, labels, curve, calibration["raw"], calibration["right"], content["tuned_on"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: not a dial that this version reads; make it again with `innominate tune`") from error


def write_dial(dial: Dial, folder: Path) -> Path:
    """Write the dial into the folder of its model."""
    curve = {name: getattr(dial.curve, name) for name in Curve.__slots__}
    content: dict[str, Any] = {
        "tuned_on": dial.tuned_on,
        "points": {name: point._asdict() for name, point in dial.points.items()},
        "labels": {name: {label: point._asdict() for label, point in table.items()} for name, table in dial.labels.items()},
        "curve": {name: list(value) if isinstance(value, list | tuple) else value for name, value in curve.items()},
        "calibration": {"raw": list(dial.raw), "right": list(dial.right)},
    }
    path = folder / DIAL
    path.write_text(as_toml(content), encoding="utf-8", newline="\n")
    return path
