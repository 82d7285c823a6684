"""Surrogates for organisations, care units and named places: only the words that name change (Berg et al. 2020).

At least one word of every organisation changes. Where none of them is a name (`Service de cardiologie`), a specialty becomes
another one, or the kind of unit does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from innominate.conceal.likeness import begins_with_vowel, has_digit, other_characters, other_letter, write_like
from innominate.conceal.people.name_words import title_gender
from innominate.conceal.people.names import NameSurrogates
from innominate.conceal.places.atlas import atlas
from innominate.conceal.places.places import PlaceSurrogates
from innominate.conceal.vocabulary import CareWords, firms, institutions, vocabulary
from innominate.detect.known.vocabulary import common
from innominate.languages import load_language
from innominate.surrogates.weighted import Dice
from innominate.text.accents import fold_word

_WORD = re.compile("(?:[^\\W_][\u0300-\u036f]*)+")
_BREAK = re.compile(r"[,;:()\"/]")
_TRIES = 12
_ARTICLES = frozenset({"la", "las", "los", "el", "le", "les", "a", "o"})
_OF = frozenset({"de", "du", "des", "d", "del"})
_ELIDED = re.compile(r"\b([Dd])(?:e |['’])\Z")
_ORDINAL = re.compile(r"(?i)(\d{1,2})(er|re|e|[èe]me|st|nd|rd|th|:a|:e)")
_FLOORS = 12
_LONGEST = 6  # words of the name of a hospital
_ACRONYM = 6  # letters of the longest one


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    form: str
    names: bool  # it is the name, or a part of it


@dataclass(slots=True)
class OrganisationSurrogates:
    """Renames organisations and places word by word, in agreement with towns and people of the same notes."""

    names: NameSurrogates
    places: PlaceSurrogates
    lang: str

    def surrogate_of(self, text: str, *, of_places: bool = False) -> str:
        """The surrogate of an organisation or a unit, or of a place that no list knows as a town."""
        if firm := self.firm(text):
            return firm
        words, known = _words(text, self.lang, of_places), vocabulary(self.lang)
        if True not in [word.names for word in words]:
            return self._without_name(text, words, known)
        parts: list[str] = []
        position = i = 0
        while i < len(words):
            if not words[i].names:
                i += 1
                continue
            first, last, made = i, self._longest(text, words, i), ""
            if not of_places:
                first, named, made = self._called_after(text, words, i)
                last = named if made else last
            if not made:
                first, last = self._with_article(text, words, i, last)
                made = self._named(text[words[first].start : words[last].end], known, i > 0 and words[i - 1].form == "de")
            start, end = words[first].start, words[last].end
            parts += (self._agreeing(text[position:start], made), made)
            position, i = end, last + 1
        return "".join([*parts, text[position:]])

    def _agreeing(self, before: str, made: str) -> str:
        """What stands before a name, with the `de` or `d'` that French has before it."""
        if not load_language(self.lang).small_words.before_names:
            return before
        return _ELIDED.sub(r"\1'" if begins_with_vowel(made) else r"\1e ", before)

    def _with_article(self, text: str, words: Sequence[_Word], i: int, last: int) -> tuple[int, int]:
        """The first and last word of a town that has an article, `La Coruña`, `El Prat de Llobregat`; else of what it was."""
        if _has_article(words, i):
            for end in range(min(len(words), i + _LONGEST) - 1, i - 1, -1):
                if self.places.is_near(text[words[i - 1].start : words[end].end]):
                    return i - 1, end
        return i, last

    def firm(self, text: str) -> str:
        """Another firm for one of the list; empty for anything else."""
        form = fold_word(text.strip())
        choices = firms(self.lang).get(form)
        if not choices:
            return ""
        rng = self._rng(form, self.names.scope.turn(f"organisation {form}"))
        for _ in range(_TRIES):
            drawn = choices[int(rng.random() * len(choices))]
            if fold_word(drawn) != form and self.names.guard.allows(drawn):
                return text.replace(text.strip(), write_like(text, drawn), 1)
        return ""

    def _longest(self, text: str, words: Sequence[_Word], i: int) -> int:
        """The last word of the longest town that begins here (`New York`), or the word itself."""
        if words[i].form not in self.places.atlas.beginnings:
            return i
        for last in range(min(len(words) - 1, i + 3), i, -1):
            if self.places.is_near(text[words[i].start : words[last].end]):
                return last
        return i

    def _called_after(self, text: str, words: Sequence[_Word], i: int) -> tuple[int, int, str]:
        """Another name for what stands after `Hospital`, if it is of a list or of several words, with its first and last.

        The name is empty for anything else.
        """
        known, generic = institutions(self.lang), vocabulary(self.lang).generic
        if not known.by_words or not any(word.form in generic for word in words[:i]) or words[i].text.isupper():
            return i, i, ""
        first, last = self._listed_name(text, words, i)
        listed = last >= 0
        if not listed:
            first = i - _has_article(words, i)
            last = self._last_of_name(text, words, i)
        phrase = text[words[first].start : words[last].end]
        form, count = fold_word(phrase), len(phrase.split())
        titled = first > 0 and self._is_titled(words, first)
        elsewhere = self._is_elsewhere(phrase) or self.places.is_near(words[i].text)
        choices = known.by_words.get(count)
        if choices is None or titled or (not listed and (count == 1 or elsewhere)):
            return i, i, ""
        rng = self.names.scope.rng("organisations", "after", form, self.names.scope.turn(f"institution {form}"))
        for _ in range(_TRIES):
            drawn = choices.draw(rng)
            if (
                fold_word(drawn) != form
                and _goes_after(words[first - 1].form if first else "", drawn)
                and self.names.guard.allows(drawn)
            ):
                return first, last, drawn if has_digit(phrase) else write_like(phrase, drawn)  # `12 de octubre`
        return i, i, ""

    def _is_titled(self, words: Sequence[_Word], i: int) -> bool:
        """Whether a name is the rest of one after a title: `Morones` in `Dr. Ignacio Morones`."""
        while i > 1 and words[i - 1].names:
            i -= 1
        return bool(title_gender(words[i - 1].form, self.lang))

    def _listed_name(self, text: str, words: Sequence[_Word], i: int) -> tuple[int, int]:
        """The first and last word of the longest name of the list that begins with a word, or with the one before it."""
        forms, beginnings = institutions(self.lang).forms, institutions(self.lang).beginnings
        for first in (i - 1, i) if i else (i,):
            if words[first].form not in beginnings:
                continue
            for last in range(min(len(words), first + _LONGEST) - 1, first - 1, -1):
                if last >= i and fold_word(text[words[first].start : words[last].end]) in forms:
                    return first, last
        return i, -1

    def _is_elsewhere(self, text: str) -> bool:
        """Whether a text names a town, a region or its people."""
        return self.places.is_near(text) or self.places.is_region(text) or fold_word(text) in vocabulary(self.lang).demonyms

    def _last_of_name(self, text: str, words: Sequence[_Word], i: int) -> int:
        """The last word of a name that begins here: `Ramón y Cajal`, `12 de Octubre`; a town after it is not part of it."""
        last, known = i, vocabulary(self.lang)
        for j in range(i + 1, len(words)):
            if _BREAK.search(text, words[j - 1].end, words[j].start):
                break
            if words[j].form in known.function:
                continue
            inner = words[j].names or words[j].form in institutions(self.lang).saints
            if not inner or self.places.is_near(words[j].text):
                break
            last = j
        return last

    def _named(self, text: str, known: CareWords, after_of: bool) -> str:
        form = fold_word(text)
        turn = self.names.scope.turn(f"organisation {form}")
        if has_digit(text):
            ordinal = _ORDINAL.fullmatch(text)
            return self._floor(ordinal, turn) if ordinal else self._numbered(text, self._rng(form, turn))
        in_region = self.places.is_region(text)
        if in_region and text[:1].isupper():
            return self.places.in_name(text)
        if group := known.demonyms.get(form):
            choices = [word for word in group if fold_word(word) != form]
            chosen = choices[int(self._rng(form, turn).random() * len(choices))]
            return write_like(text, chosen.capitalize() if text[:1].isupper() else chosen)
        if self.places.is_near(text):
            return self.places.in_name(text)
        if in_region:
            return self.places.region(text)
        genitive = load_language(self.lang).names.genitive
        if genitive and form.endswith(genitive) and self.places.is_town(text[: -len(genitive)]):
            return write_like(text, self.places.city(text[: -len(genitive)]) + genitive)
        for ending in known.endings if form.endswith(known.endings) else ():
            if form.endswith(ending) and len(form) > len(ending) + 2 and len(form) == len(text):
                stem = self.names.alike(form[: -len(ending)], "last")
                return write_like(text, stem + text[-len(ending) :].lower())
        if text.isupper() and 1 < len(text) <= _ACRONYM:
            rng = self._rng(form, turn)
            return self.names.guard.draw_other(text, lambda: "".join(other_letter(letter, rng) for letter in text), 20)
        if after_of and load_language(self.lang).organisations.places_after_of and not self.names.people.role(form):
            return self.places.in_name(text)  # Hospital de Poniente
        role = self.names.people.role(form) or ("first" if self.names.people.leaning(form) == "first" else "last")
        return write_like(text, self.names.alike(form, role, self.names.people.gender(form) if role == "first" else ""))

    def _numbered(self, text: str, rng: Dice) -> str:
        for _ in range(_TRIES):
            if (drawn := other_characters(text, rng)) != text:
                break
        return drawn

    def _floor(self, text: re.Match[str], turn: str) -> str:
        """Another floor: `3e`, `2nd`; those of most houses."""
        floors = [n for n in range(2, 2 + _FLOORS) if n != int(text[1])]
        number = floors[int(self._rng(text[0], turn).random() * len(floors))]
        ending, ordinals = text[2], load_language(self.lang).ordinals
        if ordinals.other and ending[0].isalpha():
            ending = write_like(ending, ordinals.ending(number))
        elif fold_word(ending) in ("er", "re"):  # only the first has these
            ending = write_like(ending, "e")
        return f"{number}{ending}"

    def _rng(self, form: str, turn: str) -> Dice:
        return self.names.scope.rng("organisations", form, turn)

    def _without_name(self, text: str, words: Sequence[_Word], known: CareWords) -> str:
        """Change a specialty, else an adjective, else the kind of unit, else the last word that is no function word."""
        for word, choices in self._changeable(words, known):
            return text[: word.start] + self._other(word, choices) + text[word.end :]
        return text

    def _changeable(self, words: Sequence[_Word], known: CareWords) -> Iterator[tuple[_Word, tuple[str, ...]]]:
        """Words that may become another one, the best first, each with its choices."""
        for choices in (known.specialties, known.qualifiers):
            forms = _forms(choices)
            yield from ((word, choices) for word in reversed(words) if word.form in forms)
        for word in reversed(words):
            if ending := known.ending_of(word.form):
                yield word, tuple(stem + ending for stem in known.stems)
        yield from ((word, known.units[word.form]) for word in reversed(words) if word.form in known.units)
        told = [word for word in words if word.form not in known.function] or words
        if told:
            yield told[-1], next(iter(known.units.values()))

    def _other(self, word: _Word, choices: tuple[str, ...]) -> str:
        rest = _others(choices, word.form)
        guard = self.names.guard
        if not guard.allows_form(_joined(rest)):  # some hold an original
            allowed = [c for c in choices if (form := fold_word(c)) != word.form and guard.allows_form(form)] or list(choices)
            vowel = begins_with_vowel(word.form)
            rest = tuple([c for c in allowed if begins_with_vowel(c) == vowel] or allowed)
        chosen = rest[self.names.scope.number(len(rest), "organisations", "kind", word.form)]
        return write_like(word.text, chosen.capitalize() if word.text[:1].isupper() else chosen)


@lru_cache(maxsize=4096)  # the organisations of a town are few, and named in every note
def _words(text: str, lang: str, of_places: bool) -> tuple[_Word, ...]:
    """The words of an organisation or a place, each with whether it names."""
    found = ((*match.span(), match[0], fold_word(match[0])) for match in _WORD.finditer(text))
    return tuple([_Word(a, b, word, form, _is_name(word, form, lang, of_places=of_places)) for a, b, word, form in found])


def _is_name(word: str, form: str, lang: str, *, of_places: bool) -> bool:
    known = vocabulary(lang)
    if has_digit(form):
        return True
    if len(form) == 1 or title_gender(form, lang):  # S.A., Dr.
        return False
    if form in known.function or form in known.generic or form in known.specialty_forms:
        is_code = word.isupper() and 1 < len(form) <= 3
        return form in known.generic and is_code and form in atlas(lang).regions
    if of_places and form in known.of_places:
        return False
    if form in known.demonyms:
        return True
    if (word.islower() and form.endswith(known.endings)) or known.ending_of(form):
        return False
    return not (word.islower() and form in common(lang))


@cache
def _forms(choices: tuple[str, ...]) -> dict[str, None]:
    """The words of a list, folded."""
    return dict.fromkeys(map(fold_word, choices))


@cache
def _joined(choices: tuple[str, ...]) -> str:
    """The words of a list in one text, folded."""
    return " ".join(_forms(choices))


@lru_cache(maxsize=1024)
def _others(choices: tuple[str, ...], form: str) -> tuple[str, ...]:
    """The words of a list but for one; after `de` and `l'` the surrogate has to begin like the original."""
    rest = [choice for choice in choices if fold_word(choice) != form] or list(choices)
    vowel = begins_with_vowel(form)
    return tuple([choice for choice in rest if begins_with_vowel(choice) == vowel] or rest)


def _goes_after(before: str, name: str) -> bool:
    """Whether a name may stand after a folded word: `Hôtel des` is followed neither by `des Alpes` nor by `La Source`."""
    begins = fold_word(name).split()[0]
    return before not in _OF or (begins not in _OF and not (before in ("du", "des") and begins in _ARTICLES))


def _has_article(words: Sequence[_Word], i: int) -> bool:
    """Whether an article in capitals before a word belongs to the name: `La Paz`."""
    return i > 0 and words[i - 1].form in _ARTICLES and words[i - 1].text[:1].isupper()
