"""Gammas remembered between commands: each under a name that stands for everything its value depends on.

An answer that changes gives a continuum with another name, so nothing has to be forgotten, and nothing else worked out again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from innominate.campaign.agreement.alignment import Alignment, Unitary
from innominate.campaign.agreement.gamma import Gamma, Parameters
from innominate.campaign.agreement.units import Unit

VERSION = 1  # to be raised whenever a change of the program changes a value
Key = tuple[tuple[Unit, ...], ...]  # the units of each annotator, without names, in one order


class Memory(Protocol):
    """Where values are kept; a store is one."""

    def gammas(self) -> dict[str, str]:
        """Everything that is remembered, by its name."""

    def keep_gammas(self, found: Mapping[str, str]) -> None:
        """Remember more."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What else than the units a value depends on."""

    parameters: Parameters
    groups: Mapping[str, str]
    aligned: bool

    def name(self, key: Key) -> str:
        """The name of the value of some units.

        >>> plain = Naming(Parameters(), {}, aligned=True)
        >>> plain.name(((Unit(0, 3, "NAME"),), ())) == plain.name(((Unit(0, 4, "NAME"),), ()))
        False
        """
        groups = sorted(self.groups.items()) if self.parameters.within != 1 else []
        content = [VERSION, self.parameters.as_dict(), groups, self.aligned, key]
        return blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def pack_gamma(found: Gamma) -> str:
    """Write a value with its alignment as one line.

    >>> one = Alignment((Unitary({"0001": Unit(0, 3, "NAME")}, 1.0),), 2.0)
    >>> unpack_gamma(pack_gamma(Gamma(0.1, 2.0, 2.2, 0.3, 30, True, one))).alignment == one
    True
    """
    unitary = [[one.disorder, [[who, *unit] for who, unit in one.units.items()]] for one in found.alignment.unitary]
    return json.dumps({**found.as_dict(), "unitary": unitary}, ensure_ascii=False)


def unpack_gamma(line: str) -> Gamma:
    """Read what `pack_gamma` wrote."""
    values = json.loads(line)
    unitary = tuple(_unitary(disorder, units) for disorder, units in values.pop("unitary"))
    return Gamma(**values, alignment=Alignment(unitary, values["observed"], values["exact"]))


def _unitary(disorder: float, units: Sequence[Sequence[object]]) -> Unitary:
    return Unitary({str(who): Unit(*unit) for who, *unit in units}, disorder)  # type: ignore[arg-type]
