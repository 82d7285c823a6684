"""A wrong or missing field is an error that names the file, the field and the remedy."""

from pathlib import Path

import pytest

from innominate.core import FormatError, UsageError
from innominate.languages import Language, language_codes, language_folder, load_language
from innominate.languages.tables import build, read_table, split_entries

FRENCH = Path(str(language_folder("fr")))


def changed(tmp_path, old, new):
    """Load French with one change in its `language.toml`."""
    text = (FRENCH / "language.toml").read_text("utf-8")
    assert old in text
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "language.toml").write_text(text.replace(old, new, 1), "utf-8")
    return read_table(Language, folder, "language.toml", {"code": "xx", "folder": folder})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('locale = "fr_CH"\n', "", "xx/language.toml: locale is missing; add it (a text)"),
        ('locale = "fr_CH"\n', "locale = 4\n", "xx/language.toml: locale has to be a text"),
        ('locale = "fr_CH"\n', 'lcale = "fr_CH"\n', "xx/language.toml: lcale is no field; there are: name, locale"),
        ("before_names = true\n", "before_names = 1\n", "xx/language.toml: small_words.before_names has to be true or false"),
        ("house_joined = false\n", "", "xx/language.toml: known.house_joined is missing; add it (true or false)"),
        ('model = ["18 octobre 2022", ', "model = [", "xx/language.toml: dates.model has to be a list"),
        ('name = "French"', 'name = "French', "xx/language.toml: not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_field_and_remedy(tmp_path, old, new, message):
    with pytest.raises(FormatError) as caught:
        changed(tmp_path, old, new)
    assert str(caught.value).startswith(message)


def test_a_file_that_is_missing_is_named(tmp_path):
    language = changed(tmp_path, "locale", "locale")
    with pytest.raises(FormatError, match=r"xx/streets.toml: the file is missing"):
        _ = language.streets


def test_a_language_that_is_not_there_is_an_error_that_names_those_that_are():
    with pytest.raises(UsageError, match=f"no language 'tlh'; there are: {', '.join(language_codes())}"):
        load_language("tlh")


def test_a_list_may_be_one_string():
    assert split_entries("a b\nc") == ["a", "b", "c"]
    assert split_entries("Gran Vía|Dos de Mayo\nAlfonso X") == ["Gran Vía", "Dos de Mayo", "Alfonso X"]


def test_numbers_are_keys_only_where_numbers_are_asked_for():
    from innominate.languages.language import Ordinals

    with pytest.raises(FormatError, match=r"x.toml: endings has to be a table"):
        build(Ordinals, {"endings": {"first": "st"}}, "x.toml")
