import re
from random import Random

import pytest

from innominate.languages import language_codes
from innominate.surrogates import contacts
from innominate.surrogates.names import draw_name
from innominate.surrogates.weighted import Weighted

EMAIL = re.compile(r"[a-z0-9.-]+@[a-z0-9-]+(\.[a-z0-9-]+)+")


@pytest.mark.parametrize("lang", language_codes())
@pytest.mark.parametrize("work", [True, False])
def test_addresses_are_well_formed_and_hold_the_name(lang, work):
    rng = Random(1)
    for _ in range(300):
        name = draw_name(lang, rng)
        address = contacts.email(name, lang, rng, work=work)
        assert EMAIL.fullmatch(address), address
        assert contacts.ascii_word(name.last[0]).replace("-", "") in address.replace("-", "")


def test_web_and_net_addresses():
    rng = Random(2)
    assert all(re.fullmatch(r"(https?://)?(www\.)?[a-z0-9.-]+(/[a-z-]+)?", contacts.url("es", rng)) for _ in range(100))
    assert all(0 < int(part) < 256 for _ in range(100) for part in contacts.ip(rng).split("."))


def test_weights_are_kept():
    coin = Weighted(["a", "b"], [9, 1])
    rng = Random(3)
    assert 8500 < sum(coin.draw(rng) == "a" for _ in range(10_000)) < 9500
    assert [round(weight) for weight in coin.weights()] == [9, 1]
    with pytest.raises(ValueError, match="nothing"):
        Weighted([])
