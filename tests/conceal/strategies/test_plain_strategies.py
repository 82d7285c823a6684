import pytest

from innominate.conceal import conceal
from innominate.core import annotated
from innominate.core.plugins import load


@pytest.mark.parametrize(("name", "text"), [("class", "<First_Name> slept on <Date_Part>."), ("mask", "XXXX slept on XXXX.")])
def test_the_example_of_the_strategy(name, text):
    concealed = conceal(annotated("[Eva](First_Name) slept on [Monday](Date_Part)."), load("concealers", name))
    assert concealed.document.text == text
