"""The same gammas from pygamma-agreement itself, in a process of its own: a second opinion on our numbers.

The library keeps its random numbers in one global place, takes a thread per core and seconds to load; none of that belongs
into a server or a pipeline. It needs the `agreement` extra. Its values and ours differ by its 32-bit arithmetic only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from innominate.campaign.agreement.alignment import Continuum
from innominate.campaign.agreement.gamma import Parameters
from innominate.core import ProcessingError, UsageError

SECONDS = 600.0  # for all continuums of a call


def library_gammas(
    continuums: Mapping[str, Continuum], parameters: Parameters, *, seconds: float = SECONDS
) -> dict[str, dict[str, Any]]:
    """Value, observed and expected disorder and number of samples of each continuum, as the library has them."""
    if parameters.delta != 1 or parameters.within != 1:
        raise UsageError("pygamma-agreement is right for delta = 1 and without groups only: its category part ignores both")
    units = {id: {who: list(units) for who, units in continuum.units.items()} for id, continuum in continuums.items()}
    request = json.dumps({"parameters": asdict(parameters), "continuums": units})
    quiet = {**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "innominate.campaign.agreement.library"]
    try:
        done = subprocess.run(
            command, input=request, capture_output=True, text=True, timeout=seconds, check=False, env=quiet, encoding="utf-8"
        )
    except subprocess.TimeoutExpired as error:
        raise ProcessingError("pygamma-agreement", error) from None
    if done.returncode == 2:
        raise UsageError("pygamma-agreement is not installed; install innominate[agreement]")
    if done.returncode:
        raise ProcessingError("pygamma-agreement", ChildProcessError())
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def largest_difference(
    continuums: Mapping[str, Continuum], ours: Mapping[str, float], parameters: Parameters
) -> dict[str, Any]:
    """Compare our gammas with the library's: of how many, the largest difference, and at which sample."""
    theirs = library_gammas(continuums, parameters)
    differences = {id: abs(found["value"] - ours[id]) for id, found in theirs.items()}
    worst = max(differences, key=lambda id: differences[id], default=None)
    return {"n": len(differences), "largest": differences[worst] if worst is not None else None, "sample": worst}


def _ask_library(request: Mapping[str, Any]) -> dict[str, Any]:
    """In the other process: ask the library about every continuum, each with the seed set again."""
    import numpy
    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity
    from pygamma_agreement import Continuum as LibraryContinuum

    parameters, answer = Parameters(**request["parameters"]), {}
    # made once: it compiles itself, which takes seconds
    dissimilarity = CombinedCategoricalDissimilarity(alpha=parameters.alpha, beta=parameters.beta, delta_empty=1.0)
    for id, annotators in request["continuums"].items():
        continuum = LibraryContinuum()
        for who, units in annotators.items():
            continuum.add_annotator(who)
            for start, end, label in units:
                continuum.add(who, Segment(start, end), label)
        numpy.random.seed(parameters.seed)
        result = continuum.compute_gamma(dissimilarity, n_samples=parameters.samples, precision_level=parameters.precision)
        answer[id] = {
            "value": float(result.gamma),
            "observed": float(result.observed_disorder),
            "expected": float(result.expected_disorder),
            "samples": int(result.n_samples),
        }
    return answer


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # that one solver of two is missing, at every call
    try:
        import pygamma_agreement  # noqa: F401
    except ImportError:
        sys.exit(2)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as reply:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # one of its solvers writes about its work to the standard output
        json.dump(_ask_library(json.load(sys.stdin)), reply)
