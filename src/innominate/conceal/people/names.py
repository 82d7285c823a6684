"""Surrogates for names of people: word for word, the same kind, case, gender, rarity and typography."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import has_digit, misspell, other_characters, write_like
from innominate.conceal.people.bank import bank, is_accented, other_initials
from innominate.conceal.people.mentions import KnownPeople, NameMention
from innominate.conceal.people.name_words import NameWord
from innominate.conceal.people.real_names import RealNames
from innominate.conceal.scope import Scope
from innominate.core import Span
from innominate.languages import load_language
from innominate.text.accents import fold_word, strip_accents

_PLAIN = ("", " ")  # what mostly stands between the words of a name
_SYLLABLES = tuple(a + b for a in "bdfgklmnprstv" for b in "aeio")


@dataclass(slots=True)
class NameSurrogates:
    """Gives each word of a name its surrogate, a keyed function of the folded word, its part and its gender.

    The initial of a surrogate follows from the initial of the original alone (one keyed table of letters for first names and
    one for last names, after Stubbs et al. 2015), so that `M.-L. C.` agrees with the full name wherever it stands.
    """

    scope: Scope
    people: KnownPeople
    guard: Guard
    real: tuple[RealNames, ...] = ()  # full names of other people, which no surrogate may be
    _letters: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)
    _words: dict[tuple[str, str, str, str], str] = field(default_factory=dict, repr=False)

    def surrogate_of(self, mention: NameMention, span: Span, text: str) -> str:
        """The surrogate of one span of a mention; what stands between its words stays, digits change."""
        parts: list[str] = []
        position, language = span.start, load_language(self.people.lang)
        for token in mention.within(span):
            made = self.token(token)
            if not made.isascii() and (not language.names.accents or self._is_plain(mention)):
                made = strip_accents(made)
            between = text[position : token.start]
            parts += (between if between in _PLAIN else self._between(between), made)
            position = token.end
        if position < span.end:
            parts.append(self._between(text[position : span.end]))
        return "".join(parts)

    def token(self, token: NameWord) -> str:
        """The surrogate of one word."""
        if token.sort == "name":
            return write_like(token.text, self.word(token.form, token.role or "last", token.gender))
        if token.sort == "initial":
            role = token.role or "last"
            turned = self.letter(token.form[0], role, self.scope.turn(f"{role} {token.form[0]}")).upper()
            return write_like(token.text, turned) if token.text.islower() else turned
        if token.sort == "letters":
            turned = "".join([self.letter(letter, "first") for letter in token.form[:-1]])
            turned += self.letter(token.form[-1], "last")
            return write_like(token.text, turned.upper())
        return token.text

    def _is_plain(self, mention: NameMention) -> bool:
        """Whether a name is written without the accents it should have: `Jose Garcia`."""
        names = [token for token in mention.tokens if token.sort == "name"]
        if not all(token.text.isascii() for token in names):
            return False
        return any(is_accented(self.people.lang, token.gender if token.role == "first" else "", token.form) for token in names)

    def word(self, form: str, role: str, gender: str = "") -> str:
        """The surrogate of a folded word; a misspelling becomes the same misspelling of the surrogate."""
        meant, scope = self.people.meant(form), self.scope
        memory = (meant, role, gender, "" if scope.steady else scope.turn(f"{role} {meant}"))
        surrogate = self._words.get(memory)
        if surrogate is None:
            surrogate = self._words[memory] = self._draw(*memory)
        if meant == form:
            return surrogate
        rng = self.scope.rng("slips", form)
        longer = surrogate
        for _ in range(6):
            wrong = misspell(meant, form, longer, rng)
            if wrong != surrogate and self.guard.allows(wrong):
                return wrong
            longer = longer if wrong != longer else surrogate + surrogate[-1]
        return surrogate

    def alike(self, form: str, role: str, gender: str = "") -> str:
        """A name for a folded word that is part of another name, such as that of a street; for a person's it is theirs."""
        if self.people.role(form):
            return self.word(form, role, gender)
        turn = "" if self.scope.steady else self.scope.turn(f"{role} {form}")
        rng = self.scope.rng("names", "alike", role, gender, form, turn)
        drawers = bank(self.people.lang, (gender or "f") if role == "first" else "")
        found = drawers.draw(rng, "", form, self.guard.allows_form)
        return found or self.word(form, role, gender)

    def letter(self, letter: str, role: str, turn: str = "") -> str:
        """The initial that an initial becomes.

        It is drawn with the key, once for each letter, as often as names begin with it and whatever the original is: the mix
        of initials stays, and a surrogate's initial says nothing about the original's, but that it is another.
        """
        digest = self._letters.get((role, turn))
        if digest is None:
            digest = self._letters[role, turn] = self.scope.digest("letters", role, turn)
        place = ord(letter) % 26  # nine bits of the digest for each letter
        return other_initials(self.people.lang, role, letter)[digest >> 9 * place & 511]

    def _draw(self, form: str, role: str, gender: str, turn: str) -> str:
        rng = self.scope.rng("names", role, gender, form, turn)
        drawers = bank(self.people.lang, (gender or "f") if role == "first" else "")
        letter = self.letter(form[0], role, turn)
        allows = self._allows(form) if self.real and role == "last" and self.scope.steady else self.guard.allows_form
        found = drawers.draw(rng, letter, form, allows)
        if found is not None:
            return found
        for _ in range(100):  # every name is an original: invent one
            made = (
                letter + "".join(_SYLLABLES[int(rng.random() * len(_SYLLABLES))] for _ in range(2 + len(form) // 6))
            ).title()
            if allows(fold_word(made)):
                return made
        return letter.upper()

    def _allows(self, form: str) -> Callable[[str], bool]:
        """Whether a surname may stand for a folded one: it is nobody's real name with a first name that stands beside it."""
        firsts = {
            fold_word(self.word(first.form, "first", first.gender))
            for mentions in self.people.mentions.values()
            for mention in mentions
            if any(token.sort == "name" and self.people.meant(token.form) == form for token in mention.tokens)
            for first in mention.tokens
            if first.sort == "name" and first.role == "first"
        }
        return lambda other: (
            self.guard.allows_form(other) and not any(names.hold(first, other) for names in self.real for first in firsts)
        )

    def _between(self, text: str) -> str:
        """Blanks and marks stay; digits that were marked with a name do not."""
        if has_digit(text):
            return other_characters(text, self.scope.rng("names", "digits", text))
        return text
