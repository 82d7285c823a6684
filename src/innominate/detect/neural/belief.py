"""What a network believes of a note, in the form that the recall dial reads: IOB2, one row per piece."""

from __future__ import annotations

import numpy as np

from innominate.detect.dial.threshold import OUTSIDE, Marginals
from innominate.detect.neural.chain import Floats
from innominate.detect.neural.tagset import Place, Tagset


def fold_to_iob2(text: str, places: list[Place], tagset: Tagset, reading: tuple[Floats, list[int]]) -> Marginals:
    """Marginals and best tags of any scheme as those of IOB2: a single piece begins a span, a last one is inside it.

    >>> sure = np.array([[0.25, 0.25, 0, 0, 0.5]], np.float32)
    >>> found = fold_to_iob2("Eva", [(0, 3)], Tagset(("NAME",)), (sure, [4]))
    >>> found.tags, found.probabilities.tolist(), found.best.tolist()
    (('O', 'B-NAME', 'I-NAME'), [[0.25, 0.75, 0.0]], [1])
    """
    probabilities, best = reading
    plain = Tagset(tagset.labels, "IOB2")
    columns = [plain.ids[_plain(tag)] for tag in tagset.tags]
    folded = np.zeros((len(places), len(plain.tags)), np.float32)
    for column, target in enumerate(columns):
        folded[:, target] += probabilities[:, column]
    chosen = np.zeros(len(places), np.intp)
    for begin, end, label in tagset.decode(best):
        chosen[begin:end] = plain.ids[f"I-{label}"]
        chosen[begin] = plain.ids[f"B-{label}"]
    return Marginals(text, [start for start, _ in places], [end for _, end in places], plain.tags, folded, chosen)


def _plain(tag: str) -> str:
    return tag if tag == OUTSIDE else f"{'B' if tag[0] in 'BS' else 'I'}{tag[1:]}"
