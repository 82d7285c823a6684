"""Agreement by pairs: what is pooled, and what it notices."""

import pytest

from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.agreement.pairs import mean_gammas, pairwise_agreement
from innominate.core import Span


def test_pairs_pool_only_what_both_did():
    """Ola did not do n40 and later: that is no disagreement. Nobody did enough with Siv."""
    span = [Span(2, 6, "NAME")]
    samples = {f"n{n:02}": {"eva": span, "ola": span if n % 10 else []} for n in range(40)}
    samples |= {f"n{n:02}": {"eva": span} for n in range(40, 60)}
    samples["n00"]["siv"] = span
    pairs = pairwise_agreement(samples, dict.fromkeys(samples, 20), Parameters(precision=None))
    found = {pair.pair: pair for pair in pairs}
    assert found["eva", "ola"].samples == 40
    assert found["eva", "ola"].units == 76
    assert found["eva", "ola"].overlap.strict.f() == pytest.approx(2 * 36 / 76)
    assert 0.8 < found["eva", "ola"].gamma.value < 1
    assert found["eva", "siv"].gamma is None
    assert set(mean_gammas(pairs)) == {"eva", "ola"}


def test_gamma_hardly_notices_limits_and_strict_f1_does():
    samples = {f"n{n:02}": {"eva": [Span(0, 10, "NAME")], "ola": [Span(0, 10 - n % 2, "NAME")]} for n in range(40)}
    (pair,) = pairwise_agreement(samples, dict.fromkeys(samples, 30), Parameters(precision=None))
    assert pair.gamma.value > 0.99
    assert pair.overlap.strict.f() == 0.5
