"""A patient's names, through typos, order, case, accents, glued words and particles.

Every word of a name is looked for by itself, so order and hyphens do not matter. A word that could be something else, in lower
case or misspelt, counts only beside a title or another name of the patient.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from innominate.detect.known.folding import spellings
from innominate.detect.known.near import near
from innominate.detect.known.passage import Hit, Passage
from innominate.detect.known.patients import Patient
from innominate.detect.known.titles import is_after_title
from innominate.detect.known.vocabulary import common, is_particle, is_word, titles
from innominate.surrogates.names import split_name

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
