"""Who is who: the mentions of people in the notes of a patient, each word with its part in the name.

Nothing here is remembered between patients. A surrogate is a keyed function of the folded word, so that equal words get
equal surrogates without a table; what is gathered here is only what a word alone does not tell: whether it is a first or a
last name, whose gender it has, and of which other word it is a misspelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from innominate.conceal.people import known_names
from innominate.conceal.people.digests import is_digest
from innominate.conceal.people.kin import gender_of_kin, is_relation, kin_before, kind_here
from innominate.conceal.people.name_words import NameWord, given_titles, title_gender, tokenise, word_before
from innominate.conceal.scope import language_of
from innominate.core import Document, Span
from innominate.detect.known.vocabulary import edits_allowed
from innominate.labels import kind_of, kinds
from innominate.languages import load_language, load_languages
from innominate.surrogates.names import split_name
from innominate.text.accents import fold_word

_GAP = re.compile(r"[ \t\u00a0]{1,2}|,[ \t\u00a0]|-")
_FIELD = re.compile(r"([^\W\d_]+)[ \t\u00a0]?:[ \t\u00a0]{0,2}\Z")
_WIDEST = 2  # characters between two spans of one name
_LETTERS = 3  # of which initials without full stops are
_ROLES = {"first": "first", "last": "last"}


@dataclass(slots=True)
class NameMention:
    """Spans that stand side by side and name one person, with their words; positions are those of the document."""

    spans: tuple[Span, ...]
    tokens: tuple[NameWord, ...]
    title: str = ""  # the gender its title tells: f, m, n for none, empty without a title
    comma: int | None = None
    groups: tuple[tuple[NameWord, ...], ...] = ()  # names and initials, those joined by a hyphen together
    by_first: bool = False  # what stands before is followed by first names: `su hija Nerea`, `Doña Engracia`

    def within(self, span: Span) -> Sequence[NameWord]:
        """The words of one of the spans."""
        if len(self.spans) == 1:
            return self.tokens
        return [token for token in self.tokens if span.start <= token.start < span.end]


@dataclass(slots=True)
class KnownPeople:
    """What the notes of one patient tell about the words of names."""

    lang: str
    roles: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)
    genders: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)
    slips: dict[str, str] = field(default_factory=dict, repr=False)  # from a misspelling to the word that was meant
    mentions: dict[str, list[NameMention]] = field(default_factory=dict, repr=False)  # by document

    @classmethod
    def of(cls, documents: Sequence[Document], lang: str = "") -> KnownPeople:
        """Gather the people of the notes of one patient.

        >>> from innominate.core import annotated
        >>> people = KnownPeople.of([annotated("Mme [Eva Christiansen](PATIENT), [Christainsen](PATIENT)")], "fr")
        >>> people.slips, people.role("christiansen"), people.gender("eva")
        ({'christainsen': 'christiansen'}, 'last', 'f')
        """
        people = cls(language_of(documents[0], lang) if documents else lang or "en")
        for document in documents:
            people.mentions[document.id] = list(people._mentions(document))
        everything = [mention for mentions in people.mentions.values() for mention in mentions]
        alone: list[NameMention] = []  # words alone are settled when those beside others are known
        for mention in everything:
            names = sum(token.sort == "name" and not token.joined for token in mention.tokens)
            if names == 1:
                alone.append(mention)
            else:
                people._settle(mention)
        for mention in alone:
            people._settle(mention)
        # a digest tells the same to every note, so that none takes the slip for the name because it stands in the note itself
        told = [mention for document in documents if is_digest(document) for mention in people.mentions[document.id]]
        people._find_slips(told or everything)
        for mention in everything:
            people._set_genders(mention)
        return people

    def role(self, form: str) -> str:
        """Whether a folded word is a first or a last name here; empty if nobody said."""
        found = self.roles.get(form)
        return max(found, key=found.__getitem__) if found else ""

    def gender(self, form: str) -> str:
        """The gender of a first name: as the lists have it, else as a title said, else by its ending."""
        if known := known_names.gender(form, self.lang):
            return known
        told = self.genders.get(form)
        if told:
            return max(told, key=told.__getitem__)
        return "f" if form.endswith(load_language(self.lang).names.feminine_endings) else "m"

    def meant(self, form: str) -> str:
        """The word that was meant: the word itself, unless it is a misspelling."""
        return self.slips.get(form, form)

    def _mentions(self, document: Document) -> Iterator[NameMention]:
        text = document.text
        group: list[Span] = []
        for span in document.spans:
            if kinds()[kind_here(span.label, span.of(text), self.lang)].surrogate != "name":
                continue
            if group and not self._go_together(group[-1], span, text):
                yield self._mention(group, text)
                group = []
            group.append(span)
        if group:
            yield self._mention(group, text)

    def _go_together(self, left: Span, right: Span, text: str) -> bool:
        """Say whether two spans side by side are parts of one name: `[Marie] [Rochat]`, `[Rochat], [Marie]`."""
        if right.start - left.end > _WIDEST:
            return False
        kinds = {kind_of(left.label), kind_of(right.label)}
        if (left.label != right.label and kinds != {"first", "last"}) or not _GAP.fullmatch(text, left.end, right.start):
            return False
        if any(len(split_name(span.of(text))) != 1 for span in (left, right)):
            return False
        if text[left.end] != "," or kinds == {"first", "last"}:
            return True
        before, after = map(fold_word, (left.of(text), right.of(text)))  # `Eva, Marie` are two people, `Rochat, Marie` is one
        return before != after and self.leaning(before) != "first" and self.leaning(after) != "last"

    def _mention(self, spans: list[Span], text: str) -> NameMention:
        start = spans[0].start
        written = text[start : spans[-1].end]
        tokens = tokenise(written, self.lang, start)
        before = word_before(text, start)
        title = title_gender(before, self.lang) if before else ""
        if kind_of(spans[0].label) == "kin":
            _set_relations_apart(tokens, written, self.lang)
        names: list[NameWord] = []
        for token in tokens:
            if token.sort == "name":
                names.append(token)
            elif token.sort == "title":
                title = title or title_gender(token.text, self.lang)
        if len(names) == 1 and len(names[0].text) <= _LETTERS and self._are_letters(names[0]):
            names[0].sort = "letters"
        field = field_role(text, start)
        for span in spans:
            if role := _ROLES.get(kind_of(span.label), field):
                _give_role(tokens, role, span)
        comma = None
        if "," in written:
            commas = [a.end for a, b in pairwise(tokens) if "," in text[a.end : b.start]]
            comma = commas[0] if len(commas) == 1 else None
        groups = _groups(tokens)
        kin = kin_before(text, start, self.lang) if len(groups) == 1 else ""
        by_first = bool(kin) or (len(groups) == 1 and fold_word(before) in given_titles()) or kind_of(spans[0].label) == "kin"
        title = title or gender_of_kin(kin, self.lang)
        return NameMention(tuple(spans), tuple(tokens), title, comma, groups, by_first)

    def _are_letters(self, token: NameWord) -> bool:
        """Say whether a word is initials without full stops: `MLC`."""
        short = 2 <= len(token.text) <= _LETTERS and token.form.isascii()
        if not short or not (token.text.isupper() or not set(token.form) & set("aeiouy")):
            return False
        return not any(known_names.weights(token.form, self.lang))

    def _settle(self, mention: NameMention) -> None:
        """Give every word of a mention its part, and remember it."""
        roles = self._roles(mention.groups, mention)
        for i, group in enumerate(mention.groups):
            for token in group:
                token.role = token.role or roles[i]
                if token.sort == "name":
                    _count(self.roles, token.form, token.role)
                    if token.role == "first" and mention.title in ("f", "m"):
                        _count(self.genders, token.form, mention.title)

    def _set_genders(self, mention: NameMention) -> None:
        """First names get the gender of the first word of their group: both of `Jean-Marie` are a man's."""
        for group in mention.groups:
            for token in group:
                if self.slips and token.form in self.slips and len(group) == 1:
                    token.role = self.role(self.slips[token.form])
                if token.role == "first" and token.sort == "name":
                    token.gender = self.gender(self.meant(group[0].form))

    def _roles(self, groups: Sequence[Sequence[NameWord]], mention: NameMention) -> list[str]:
        """Tell first names from last ones: by a comma, by capitals, by what is known, by the lists, by the order."""
        if not groups:
            return []
        if mention.comma is not None:
            return ["last" if group[0].start < mention.comma else "first" for group in groups]
        words = [group[0].sort == "name" for group in groups]
        if True not in words:
            return (
                ["first"] * (len(groups) - 1) + ["last"]
                if len(groups) > 1 or (mention.title and not mention.by_first)
                else ["first"]
            )
        if len(groups) == 1:
            return [self._alone(groups[0][0], mention)]
        caps = [group[0].sort == "name" and False not in [token.text.isupper() for token in group] for group in groups]
        if True in caps and sum(words) > sum(caps):
            return ["last" if cap else "first" for cap in caps]
        leans = [
            self.role(group[0].form) or self.leaning(group[0].form) if group[0].sort == "name" else "" for group in groups
        ]
        if len(groups) == 2:
            if words == [True, False]:  # `Rochat M.` or `Marie R.`
                return ["last", "first"] if leans[0] != "first" else ["first", "last"]
            if load_language(self.lang).names.double_surnames and leans == ["last", "last"]:  # without a first name
                return leans
            return ["last", "first"] if leans == ["last", "first"] and all(words) else ["first", "last"]
        return self._by_order(leans)

    def _by_order(self, leans: list[str]) -> list[str]:
        """Three parts or more: two surnames where people have two, else those from the first that is surely one."""
        count = len(leans)
        if load_language(self.lang).names.double_surnames:
            firsts = 2 if count >= 4 or (count == 3 and leans[1] == "first") else 1
            return ["first"] * firsts + ["last"] * (count - firsts)
        firsts = next((i for i, lean in enumerate(leans) if i and lean == "last"), count - 1)
        return ["first"] * firsts + ["last"] * (count - firsts)

    def _alone(self, token: NameWord, mention: NameMention) -> str:
        known = self.role(token.form)
        if known:
            return known
        if mention.title and not mention.by_first:
            return "last"
        return self.leaning(token.form) or ("first" if mention.by_first else "last")

    def leaning(self, form: str) -> str:
        """What the lists say: a first name, a last name, or nothing where it is both or neither."""
        return known_names.leaning(form, self.lang)

    def _find_slips(self, mentions: Iterable[NameMention]) -> None:
        """A word that no list knows and that is nearly another, more certain one is a misspelling of it."""
        counts: dict[str, int] = {}
        for mention in mentions:
            for token in mention.tokens:
                if token.sort == "name":
                    counts[token.form] = counts.get(token.form, 0) + 1
        known = {form: any(known_names.weights(form, self.lang)) for form in counts}
        if all(known.values()):
            return
        order = sorted(counts, key=lambda form: (-known[form], -counts[form]))  # of equals, the one that stands first
        for i, form in enumerate(order):
            if known[form] or not i:
                continue
            near = [other for other in order[:i] if other not in self.slips and self._is_slip(other, form)]
            if near:
                self.slips[form] = min(near, key=lambda other: (OSA.distance(other, form), order.index(other)))

    @staticmethod
    def _is_slip(right: str, wrong: str) -> bool:
        allowed = edits_allowed(right)
        return bool(allowed) and OSA.distance(right, wrong, score_cutoff=allowed) <= allowed


