import pytest

from innominate.core import PluginError
from innominate.core.plugins import GROUPS, available, in_order, load


def test_an_unknown_plugin_is_named_with_those_there_are():
    with pytest.raises(PluginError, match="there are: class, mask"):
        load("concealers", "vanish")


def test_wrong_options_are_refused():
    with pytest.raises(PluginError, match="wrong options"):
        load("concealers", "mask", colour="red")


def test_a_circle_is_refused_and_shown():
    with pytest.raises(PluginError, match="circle"):
        in_order({"a": ["b"], "b": ["a"]})


def test_a_need_that_nobody_meets_is_refused():
    with pytest.raises(PluginError, match="street"):
        in_order({"house_number": ["street"]})


@pytest.mark.parametrize("group", GROUPS)
def test_every_declared_plugin_can_be_imported(group):
    for entry in available(group).values():
        assert callable(entry.load())
