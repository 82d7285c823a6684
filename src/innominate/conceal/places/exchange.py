"""Exchanges after which everything is as common as before, although nothing may stay what it was."""

from __future__ import annotations

from collections.abc import Mapping

_TURNS = 60  # enough for six digits
_MOST = 0.6  # of all draws; what is more common than half of everything cannot be replaced by as much of itself


def balance_weights(shares: Mapping[str, float]) -> dict[str, float]:
    """Weights for drawing another one, so that all that is drawn together has the shares of what it stands for.

    Three towns in ten are Madrid, and Madrid itself becomes another one: the others have to become Madrid more often than
    three times in ten. With weights a, x becomes y with the chance a(y) / (1 - a(x)). Shares stay if as many go from x to y
    as from y to x, and that is so if a(x) (1 - a(x)) is in proportion to the share of x.

    >>> {name: round(weight, 2) for name, weight in balance_weights({"Madrid": 3, "Bilbao": 3, "Vigo": 2, "Jaca": 2}).items()}
    {'Madrid': 0.32, 'Bilbao': 0.32, 'Vigo': 0.18, 'Jaca': 0.18}
    """
    total = sum(shares.values())
    weights = {name: share / total for name, share in shares.items()}
    for _ in range(_TURNS):
        raised = {name: shares[name] / (1 - min(_MOST, weight)) for name, weight in weights.items()}
        total = sum(raised.values())
        weights = {name: weight / total for name, weight in raised.items()}
    return weights
