"""Continuums for tests: cases with the numbers of pygamma-agreement, and random ones."""

import json
from pathlib import Path

from hypothesis import strategies as st

from innominate.campaign.agreement.alignment import Continuum, MarkedUnit

LIBRARY = Path(__file__).parent / "data" / "pygamma.json"
SHARED = Path(__file__).parents[3] / "shared" / "oracles" / "gamma"


def continuum(annotators):
    return Continuum({who: [MarkedUnit(*unit) for unit in units] for who, units in annotators.items()})


def shared(name):
    return json.loads((SHARED / name).read_text(encoding="utf-8")) if SHARED.is_dir() else {}


@st.composite
def small_continuums(draw):
    """At most four annotators with at most three units each, close enough to compete."""
    annotators = draw(st.integers(2, 4))
    unit = st.builds(
        lambda start, length, label: MarkedUnit(start, start + length, label),
        st.integers(0, 25),
        st.integers(1, 12),
        st.sampled_from(["DATE", "NAME"]),
    )
    most = 3 if annotators < 4 else 2
    found = {f"a{number}": draw(st.lists(unit, max_size=most, unique=True)) for number in range(annotators)}
    if not any(found.values()):
        found["a0"] = [MarkedUnit(0, 5, "NAME")]
    return Continuum(found)
