"""How good a system is, by the rules of the official scorers, and what that means for a release.

One file per standard: `i2b2`, `meddocan`, `tab`, `spans`, `tags`. `release` holds the measures that decide a release,
`compare` tests two systems against each other, `errors` lists what went wrong, `stats` and `bootstrap` hold the bounds.
`Evaluation` puts them together.
"""

from innominate.evaluate.evaluation import STANDARDS, Evaluation
from innominate.evaluate.pairing import Missing, Pairing, paired

__all__ = ["STANDARDS", "Evaluation", "Missing", "Pairing", "paired"]
