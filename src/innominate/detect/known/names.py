"""A patient's names, their initials, and e-mail addresses made of them.

Every word of a name is looked for by itself, through typos, case, accents, glued words and particles, so order and hyphens do
not matter. A word that could be something else, in lower case or misspelt, counts only beside a title or another name of the
patient.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from innominate.detect.known.passage import Hit, Passage
from innominate.detect.known.patients import Patient
from innominate.detect.known.vocabulary import common, is_after_title, is_particle, is_word, near, spellings, titles
from innominate.surrogates.names import split_name
from innominate.text.accents import fold_word

GLUED = 4  # letters from which on a name is looked for inside of other words
_SHORT = 3  # letters up to which a name alone says little
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"[\s,.'’-]{0,3}")
_PARTICLE_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]+)(?:\s{1,2}|['’]|-)\Z")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The words of a patient's names, folded, with what they are."""

    kinds: dict[str, str]  # "first" or "last"
    particles: frozenset[str]
    glue: frozenset[str]  # what may stand before or after a name without a blank: titles, other names, initials
    lang: str

    @classmethod
    def of(cls, patient: Patient, initials: Iterable[str], lang: str) -> KnownNames:
        """Prepare the names of a patient."""
        kinds: dict[str, str] = {}
        particles: set[str] = set()
        for kind, name in names_of_patient(patient):
            words = _WORD.findall(name.lower())
            particles.update(form for word in words for form in spellings(word) if is_particle(form))
            cores = [form for word in words for form in spellings(word) if not is_particle(form)] or spellings("".join(words))
            joined = spellings("".join(words)) if len(words) > 1 else ()
            for form in (*cores, *joined):
                kinds.setdefault(form, kind)
        kinds = {form: kind for form, kind in kinds.items() if len(form) > 1}
        return cls(kinds, frozenset(particles), frozenset({*kinds, *initials, *titles(), "s", ""}), lang)

    def hits(self, passage: Passage) -> list[Hit]:
        """Find the names in a passage, each word by itself."""
        if not self.kinds:
            return []
        exact = sorted(self._exact(passage))
        others = [hit for hit in (*self._near(passage), *self._glued(passage)) if not _is_tiled(hit, exact)]
        hits = self._settled(sorted({*exact, *others}), passage)
        return [self._with_particles(hit, passage) for hit in hits]

    def is_ordinary(self, word: str) -> bool:
        """Say whether a word of the names is too short or too common to be one by itself."""
        return len(word) <= _SHORT or word in common(self.lang)

    def _exact(self, passage: Passage) -> Iterator[Hit]:
        for word in self.kinds.keys() & passage.index.keys():
            ordinary = self.is_ordinary(word)
            for start, end in passage.index[word]:
                yield Hit(start, end, self.kinds[word], not ordinary or passage.is_capital(start))

    def _near(self, passage: Passage) -> Iterator[Hit]:
        """Words with a typo. Unless it has one capital, an ordinary name is misspelt only beside a title or another name."""
        for word, name in near(self.kinds, list(passage.index)).items():
            if word in self.kinds or (word[-1] == "s" and word[:-1] in self.kinds):
                continue
            for start, end in passage.index[word]:
                as_name = passage.is_capital(start) and not passage.is_caps(start, end)
                if as_name:
                    sure = word not in common(self.lang)
                else:
                    sure = not self.is_ordinary(name) and not is_word(passage.text[start:end].lower(), self.lang)
                yield Hit(start, end, self.kinds[name], sure)

    def _glued(self, passage: Passage) -> Iterator[Hit]:
        """Names inside of words whose rest is a title, another name or initials."""
        names = [name for name in self.kinds if len(name) >= GLUED]
        for word in passage.index:
            for name in names:
                if name not in word or name == word:
                    continue
                before, _, after = word.partition(name)
                if before in self.glue and after in self.glue:
                    yield from self._glued_hits(word, name, (before, after), passage)

    def _glued_hits(self, word: str, name: str, around: tuple[str, str], passage: Passage) -> Iterator[Hit]:
        """A title before the name stays outside, and so does the `s` of a genitive."""
        before, after = around
        skipped = len(before) if before in titles() else 0
        for start, end in passage.index[word]:
            known = is_word(passage.text[start:end].lower(), self.lang)
            sure = not known and (not self.is_ordinary(name) or len(before + after) > 1 or passage.is_capital(start))
            yield Hit(start + skipped, end - (after == "s"), self.kinds[name], sure)

    def _settled(self, hits: list[Hit], passage: Passage) -> list[Hit]:
        """Keep what is sure, what follows a title or stands beside a kept one, and two doubtful names side by side."""
        sure = [hit.sure or is_after_title(hit.start, passage) for hit in hits]
        sides = [i for i in range(len(hits) - 1) if _beside(hits[i], hits[i + 1], passage)]
        for i in sides:
            words = {passage.low[hit.start : hit.end] for hit in hits[i : i + 2]}
            if hits[i].kind != hits[i + 1].kind and words <= self.kinds.keys():
                sure[i] = sure[i + 1] = True
        for i in (*sides, *reversed(sides)):
            sure[i] = sure[i + 1] = sure[i] or sure[i + 1]
        return [hit._replace(sure=True) for hit, is_sure in zip(hits, sure, strict=True) if is_sure]

    def _with_particles(self, hit: Hit, passage: Passage) -> Hit:
        """A particle goes with its name."""
        start = hit.start
        while found := _PARTICLE_BEFORE.search(passage.low, max(0, start - 12), start):
            if found[1] not in self.particles:
                break
            start = found.start()
        return hit._replace(start=start)


