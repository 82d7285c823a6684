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

from innominate.campaign.alignment import Alignment, Continuum, Unit, Unitary
from innominate.campaign.gamma import Gamma, Parameters, gamma

Key = tuple[tuple[Unit, ...], ...]  # the units of each annotator, without names, in one order
Progress = Callable[[int, int], None]  # done, of
AT_ONCE = 32  # small continuums that a process takes at a time
_WORTH_IT = 6  # fewer batches than this are not worth starting processes for


def gammas(
    continuums: Mapping[str, Continuum],
    parameters: Parameters,
    groups: Mapping[str, str] | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    at_once: int = AT_ONCE,
) -> dict[str, Gamma]:
    """The gamma of every sample, by its id.

    >>> two = Continuum({"eva": [Unit(0, 3, "NAME")], "ola": [Unit(0, 4, "NAME")]})
    >>> other = Continuum({"siv": [Unit(0, 4, "NAME")], "ulf": [Unit(0, 3, "NAME")]})
    >>> found = gammas({"n1": two, "n2": other}, Parameters())
    >>> found["n1"].value == found["n2"].value, dict(found["n2"].alignment.unitary[0].units)["ulf"].end
    (True, 3)
    """
    keys = {id: _key(continuum) for id, continuum in continuums.items()}
    distinct = list(dict.fromkeys(keys.values()))
    values: dict[Key, Gamma] = {}
    batches = [distinct[start : start + at_once] for start in range(0, len(distinct), at_once)]
    for some in _computed(batches, parameters, dict(groups or {}), workers):
        values.update(some)
        if progress:
            progress(len(values), len(distinct))
    return {id: _named(values[keys[id]], continuum) for id, continuum in continuums.items()}


def _computed(
    batches: Sequence[Sequence[Key]], parameters: Parameters, groups: dict[str, str], workers: int
) -> Iterable[list[tuple[Key, Gamma]]]:
    if workers < 2 or len(batches) < _WORTH_IT:
        yield from (_batch(batch, parameters, groups) for batch in batches)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy locks and connections of a server
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for task in [pool.submit(_batch, batch, parameters, groups) for batch in batches]:
            yield task.result()


def _batch(keys: Sequence[Key], parameters: Parameters, groups: dict[str, str]) -> list[tuple[Key, Gamma]]:
    return [(key, gamma(_continuum(key), parameters, groups)) for key in keys]


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
