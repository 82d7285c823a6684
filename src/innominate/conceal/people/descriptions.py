"""Words about a person: professions, nationalities, civil status, relations. Another one of the same kind and gender."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import write_like
from innominate.conceal.scope import Scope
from innominate.conceal.vocabulary import vocabulary
from innominate.languages import language_folder, load_language
from innominate.text.accents import fold_word

_WORD = re.compile(r"[^\W\d_]+")
_TRIES = 20
DESCRIBED = frozenset({"profession", "nationality", "civil", "kin"})


@dataclass(slots=True)
class DescriptionSurrogates:
    """Gives words about people their surrogates, from the lists that the synthetic notes are made with."""

    scope: Scope
    lang: str
    guard: Guard

    def surrogate_of(self, text: str, kind: str) -> str | None:
        """Another entry of the list, of the same gender and with as many words if there is one; None without a list."""
        form = " ".join(fold_word(text).split())
        gender = next((g for g in ("f", "m") if form in _entries(self.lang, kind, g)), "")
        entries = _choices(self.lang, kind, gender, 0)
        if not entries:
            return None
        alike = _choices(self.lang, kind, gender, len(text.split())) or entries
        rng = self.scope.rng("descriptions", kind, form, self.scope.turn(f"{kind} {form}"))
        for choices in (alike, entries):
            for _ in range(_TRIES):
                drawn = choices[int(rng.random() * len(choices))]
                if fold_word(drawn) != form and self.guard.allows(drawn):
                    return write_like(text, drawn[:1].upper() + drawn[1:] if text[:1].isupper() else drawn)
        return None


def is_description(text: str, kind: str, lang: str) -> bool:
    """Say whether all words of a text belong to the list of a kind or are function words: then it holds no name."""
    known = description_words(lang, kind) | vocabulary(lang).function
    return all(fold_word(word) in known for word in _WORD.findall(text)) and not any(map(str.isdigit, text))


@cache
def _entries(lang: str, kind: str, gender: str) -> dict[str, str]:
    """The entries of a list, by folded form; those with a town or a number in them are left out."""
    path = language_folder(lang) / "lexicon" / f"{kind}_{gender}.txt"
    if not path.exists():
        return {}
    lines = [line.split("\t")[0].strip() for line in path.read_text("utf-8").splitlines()]
    return {fold_word(line): line for line in lines if line and not line.startswith("#") and "{" not in line}


@cache
def _choices(lang: str, kind: str, gender: str, words: int) -> tuple[str, ...]:
    """The entries of a gender, or of both, with so many words; 0 for any number."""
    lists = [_entries(lang, kind, one) for one in (gender or "fm")]
    return tuple(entry for one in lists for entry in one.values() if not words or len(entry.split()) == words)


@cache
def description_words(lang: str, kind: str, gender: str = "") -> frozenset[str]:
    """The words that the list of a kind is made of, folded: all of them, or those of a gender."""
    entries = [form for one in (gender or "fm") for form in _entries(lang, kind, one)]
    listed = frozenset(word for form in entries for word in _WORD.findall(form))
    # words in the plural and those of parents and children together, which the lists by gender do not have
    return listed | load_language(lang).kin.words if kind == "kin" and not gender else listed
