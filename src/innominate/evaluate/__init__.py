"""How good a system is, by the rules of the official scorers, and what that means for a release.

One file per standard: `i2b2`, `meddocan`, `tab`, `spans`, `tags`. `release` holds the measures that decide a release,
`compare` tests two systems against each other, `errors` lists what went wrong, `stats` holds the bounds.
`Evaluation` puts them together, and the package can be called: `innominate.evaluate(gold, system)`.
"""

import sys
from types import ModuleType
from typing import Any

from innominate.evaluate.evaluation import STANDARDS, Evaluation, evaluate
from innominate.evaluate.pairing import Missing, Pairing, paired

__all__ = ["STANDARDS", "Evaluation", "Missing", "Pairing", "evaluate", "paired"]


class _Callable(ModuleType):
    """A package with the name of what it does: without this, importing it would hide the function of the front door."""

    def __call__(self, *given: Any, **options: Any) -> dict[str, Any]:
        """Call `evaluate`."""
        return evaluate(*given, **options)


sys.modules[__name__].__class__ = _Callable
