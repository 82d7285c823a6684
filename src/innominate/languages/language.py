"""What the program asks of a language: the fields of `language.toml` and of the files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from innominate.languages.tables import read_table
from innominate.languages.topics import Calendar, Contacts, Hospitals, Ids, Notes, Organisations, People, Places, Streets

Words = frozenset[str]  # in TOML one string with the words between blanks, or a list
NO_WORDS: Words = frozenset()


@dataclass(frozen=True, slots=True)
class Ordinals:
    """What days and floors end in: `3rd`, `1er`, `3:e`."""

    endings: Mapping[int, str] = field(default_factory=dict)  # of the numbers that have their own
    other: str = ""  # of all others; empty where only those above have one

    @property
    def first_only(self) -> str:
        """The ending of 1 where no other number has one."""
        return "" if self.other else self.endings.get(1, "")

    def ending(self, number: int) -> str:
        """The ending of a number."""
        return self.endings.get(number, self.other)


@dataclass(frozen=True, slots=True)
class SmallWords:
    """Small words that change with the word after them: `de Aigle` is `d'Aigle`, `a 80` is `an 80`."""

    before: re.Pattern[str] = re.compile(r"(?!)")  # how the next word begins
    changes: Mapping[str, str] = field(default_factory=dict)
    contractions: Mapping[str, str] = field(default_factory=dict)  # with the article of a town: `de Le ` is `du `
    before_names: bool = False  # also before names: one with a vowel takes the place of one with a vowel

    def join(self, word: str, name: str) -> str:
        """A small word with the name of a place after it: `d'Aigle`, `du Locle`."""
        text = f"{word} {name}"
        for full, contracted in self.contractions.items():
            if text.startswith(full):
                return contracted + text.removeprefix(full)
        changed = self.changes.get(f" {word} ") if self.before.match(name) else None
        return changed.lstrip() + name if changed else text


@dataclass(frozen=True, slots=True)
class NameHabits:
    """Names of people and the words around them; all folded: lower case, without accents."""

    titles: Mapping[str, Words]  # by who bears them: f, m, or n where they do not tell
    initials_or_titles: Mapping[str, str] = field(default_factory=dict)  # titles before a name only, else initials; m or f
    given_titles: Words = NO_WORDS  # titles and greetings before first names
    glued_titles: Words = NO_WORDS  # written close to a name, with their capitals: `Dr.X`, `DrX`
    cues: Words = NO_WORDS  # what else stands right before a name: Nom, patient, née
    particles: Words = NO_WORDS  # that belong to the name after them
    joining: Words = NO_WORDS  # between two names, or before another one: née, y
    suffixes: Words = NO_WORDS  # after a name: Jr, MD
    fields: Mapping[str, Words] = field(default_factory=dict)  # of a form that ask for `first` or `last` names
    feminine_endings: tuple[str, ...] = ()  # of first names that no list knows
    double_surnames: bool = False  # people have two
    genitive: str = ""  # the ending of a name in the genitive that is written close to it
    accents: bool = True  # false where pseudonyms are written without


@dataclass(frozen=True, slots=True)
class Kin:
    """Words for relatives, folded."""

    words: Words
    beside: Words  # that may stand beside them: his, older, years


@dataclass(frozen=True, slots=True)
class DateHabits:
    """How dates are read, and written again as they were."""

    order: Mapping[str, str]  # of day, month and year by separator
    padded: Mapping[str, bool]  # whether days and months under ten have a zero, by form
    model: tuple[str, str]  # a date with and without a year
    ordinal: str  # pattern: what a day may end in
    day_end: str  # pattern: what the name of a weekday may end in
    of: str  # pattern: words between day, month and year
    to: str  # pattern: words between two days
    lead: str  # pattern: words before a date
    at: str  # pattern: words before a time
    week: str  # pattern: words before the number of a week
    decade: str  # pattern with a group `t`
    birth: tuple[str, ...]  # patterns, folded: what makes a date after it a birth date
    forms: tuple[str, ...] = ()  # optional forms of dates that the language has


@dataclass(frozen=True, slots=True)
class KnownLabels:
    """How what is known of a patient is labelled, and how far its spans go."""

    labels: Mapping[str, str]
    house_joined: bool  # a street and its number are one span


@dataclass(frozen=True)
class Language:
    """A language, loaded once. The fields are those of `language.toml`; what is long stands in files of its own."""

    code: str
    folder: Path
    name: str  # in English
    locale: str  # whose names, towns and numbers are at home
    country: str
    countries: tuple[str, ...]  # whose towns the rules know, small ones too
    taxonomy: str  # in whose labels detectors speak
    holiday_language: str  # as the library `holidays` calls it
    name_extents: str  # `each` name a span, the `whole` name one, or `parts`: first and last names with their own labels
    phone_code: str
    names: NameHabits
    kin: Kin
    dates: DateHabits
    known: KnownLabels
    time_words: Words  # of which times of the day are made, folded
    sex_words: Words
    holiday_region: str = ""
    ordinary_phone: str = "(?!)"  # pattern: national numbers as most are written, without punctuation
    phone_lead: str = ""  # dialled before a national number of `phone_digits`, and no part of it
    phone_digits: int = 0
    lettered: Words = NO_WORDS  # words after which a capital letter is no initial: hepatitis B
    ordinals: Ordinals = Ordinals()
    small_words: SmallWords = SmallWords()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of patient files, folded, by what they hold
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of kinds of identifiers, for `policy explain`

    @cached_property
    def calendar(self) -> Calendar:
        """Names of months and days, holidays, and how notes write dates."""
        return read_table(Calendar, self.folder, "calendar.toml")

    @cached_property
    def people(self) -> People:
        """Where pseudonyms of people come from."""
        return read_table(People, self.folder, "people.toml")

    @cached_property
    def places(self) -> Places:
        """Towns, regions and countries."""
        return read_table(Places, self.folder, "places.toml")

    @cached_property
    def streets(self) -> Streets:
        """Streets and house numbers."""
        return read_table(Streets, self.folder, "streets.toml")

    @cached_property
    def organisations(self) -> Organisations:
        """Hospitals, units and firms."""
        return read_table(Organisations, self.folder, "organisations.toml")

    @cached_property
    def contacts(self) -> Contacts:
        """Mail and telephone."""
        return read_table(Contacts, self.folder, "contacts.toml")

    @cached_property
    def ids(self) -> Ids:
        """Identifiers of people, stays and orders."""
        return read_table(Ids, self.folder, "ids.toml")

    @cached_property
    def notes(self) -> Notes:
        """Labels and layouts of synthetic notes."""
        return read_table(Notes, self.folder, "notes.toml")

    @cached_property
    def hospitals(self) -> Hospitals:
        """Where hospitals stand, in a language that has a file for it."""
        if not (self.folder / "hospitals.toml").is_file():
            return Hospitals()
        return read_table(Hospitals, self.folder, "hospitals.toml")
