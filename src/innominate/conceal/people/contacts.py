"""Surrogates for e-mail addresses and user names, which follow the person, and for web and network addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from innominate.conceal.likeness import other_characters, write_like
from innominate.conceal.people.names import NameSurrogates
from innominate.conceal.vocabulary import read_data
from innominate.surrogates.contacts import ascii_word
from innominate.surrogates.weighted import Dice
from innominate.text.accents import fold_word

_ADDRESS = re.compile(r"(?s)(?P<local>.*?)(?P<at>\s?(?:@|\(at\)|\[at\])\s?)(?P<domain>.*)")
_LETTERS = re.compile(r"[^\W\d_]+|\d+")
_WEB = re.compile(r"(?is)(?P<scheme>(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?)(?P<host>[^/?#:\s]+)(?P<port>:\d+)?(?P<path>.*)")
_V4 = re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}")
_MAC = re.compile(r"(?i)[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}")
_V4_RANGES = ("192.0.2.", "198.51.100.", "203.0.113.")  # kept for documentation, RFC 5737
_SHORTEST = 3
_TRIES = 8


@dataclass(slots=True)
class ContactSurrogates:
    """Gives addresses their surrogates."""

    names: NameSurrogates

    def email(self, text: str) -> str:
        """The name of the person's surrogate at a domain that nobody can own."""
        found = _ADDRESS.fullmatch(text)
        if not found:
            return self.username(text)
        domain = self._domain(found["domain"])
        return f"{self.username(found['local'])}{found['at']}{domain}"

    def username(self, text: str) -> str:
        """A login or the local part of an address: names become their surrogates, initials and digits change along."""
        kept = _kept("kept_locals")
        if fold_word(text) in kept:
            return text
        known = self.names.people.roles
        named = any(fold_word(part) in known for part in _LETTERS.findall(text))
        return _LETTERS.sub(lambda part: self._part(part[0], kept, named=named), text)

    def _part(self, word: str, kept: frozenset[str], *, named: bool) -> str:
        if word[0].isdigit():
            return other_characters(word, self._rng("digits", word))
        form = fold_word(word)
        if form in kept:
            return word
        people = self.names.people
        if form in people.roles or form in people.slips:
            return self._written(word, self._name(form))
        if len(form) <= 2:
            # beside a name they are first names, `ml.rochat`; alone they are both, `mr`
            turned = [self.names.letter(letter, "last" if i and not named else "first") for i, letter in enumerate(form)]
            return write_like(word, "".join(turned))
        glued = self._glued(form)
        if glued:
            return self._written(word, glued)
        role = people.leaning(form) or "last"
        return self._written(word, self.names.word(form, role, people.gender(form) if role == "first" else ""))

    def _name(self, form: str) -> str:
        role = self.names.people.role(self.names.people.meant(form)) or "last"
        gender = self.names.people.gender(self.names.people.meant(form)) if role == "first" else ""
        return self.names.word(form, role, gender)

    def _glued(self, form: str) -> str:
        """`mlchristiansen`: a known name with initials or another name before or after it."""
        known = sorted((name for name in self.names.people.roles if len(name) >= _SHORTEST and name in form), key=len)
        if not known:
            return ""
        name = known[-1]
        before, _, after = form.partition(name)
        return self._rest(before) + ascii_word(self._name(name)) + self._rest(after)

    def _rest(self, form: str) -> str:
        if form in self.names.people.roles:
            return ascii_word(self._name(form))
        if len(form) <= 3:
            return "".join(self.names.letter(letter, "first") for letter in form)
        return ascii_word(self.names.word(form, "last"))

    @staticmethod
    def _written(word: str, surrogate: str) -> str:
        """In the letters of an address, unless the original has others."""
        return write_like(word, surrogate if not word.isascii() else _in_ascii(surrogate))

    def _domain(self, text: str) -> str:
        """A reserved domain with as many parts."""
        stripped = text.rstrip(".,;:>) ")
        tail = text[len(stripped) :]
        rng = self._rng("domain", fold_word(stripped))
        domains, subdomains = read_data("contacts.toml")["domains"], read_data("contacts.toml")["subdomains"]
        parts = [subdomains[int(rng.random() * len(subdomains))] for _ in range(max(0, stripped.count(".") - 1))]
        return write_like(stripped, ".".join([*parts, domains[int(rng.random() * len(domains))]])) + tail

    def url(self, text: str) -> str:
        """The scheme stays, the host becomes a reserved one, words and numbers of the path change."""
        if "@" in text and "/" not in text:
            return self.email(text)
        found = _WEB.fullmatch(text)
        if not found:
            return other_characters(text, self._rng("url", text))
        rng = self._rng("path", found["path"])
        kept = _kept("kept_paths")
        path = _LETTERS.sub(lambda part: part[0] if part[0].lower() in kept else _path_word(part[0], rng), found["path"])
        return f"{found['scheme']}{self._domain(found['host'])}{found['port'] or ''}{path}"

    def ip(self, text: str) -> str:
        """An address from a range kept for documentation (RFC 5737, 3849, 7042)."""
        rng = self._rng("ip", text)
        for _ in range(_TRIES):
            drawn = _V4.sub(lambda _: _V4_RANGES[int(rng.random() * 3)] + str(1 + int(rng.random() * 254)), text)
            drawn = _MAC.sub(lambda m: m[1].join(["00", "00", "5E", "00", "53", f"{int(rng.random() * 256):02X}"]), drawn)
            if drawn == text and ":" in text:
                drawn = f"2001:db8::{int(rng.random() * 65535):x}:{int(rng.random() * 65535):x}"
            if drawn == text:
                drawn = other_characters(text, rng)
            if self.names.guard.allows(drawn):
                break
        return drawn

    def _rng(self, *context: str) -> Dice:
        return self.names.scope.rng("contacts", *context, self.names.scope.turn(" ".join(context)))


def _path_word(text: str, rng: Dice) -> str:
    if text[0].isdigit():
        return other_characters(text, rng)
    paths = read_data("contacts.toml")["paths"]
    return str(paths[int(rng.random() * len(paths))])


def _in_ascii(surrogate: str) -> str:
    return write_like(surrogate, ascii_word(surrogate)).title() if surrogate[:1].isupper() else ascii_word(surrogate)


@cache
def _kept(key: str) -> frozenset[str]:
    return frozenset(read_data("contacts.toml")[key].split())
