import pytest

from innominate.core import UsageError
from innominate.run.settings import Settings, read_settings


def test_settings_come_from_toml_and_options_win(tmp_path):
    (tmp_path / "run.toml").write_text('lang = "fr"\npolicy = "mask"\ncleaners = ["fold"]\n')
    settings = read_settings(tmp_path / "run.toml").with_options(policy="class", lang=None)
    assert (settings.lang, settings.policy, settings.cleaners) == ("fr", "class", ("fold",))


@pytest.mark.parametrize("content", ['language = "fr"', 'lang = "xx"', 'policy = "vanish"', "lang = "])
def test_a_wrong_setting_is_refused_with_its_name(tmp_path, content):
    (tmp_path / "run.toml").write_text(content)
    with pytest.raises(UsageError):
        read_settings(tmp_path / "run.toml")


def test_the_fingerprint_changes_with_every_choice():
    others = [Settings(lang="fr"), Settings(policy="mask"), Settings(cleaners=()), Settings(keep_meta=("lang",))]
    assert len({settings.fingerprint() for settings in [Settings(), *others]}) == 5
