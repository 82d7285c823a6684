"""The random numbers of numpy's classic generator, without numpy.

pygamma-agreement draws from `numpy.random`; with the same numbers in the same order, the same seed gives the same gamma. The
stream is the Mersenne Twister with its first seeding of 1998; normal numbers come in pairs by Marsaglia's polar method.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random

_WORDS = 624


class Stream:
    """Random numbers from a seed of 32 bits.

    >>> stream = Stream(4577)  # numpy.random.seed(4577); numpy.random.normal(5, 2); numpy.random.random_sample()
    >>> round(stream.normal(5, 2), 12), round(stream.uniform(), 12)
    (3.317025327959, 0.556732354277)
    """

    def __init__(self, seed: int) -> None:
        words, word = [], seed & 0xFFFFFFFF
        for place in range(_WORDS):
            words.append(word)
            word = (1812433253 * (word ^ (word >> 30)) + place + 1) & 0xFFFFFFFF
        generator = Random()
        generator.setstate((3, (*words, _WORDS), None))
        self.uniform = generator.random  # both take 53 bits from two words
        self._held: float | None = None

    def normal(self, mean: float, deviation: float) -> float:
        """A normal number."""
        if self._held is not None:
            held, self._held = self._held, None
            return mean + deviation * held
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            square = x * x + y * y
            if 0 < square < 1:
                break
        factor = sqrt(-2 * log(square) / square)
        self._held = factor * x
        return mean + deviation * factor * y
