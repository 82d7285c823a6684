"""Gammas of many samples: equal ones are worked out once, and several processes share the work.

Every gamma starts from the declared seed, so a value does not depend on its neighbours, on their order, or on the number of
processes. Chance needs the number of annotators, not their names: two samples whose annotators marked the same places with the
same labels have the same gamma.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from innominate.campaign.agreement.alignment import Alignment, Continuum, Unitary
from innominate.campaign.agreement.gamma import Gamma, Parameters, compute_gamma
from innominate.campaign.agreement.memory import Key, Memory, Naming, pack_gamma, unpack_gamma

Progress = Callable[[int, int], None]  # done, of
AT_ONCE = 32  # small continuums that a process takes at a time
_WORTH_IT = 6  # fewer batches than this are not worth starting processes for


def compute_gammas(
    continuums: Mapping[str, Continuum],
    parameters: Parameters,
    groups: Mapping[str, str] | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    at_once: int = AT_ONCE,
    aligned: bool = True,
    memory: Memory | None = None,
) -> dict[str, Gamma]:
    """The gamma of every sample, by its id. Alignments are left out unless they are wanted (`aligned`).

    >>> from innominate.campaign.agreement.units import Unit
    >>> two = Continuum({"eva": [Unit(0, 3, "NAME")], "ola": [Unit(0, 4, "NAME")]})
    >>> other = Continuum({"siv": [Unit(0, 4, "NAME")], "ulf": [Unit(0, 3, "NAME")]})
    >>> found = compute_gammas({"n1": two, "n2": other}, Parameters())
    >>> found["n1"].value == found["n2"].value, dict(found["n2"].alignment.unitary[0].units)["ulf"].end
    (True, 3)
    """
    keys = {id: _key(continuum) for id, continuum in continuums.items()}
    naming = Naming(parameters, dict(groups or {}), aligned)
    names = {key: naming.name(key) for key in keys.values()}
    known = memory.gammas() if memory is not None else {}
    values = {key: unpack_gamma(known[name]) for key, name in names.items() if name in known}
    missing = [key for key in names if key not in values]
    batches = [missing[start : start + at_once] for start in range(0, len(missing), at_once)]
    for some in _computed(batches, naming, workers):
        values.update(some)
        if memory is not None:
            memory.keep_gammas({names[key]: pack_gamma(value) for key, value in some})
        if progress:
            progress(len(values), len(names))
    return {id: _named(values[keys[id]], continuum) for id, continuum in continuums.items()}


def _computed(batches: Sequence[Sequence[Key]], naming: Naming, workers: int) -> Iterable[list[tuple[Key, Gamma]]]:
    if workers < 2 or len(batches) < _WORTH_IT:
        yield from (_batch(batch, naming) for batch in batches)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy locks and connections of a server
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for task in [pool.submit(_batch, batch, naming) for batch in batches]:
            yield task.result()


def _batch(keys: Sequence[Key], naming: Naming) -> list[tuple[Key, Gamma]]:
    found = [(key, compute_gamma(_continuum(key), naming.parameters, dict(naming.groups))) for key in keys]
    return found if naming.aligned else [(key, _plain(value)) for key, value in found]


def _plain(value: Gamma) -> Gamma:
    """Without the alignment, which is large where samples are pooled."""
    return replace(value, alignment=Alignment((), value.observed, value.exact))


def _order(continuum: Continuum) -> list[str]:
    return sorted(continuum.annotators, key=lambda who: (continuum.units[who], who))


def _key(continuum: Continuum) -> Key:
    return tuple(continuum.units[who] for who in _order(continuum))


def _continuum(key: Key) -> Continuum:
    return Continuum({f"{number:04}": units for number, units in enumerate(key)})


def _named(value: Gamma, continuum: Continuum) -> Gamma:
    """Give the alignment the names of its own annotators."""
    names = dict(zip(_continuum(_key(continuum)).annotators, _order(continuum), strict=True))
    unitary = [
        Unitary({names[number]: unit for number, unit in one.units.items()}, one.disorder) for one in value.alignment.unitary
    ]
    return replace(value, alignment=Alignment(tuple(unitary), value.alignment.disorder, value.alignment.exact))
