"""Lists that come from libraries: names, places, ordinary words. Read once and kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import version

from innominate.core import UsageError
from innominate.detect.rules.cache import cache_folder, cached

LOCALE = {"en": "en_US", "fr": "fr_CH", "sv": "sv_SE", "es": "es_ES"}


@cache
def provided(name: str, lang: str) -> frozenset[str]:
    """The words of a library's list, such as `names:first` or `words:common`."""
    if name not in PROVIDERS:
        raise UsageError(f"names a list {name!r}; libraries give: {', '.join(PROVIDERS)}")
    libraries, make = PROVIDERS[name]
    versions = " ".join(f"{library} {version(library)}" for library in libraries)
    key = hashlib.sha256(f"{name} {lang} {versions} 1".encode()).hexdigest()[:24]
    content = cached(cache_folder() / f"list-{key}.txt", lambda: "\n".join(sorted(make(lang))).encode())
    return frozenset(content.decode().splitlines())


def _common(lang: str) -> set[str]:
    """Words that are too ordinary to be a name by themselves."""
    from wordfreq import top_n_list

    return {word for word in top_n_list(lang, 12_000) if len(word) > 1 and word.isalpha()}


PROVIDERS: dict[str, tuple[tuple[str, ...], Callable[[str], set[str]]]] = {
    "words:common": (("wordfreq",), _common),
}
