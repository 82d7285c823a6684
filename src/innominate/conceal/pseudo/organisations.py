"""Surrogates for organisations, care units and named places: only the words that name change (Berg et al. 2020).

At least one word of every organisation changes. Where none of them is a name (`Service de cardiologie`), a specialty becomes
another one, or the kind of unit does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from innominate.conceal.pseudo.forms import begins_with_vowel, folded, like, other_characters, other_letter
from innominate.conceal.pseudo.names import Names
from innominate.conceal.pseudo.places import Places
from innominate.conceal.pseudo.tokens import title_gender
from innominate.conceal.pseudo.wordlists import Vocabulary, vocabulary
from innominate.detect.known.vocabulary import common

_WORD = re.compile("(?:[^\\W_][\u0300-\u036f]*)+")
_ACRONYM = 6  # letters of the longest one


@dataclass(slots=True)
class _Word:
    start: int
    end: int
    text: str
    form: str
    names: bool = False


@dataclass(frozen=True, slots=True)
class Organisations:
    """Renames organisations and places word by word, in agreement with towns and people of the same notes."""

    names: Names
    places: Places
    lang: str

    def replaced(self, text: str, *, of_places: bool = False) -> str:
        """The surrogate of an organisation or a unit, or of a place that no list knows as a town."""
        words = [_Word(m.start(), m.end(), m[0], folded(m[0])) for m in _WORD.finditer(text)]
        known = vocabulary(self.lang)
        for word in words:
            word.names = self._is_name(word, known, of_places=of_places)
        if not any(word.names for word in words):
            return self._without_name(text, words, known)
        parts: list[str] = []
        position = i = 0
        while i < len(words):
            if not words[i].names:
                i += 1
                continue
            last = self._longest(text, words, i)
            start, end = words[i].start, words[last].end
            parts += (text[position:start], self._named(text[start:end], known))
            position, i = end, last + 1
        return "".join([*parts, text[position:]])

    def _is_name(self, word: _Word, known: Vocabulary, *, of_places: bool) -> bool:
        form = word.form
        if any(character.isdigit() for character in form):
            return True
        if len(form) == 1 or title_gender(form, self.lang):  # S.A., Dr.
            return False
        if form in known.function or form in known.generic or known.is_specialty(form):
            return form in known.generic and word.text.isupper() and 1 < len(form) <= 3 and self.places.is_region(word.text)
        if of_places and form in known.of_places:
            return False
        if known.demonym_group(form):
            return True
        if word.text.islower() and form.endswith(known.endings):
            return False
        return not (word.text.islower() and form in common(self.lang))

    def _longest(self, text: str, words: list[_Word], i: int) -> int:
        """The last word of the longest town that begins here (`New York`), or the word itself."""
        if words[i].form not in self.places.atlas.beginnings:
            return i
        for last in range(min(len(words) - 1, i + 3), i, -1):
            if self.places.is_town(text[words[i].start : words[last].end]):
                return last
        return i

    def _named(self, text: str, known: Vocabulary) -> str:
        form = folded(text)
        turn = self.names.scope.turn(f"organisation {form}")
        rng = self.names.scope.rng("organisations", form, turn)
        if any(character.isdigit() for character in text):
            return other_characters(text, rng)
        if group := known.demonym_group(form):
            choices = [word for word in group if folded(word) != form]
            return like(text, choices[int(rng.random() * len(choices))])
        if self.places.is_town(text):
            return self.places.city(text)
        if self.places.is_region(text):
            return self.places.region(text)
        if self.lang == "sv" and form.endswith("s") and self.places.is_town(text[:-1]):
            return like(text, self.places.city(text[:-1]) + "s")
        for ending in known.endings if form.endswith(known.endings) else ():
            if form.endswith(ending) and len(form) > len(ending) + 2 and len(form) == len(text):
                stem = self.names.word(form[: -len(ending)], "last")
                return like(text, stem + text[-len(ending) :].lower())
        if text.isupper() and 1 < len(text) <= _ACRONYM:
            return self._acronym(text, rng)
        role = self.names.people.role(form) or ("first" if self._is_first(form) else "last")
        return like(text, self.names.word(form, role, self.names.people.gender(form) if role == "first" else ""))

    def _acronym(self, text: str, rng: Random) -> str:
        for _ in range(20):
            made = "".join(other_letter(letter, rng) for letter in text)
            if self.names.guard.allows(made):
                return made
        return made

    def _is_first(self, form: str) -> bool:
        return self.names.people.leaning(form) == "first"

    def _without_name(self, text: str, words: list[_Word], known: Vocabulary) -> str:
        """Change a specialty, else the kind of unit, else the last word that is no function word."""
        for choices in (known.specialties, known.units):
            forms = [folded(choice) for choice in choices]
            for word in reversed(words):
                if word.form in forms:
                    return text[: word.start] + self._other(word, choices) + text[word.end :]
        told = [word for word in words if word.form not in known.function] or words
        if not told:
            return text
        return text[: told[-1].start] + self._other(told[-1], known.units) + text[told[-1].end :]

    def _other(self, word: _Word, choices: tuple[str, ...]) -> str:
        allows, vowel = self.names.guard.allows, begins_with_vowel(word.form)
        rest = [choice for choice in choices if folded(choice) != word.form and allows(choice)] or list(choices)
        # after `de` and `l'` the surrogate has to begin like the original
        rest = [choice for choice in rest if begins_with_vowel(choice) == vowel] or rest
        chosen = rest[self.names.scope.number(len(rest), "organisations", "kind", word.form)]
        return like(word.text, chosen.capitalize() if word.text[:1].isupper() else chosen)
