"""Gammas of many samples: equal ones are worked out once, several processes share the work, and a store remembers the values.

Every gamma starts from the declared seed, so a value does not depend on its neighbours, on their order, or on the number of
processes. Chance needs the number of annotators, not their names: two samples whose annotators marked the same places with the
same labels have the same gamma. A value is remembered under a name that stands for everything it depends on; an answer that
changes gives another name, so nothing has to be forgotten, and nothing else worked out again.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TypeVar

from innominate.campaign.agreement.alignment import Alignment, Continuum, MarkedUnit, Unitary
from innominate.campaign.agreement.gamma import Gamma, Parameters, compute_gamma
from innominate.campaign.store import Store

Id = TypeVar("Id", bound=Hashable)
Key = tuple[tuple[MarkedUnit, ...], ...]  # the units of each annotator, without names, in one order
Progress = Callable[[int, int], None]  # done, of
VERSION = 1  # to be raised whenever a change of the program changes a value
AT_ONCE = 32  # small continuums that a process takes at a time
_WORTH_IT = 6  # fewer batches than this are not worth starting processes for


def compute_gammas(
    continuums: Mapping[Id, Continuum],
    parameters: Parameters,
    groups: Mapping[str, str] | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    at_once: int = AT_ONCE,
    aligned: bool = True,
    memory: Store | None = None,
) -> dict[Id, Gamma]:
    """The gamma of every sample, by its id. Alignments are left out unless they are wanted (`aligned`).

    >>> two = Continuum({"eva": [MarkedUnit(0, 3, "NAME")], "ola": [MarkedUnit(0, 4, "NAME")]})
    >>> other = Continuum({"siv": [MarkedUnit(0, 4, "NAME")], "ulf": [MarkedUnit(0, 3, "NAME")]})
    >>> found = compute_gammas({"n1": two, "n2": other}, Parameters())
    >>> found["n1"].value == found["n2"].value, dict(found["n2"].alignment.unitary[0].units)["ulf"].end
    (True, 3)
    """
    how = GammaWork(parameters, dict(groups or {}), aligned)
    keys = {id: tuple(continuum.units[who] for who in _order(continuum)) for id, continuum in continuums.items()}
    names = {key: how.name(key) for key in keys.values()}
    known = memory.gammas() if memory is not None else {}
    values = {key: unpack_gamma(known[name]) for key, name in names.items() if name in known}
    missing = [key for key in names if key not in values]
    for some in _share_out([missing[start : start + at_once] for start in range(0, len(missing), at_once)], how, workers):
        values.update(some)
        if memory is not None:
            memory.keep_gammas({names[key]: pack_gamma(value) for key, value in some.items()})
        if progress:
            progress(len(values), len(names))
    return {id: _name_annotators(values[keys[id]], continuum) for id, continuum in continuums.items()}


@dataclass(frozen=True, slots=True)
class GammaWork:
    """What a value depends on besides the units."""

    parameters: Parameters
    groups: dict[str, str]
    aligned: bool

    def name(self, key: Key) -> str:
        """The name of the value of some units.

        >>> plain = GammaWork(Parameters(), {}, aligned=True)
        >>> plain.name(((MarkedUnit(0, 3, "NAME"),), ())) == plain.name(((MarkedUnit(0, 4, "NAME"),), ()))
        False
        """
        groups = sorted(self.groups.items()) if self.parameters.within != 1 else []
        content = [VERSION, self.parameters.as_dict(), groups, self.aligned, key]
        return blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()

    def compute(self, keys: Iterable[Key]) -> dict[Key, Gamma]:
        """Work out some values; an alignment is large where samples are pooled."""
        found = {}
        for key in keys:
            value = compute_gamma(
                Continuum({_number(place): units for place, units in enumerate(key)}), self.parameters, self.groups
            )
            found[key] = value if self.aligned else replace(value, alignment=Alignment((), value.observed, value.exact))
        return found


def _share_out(batches: Sequence[Sequence[Key]], how: GammaWork, workers: int) -> Iterable[dict[Key, Gamma]]:
    if workers < 2 or len(batches) < _WORTH_IT:
        yield from map(how.compute, batches)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy locks and connections of a server
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from pool.map(how.compute, batches)


def _order(continuum: Continuum) -> list[str]:
    return sorted(continuum.annotators, key=lambda who: (continuum.units[who], who))


def _number(place: int) -> str:
    """What stands for the name of an annotator."""
    return f"{place:04}"


def _name_annotators(value: Gamma, continuum: Continuum) -> Gamma:
    """Give the alignment the names of its own annotators."""
    names = {_number(place): who for place, who in enumerate(_order(continuum))}
    unitary = (replace(one, units={names[who]: unit for who, unit in one.units.items()}) for one in value.alignment.unitary)
    return replace(value, alignment=replace(value.alignment, unitary=tuple(unitary)))


def pack_gamma(found: Gamma) -> str:
    """Write a value with its alignment as one line.

    >>> one = Alignment((Unitary({"0001": MarkedUnit(0, 3, "NAME")}, 1.0),), 2.0)
    >>> unpack_gamma(pack_gamma(Gamma(0.1, 2.0, 2.2, 0.3, 30, True, one))).alignment == one
    True
    """
    unitary = [[one.disorder, [[who, *unit] for who, unit in one.units.items()]] for one in found.alignment.unitary]
    return json.dumps({**found.as_dict(), "unitary": unitary}, ensure_ascii=False)


def unpack_gamma(line: str) -> Gamma:
    """Read what `pack_gamma` wrote."""
    values = json.loads(line)
    unitary = [
        Unitary({who: MarkedUnit(*unit) for who, *unit in units}, disorder) for disorder, units in values.pop("unitary")
    ]
    return Gamma(**values, alignment=Alignment(tuple(unitary), values["observed"], values["exact"]))