def _set_relations_apart(tokens: Iterable[NameWord], written: str, lang: str) -> None:
    """The words of kin in `madre Teresa Rodríguez` are no part of the name."""
    for place, token in enumerate(tokens):
        if is_relation(token.text, place, written, lang):
            token.sort = "title"


def _give_role(tokens: Iterable[NameWord], role: str, span: Span) -> None:
    for token in tokens:
        if span.start <= token.start < span.end:
            token.role = role


def _count(counts: dict[str, dict[str, int]], form: str, what: str) -> None:
    counted = counts.get(form)
    if counted is None:
        counts[form] = {what: 1}
    else:
        counted[what] = counted.get(what, 0) + 1


def field_role(text: str, start: int) -> str:
    """What a form asks for before a place in a text: `Apellidos: ` for last names; empty where it does not say.

    >>> field_role("Apellidos: Gil Rubio", 11), field_role("Nom : Rochat", 6)
    ('last', '')
    """
    found = _FIELD.search(text, max(0, start - 24), start) if ":" in text[max(0, start - 3) : start] else None
    return _fields().get(fold_word(found[1]), "") if found else ""


@cache
def _fields() -> dict[str, str]:
    fields = [language.names.fields for language in load_languages()]
    return {word: role for one in fields for role, words in one.items() for word in words}


def _groups(tokens: Iterable[NameWord]) -> tuple[tuple[NameWord, ...], ...]:
    """Names and initials, those joined by a hyphen together."""
    groups: list[tuple[NameWord, ...]] = []
    for token in tokens:
        if token.sort not in ("name", "initial"):
            continue
        if token.joined and groups:
            groups[-1] += (token,)
        else:
            groups.append((token,))
    return tuple(groups)
