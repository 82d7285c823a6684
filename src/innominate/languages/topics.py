"""The files beside `language.toml`: what pseudonyms and synthetic notes are made of, and the words that stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Words = frozenset[str]
Lists = tuple[str, ...]
Drawn = tuple[object, ...]  # values, or pairs of a value and its weight
NO_WORDS: Words = frozenset()


@dataclass(frozen=True, slots=True)
class WrittenDates:
    """The patterns in which notes write dates and times; one of each form is drawn per note."""

    numeric: Drawn
    long: Drawn
    dlong: Drawn
    my: Drawn
    m: Drawn
    wd: Drawn
    wdd: Drawn
    range: Drawn
    time: Drawn
    holidays: Mapping[str, Lists] = field(default_factory=dict)  # what notes say for what the library `holidays` calls a day


@dataclass(frozen=True, slots=True)
class SpokenTimes:
    """Times of the day in words."""

    quarters: tuple[str, str, str, str]  # on the hour, quarter past, half past, quarter to; with {this} and {next} hour
    hour: str = "{number}"
    first_hour: str = ""  # where that of one o'clock is another


@dataclass(frozen=True, slots=True)
class Calendar:
    """`calendar.toml`: names of months, seasons and days, holidays, and how notes write dates and times."""

    months: Lists  # a line per style, the one in full first; names in small letters between blanks
    seasons: Lists
    days: Lists
    holidays: Mapping[str, Lists]  # names by rule: `12-25`, `easter +1`, `sun 05-08`
    written: WrittenDates
    spoken: SpokenTimes


@dataclass(frozen=True, slots=True)
class People:
    """`people.toml`: where the people of a country come from."""

    origins: Mapping[str, float]  # shares; surrogates/data/names.toml has the origins
    own_origins: Mapping[str, Mapping[str, object]] = field(default_factory=dict)  # more of them, in the same form
    lists: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # names by hand of these, the most frequent first
    weighed_by_print: bool = False  # lists of names without counts are weighed by how often books have them


@dataclass(frozen=True, slots=True)
class Places:
    """`places.toml`: towns, regions and countries."""

    abroad: Mapping[str, float]  # shares of other countries
    generic: Words  # words in names of places that stay, folded
    regions: Mapping[str, float] = field(default_factory=dict)  # shares; empty where the towns tell
    written_regions: Mapping[str, str] = field(default_factory=dict)  # codes with names, where addresses have either
    region_names: Mapping[str, str] = field(default_factory=dict)  # codes with names, where addresses have codes
    exonyms: Mapping[str, str] = field(default_factory=dict)
    countries: Mapping[str, Lists] = field(default_factory=dict)  # forms that are drawn, where the usual name is not enough
    countries_read: Mapping[str, Lists] = field(default_factory=dict)  # forms that notes have besides
    usual: Mapping[str, str] = field(default_factory=dict)  # what people call a town that the lists call otherwise
    aliases: Mapping[str, str] = field(default_factory=dict)  # other names of towns and regions
    capitals: Mapping[str, str] = field(default_factory=dict)  # of regions whose largest town is another
    seconds: Mapping[str, str] = field(default_factory=dict)  # towns as well known as the first of a region
    named: Mapping[str, float] = field(default_factory=dict)  # times as often as their people tell notes name some regions
    communities: Mapping[str, Lists] = field(default_factory=dict)  # of several regions, the largest first
    postal: Mapping[str, int] = field(default_factory=dict)  # how many postal codes a town has
    quarters: Mapping[str, Lists] = field(default_factory=dict)  # of cities, by region, that the list has as towns
    small_zips: Words = NO_WORDS  # beginnings of postal codes under which too few people live to be told


@dataclass(frozen=True, slots=True)
class Hospitals:
    """`hospitals.toml`, where there is one: `type|name|number|postal code` of hospitals, the largest of a town first."""

    towns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: Mapping[str, Words] = field(default_factory=dict)  # of street, with what people write for them, folded
    short: Mapping[str, str] = field(default_factory=dict)  # and what they are shortened to


@dataclass(frozen=True, slots=True)
class Streets:
    """`streets.toml`: how streets are called, and the words of addresses that stay."""

    layout: str  # `type-name`, `type-name-floor`, `name-type` or `joined`; see surrogates/places.py
    names: Lists  # without their type
    kept: Words  # folded
    types: tuple[tuple[str, str, float], ...] = ()  # in full, short, weight
    house_limit: int = 90
    house_letters: Lists = ()
    lettered_share: float = 0.0  # of house numbers that have a letter
    library: str = ""  # the language of mimesis whose streets are added
    own_times: int = 1  # how often the own ones count beside them
    not_first: Words = NO_WORDS  # words that a name of the library must not begin with
    kept_first: Words = NO_WORDS  # that stay only where the address begins
    forms: Lists = ()  # of each type of street that may be missing or shortened, folded: a line each
    endings: Lists = ()  # that a new name shares with the old one
    articles: bool = False  # a new name has the small words before it that the old one has
    after_people: bool = False  # most streets are called after people and towns
    before: Mapping[str, Words] = field(default_factory=dict)  # what a word before a name says of it: saint_m, saint_f, person
    saints: Mapping[str, Lists] = field(default_factory=dict)  # m and f
    of_many_towns: Lists = ()  # names that many towns have
    floor: str = ""  # pattern of what follows the number of a floor
    zip_among_numbers: bool = False  # a number as long as a postal code is one, also in a street


@dataclass(frozen=True, slots=True)
class Organisations:
    """`organisations.toml`: words in names of hospitals, units and firms; folded where nothing else is said."""

    function: Words  # small words
    care: Words  # that say what a thing is and not which one
    specialties: Lists  # with accents
    units: tuple[Lists, ...]  # kinds of unit that may take each other's place, in groups; with accents
    endings: Lists = ()  # of compounds that say what a thing is
    stems: Lists = ()  # that make a compound with an ending, of one treatment of another; with accents
    more_stems: Lists = ()  # that are known and not drawn
    qualifiers: Lists = ()  # with accents
    demonyms: tuple[Lists, ...] = ()  # adjectives of places, in groups that agree; with accents
    firms: tuple[Lists, ...] = ()  # in groups of a trade; with accents
    names: Lists = ()  # what places of care are called after; with accents
    saints: Words = NO_WORDS  # words that such names may begin with
    places_after_of: bool = False  # an unknown word after `de` is a place: Hospital de Poniente


@dataclass(frozen=True, slots=True)
class Phones:
    """Telephone numbers as notes have them."""

    numbers: Drawn  # patterns
    styles: Drawn
    groups: tuple[int, ...]  # of digits, as they are written
    area_groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # of numbers that begin otherwise
    fictional: Lists = ()  # patterns that a country keeps for films
    areas: Lists = ()  # of different lengths
    area_numbers: Drawn = ()
    area_fictional: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Contacts:
    """`contacts.toml`: domains of mail, pages and telephone numbers."""

    private: Lists
    work: Lists  # with {city}
    path: Lists
    phones: Phones
    kept_locals: Words = NO_WORDS  # before the @ of an address that names nobody, folded


@dataclass(frozen=True, slots=True)
class IdKind:
    """How an identifier is drawn: by patterns, or by the function of surrogates/ids.py that makes valid check digits."""

    patterns: Drawn = ()
    make: str = ""


@dataclass(frozen=True, slots=True)
class Ids:
    """`ids.toml`: the identifiers that notes have."""

    kinds: Mapping[str, IdKind]


@dataclass(frozen=True, slots=True)
class AgeWords:
    """How ages are written: singular and plural of each unit."""

    whole: bool  # the unit is written and inside the annotation; else the number stands alone
    year: tuple[str, str]
    month: tuple[str, str]
    week: tuple[str, str]
    day: tuple[str, str]
    one: tuple[str, str, str, str]  # year, month, week and day, in words
    conjunction: str  # between weeks and days
    days_of_life: str  # after a number of days

    @property
    def units(self) -> tuple[tuple[str, str], ...]:
        """Year, month, week and day."""
        return self.year, self.month, self.week, self.day


@dataclass(frozen=True, slots=True)
class NoteNames:
    """What synthetic notes do with names."""

    reversed_caps: float  # share of CHRISTIANSEN Marie-Laure, beside Christiansen Marie-Laure
    initials: str  # annotated as the `whole` name or the `first` name; empty for not at all


@dataclass(frozen=True, slots=True)
class Notes:
    """`notes.toml`: how synthetic notes are labelled and laid out."""

    labels: Words  # all that occur
    numbers: Drawn  # columns of numbers.tsv
    sexes: tuple[tuple[str, str], ...]  # masculine, feminine
    fictional_phones: float  # share of numbers from ranges kept for fiction
    years: tuple[int, int]
    names: NoteNames
    roles: Mapping[str, tuple[str, str]]  # labels of first names and of surnames, for patient, kin and staff
    slots: Mapping[str, str]  # labels; a slot that is not here is not annotated
    ids: Mapping[str, tuple[str, str]]  # label, and what it belongs to: patient, episode, new
    dates: Mapping[str, str]  # labels of `full` dates and of a `part` of one
    layout: Mapping[str, str]  # of addresses and their parts, as templates
    titles: Mapping[str, tuple[tuple[str, str], ...]]  # masculine, feminine, for patient, staff and nurse
    age: AgeWords
    kin: Mapping[str, Lists]  # words by generation

    def label(self, slot: str) -> str:
        """The label of a slot, '' if it is not annotated in this language."""
        return self.slots.get(slot, "")
