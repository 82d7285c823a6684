"""Small notes and a small network, trained once for all tests that need one."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from innominate.core import annotated

NAMES = ["Rochat", "Lind", "Gil", "Nilsson", "Favre", "Blanc", "Moreno", "Berg", "Sanz", "Roux"]
SMALL = {
    "hidden": "24",
    "words": "16",
    "letter": "8",
    "filters": "8",
    "window": "24",
    "overlap": "8",
    "batch": "4",
    "rate": "0.02",
    "check": "4",
    "dropout": "0.2",
}


@cache
def letters(count, seed=0):
    """Notes with a doctor, a date and a patient, one after the other as in a letter."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        first, second = (NAMES[int(index)] for index in rng.integers(len(NAMES), size=2))
        day = f"{rng.integers(1, 28):02}.{rng.integers(1, 12):02}.2021"
        sentence = (
            f"Vu par Dr [{first}](DOCTOR) le [{day}](DATE), dose 12.5 mg.\nPatient : [{second}](PATIENT), examen normal."
        )
        made.append(annotated(sentence, f"n{number}"))
    return tuple(made)


@cache
def small_network(kind="bilstm-crf", epochs=6, notes=40, seed=1):
    """The folder of a network; with few epochs it is right more often than not, so that there is something to tune."""
    import torch

    from innominate.detect.neural.settings import of_kind
    from innominate.detect.neural.training.fit import fit

    torch.set_num_threads(1)
    folder = Path(mkdtemp(prefix="innominate-test-"))
    options = {**SMALL, "epochs": str(epochs), "seed": str(seed), "patience": "0", "average": "0.0"}
    fit(of_kind(kind).with_options(options), letters(notes), letters(8, seed=1), folder, device="cpu")
    return folder