def names_of_patient(patient: Patient) -> Iterator[tuple[str, str]]:
    """Yield a patient's names one by one, first names and last names apart.

    >>> list(names_of_patient(Patient("1", {"name": ("de la Fuente, Ana María",), "last": ("Ruiz",)})))
    [('last', 'Ruiz'), ('last', 'de la Fuente'), ('first', 'Ana'), ('first', 'María')]
    """
    for kind in ("first", "last"):
        for value in patient[kind]:
            yield from ((kind, name) for name in split_name(" ".join(value.split())))
    for value in patient["name"]:
        last, comma, first = value.partition(",")
        if comma:
            parts = [("last", name) for name in split_name(" ".join(last.split()))]
            yield from (*parts, *(("first", name) for name in split_name(" ".join(first.split()))))
        else:
            yield from _full_name(split_name(" ".join(value.split())))


def _full_name(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Tell last names from first ones: those in capitals if only some are, else the last part."""
    caps = [part.isupper() and len(part) > 2 for part in parts]
    if not any(caps) or all(caps):
        caps = [False] * (len(parts) - 1) + [True]
    yield from (("last" if is_caps else "first", part) for part, is_caps in zip(parts, caps, strict=True))


def _is_tiled(hit: Hit, others: list[Hit]) -> bool:
    """Say whether other hits inside of a hit, given in order, cover all of it."""
    first = bisect_left(others, (hit.start,))  # a plain tuple sorts before the hits that begin there
    inside = (others[i] for i in range(first, len(others)))
    covered = sum(other.end - other.start for other in takewhile(lambda other: other.start < hit.end, inside))
    return covered >= hit.end - hit.start


def _beside(left: Hit, right: Hit, passage: Passage) -> bool:
    between = passage.low[left.end : right.start]
    return left.end <= right.start and len(between) <= 3 and _BETWEEN.fullmatch(between) is not None


_LETTER = r"[A-Z][hH]?"  # Ch. and Ph. are initials too
_GAP = r"[ \t\u00a0-]?"
_DOTTED = re.compile(rf"[A-Z](?<![\w.][A-Z])h?\.{_GAP}(?:{_LETTER}\.{_GAP}){{0,4}}(?:{_LETTER}\.|[A-Z](?!\w))")
_ALONE = re.compile(rf"[A-Z](?<!\w[A-Z])h?(?:\.?{_GAP}{_LETTER}){{0,3}}(?!\w)\.?(?!\w)")
_NAME_AFTER = re.compile(r"[ \t\u00a0-]?([A-Z][^\W\d_]+)")
_INITIAL = re.compile(_LETTER)
_INITIALS_BEFORE = re.compile(rf"(?<!\w)((?:{_LETTER}\.?{_GAP}){{1,4}})\Z")
_INITIALS_AFTER = re.compile(rf"([ \t,]{{1,2}})({_LETTER}(?:\.?{_GAP}{_LETTER}){{0,3}}\.?)(?!\w)")


@dataclass(frozen=True, slots=True)
class Initials:
    """The letters a patient's names begin with."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    orders: frozenset[tuple[str, ...]]
    lang: str

    @classmethod
    def of(cls, names: Iterable[tuple[str, str]], lang: str) -> Initials:
        """Prepare the initials of first and last names.

        >>> "mlc" in Initials.of([("first", "Marie-Laure"), ("last", "Christiansen")], "fr").together()
        True
        """
        letters: dict[str, list[str]] = {"first": [], "last": []}
        for kind, name in names:
            words = [word for word in _WORD.findall(fold_word(name)) if not is_particle(word)]
            letters[kind] += (word[0] for word in words)
        first, last = tuple(letters["first"]), tuple(letters["last"])
        orders = {order for one in _beginnings(first) for other in _beginnings(last) for order in (one + other, other + one)}
        return cls(first, last, frozenset(orders), lang)

    def together(self) -> Iterator[str]:
        """Initials as they stand in user names: `mlc`, `ml`, `c`."""
        choices = chain(self.orders, _beginnings(self.first), _beginnings(self.last))
        return ("".join(order) for order in choices)

    def hits(self, passage: Passage) -> list[Hit]:
        """Find initials with full stops, and those after a title."""
        found = [hit for match in _DOTTED.finditer(passage.bare) if (hit := self._dotted(match))]
        for match in _ALONE.finditer(passage.bare):
            letters = _letters(match[0])
            ours = letters in self.orders or (len(letters) == 1 and letters[0] in (*self.last, *self.first))
            if ours and is_after_title(match.start(), passage):
                found.append(Hit(*match.span(), "last"))
        return [hit for hit in found if not self._are_of_the_name_after(hit.end, passage)]

    def _are_of_the_name_after(self, end: int, passage: Passage) -> bool:
        """In `Dr D. Carraux` the initial belongs to the name; in `Mme C. Elle dort` it is one by itself."""
        following = _NAME_AFTER.match(passage.bare, end)
        return following is not None and following[1].lower() not in common(self.lang)

    def _dotted(self, match: re.Match[str]) -> Hit | None:
        """The longest stretch of a run that is the patient's; a run may begin with the `M.` of Monsieur."""
        parts = list(_INITIAL.finditer(match[0]))
        letters = tuple(part[0][0].lower() for part in parts)
        for first in range(len(letters) - 1):
            if letters[first:] in self.orders and len(letters) - first > 1:
                return Hit(match.start() + parts[first].start(), match.end(), "last")
        return None

    def widened(self, hit: Hit, passage: Passage) -> Hit:
        """Take in initials right before or after a name; those of first names go with a last name, and the other way."""
        others = self.first if hit.kind == "last" else (*self.last, *self.first[1:])
        start, end = hit.start, hit.end
        before = _INITIALS_BEFORE.search(passage.bare, max(0, start - 16), start)
        if before and _fits(before[1], others):
            start = before.start(1)
        after = _INITIALS_AFTER.match(passage.bare, end)
        if after and _fits(after[2], others):
            end = after.end()
        return hit._replace(start=start, end=end)


def _fits(text: str, known: Sequence[str]) -> bool:
    """Say whether letters are the beginning of known ones, in order, the first of them included."""
    letters = _letters(text)
    return bool(letters) and letters in set(_beginnings(tuple(known)))


def _letters(text: str) -> tuple[str, ...]:
    """The initials of a run; `ML` without full stops is two.

    >>> _letters("M.-L."), _letters("ML"), _letters("Ch.")
    (('m', 'l'), ('m', 'l'), ('c',))
    """
    return tuple(part[0].lower() for part in re.findall(r"[A-Z]h?", text))


def _beginnings(letters: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All of the letters, the first only, each one, and the first so many.

    >>> _beginnings(("m", "l"))
    [('m',), ('m', 'l'), ('l',)]
    """
    choices = [letters[:n] for n in range(1, len(letters) + 1)] + [(letter,) for letter in letters]
    return list(dict.fromkeys(choices))


_SIGN = re.compile(r"@\s?|\(at\)\s?|\[at\]\s?")
_LOCAL = re.compile(r"([\w.+%-]+)\s?\Z")
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}")
_LONGEST_LOCAL = 64
_SHORTEST_LOCAL = 3


@dataclass(frozen=True, slots=True)
class Emails:
    """Finds addresses whose local part holds a name of the patient, and those of the file.

    >>> Emails(frozenset(), frozenset({"christiansen"})).hits(Passage.of("écrire à christiansenml@gmail.com"))
    [Hit(start=9, end=33, kind='email', sure=True)]
    """

    known: frozenset[str]
    names: frozenset[str]
    glue: frozenset[str] = frozenset()  # what may stand beside a short name: other names, initials

    @classmethod
    def of(cls, values: Iterable[str], names: Iterable[str], glue: frozenset[str]) -> Emails:
        """Prepare the addresses of a patient."""
        return cls(frozenset(fold_word(value) for value in values if "@" in value), frozenset(names), glue)

    def hits(self, passage: Passage) -> list[Hit]:
        """Find the addresses in a passage."""
        found = list(self._known(passage)) if self.known else []
        for sign in _SIGN.finditer(passage.low):
            local = _LOCAL.search(passage.low, max(0, sign.start() - _LONGEST_LOCAL), sign.start())
            if local and self._names_the_patient(local[1]):
                domain = _DOMAIN.match(passage.low, sign.end())
                found.append(Hit(local.start(), domain.end() if domain else local.end(1), "email" if domain else "last"))
        return found

    def _known(self, passage: Passage) -> Iterator[Hit]:
        for address in self.known:
            yield from (Hit(*match.span(), "email") for match in re.finditer(re.escape(address), passage.low))

    def _names_the_patient(self, local: str) -> bool:
        words = _WORD.findall(local)
        together = "".join(words)
        return any(len(name) >= GLUED and name in together for name in self.names) or any(map(self._is_made_of_names, words))

    def _is_made_of_names(self, word: str) -> bool:
        """A short name is one if the rest of the word is known too: `jrey`."""
        parts = (word.partition(name) for name in self.names if len(word) >= _SHORTEST_LOCAL and name in word)
        return any(before in self.glue and after in self.glue for before, _, after in parts)
