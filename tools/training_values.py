"""Lists to exchange the values of training notes with: names, places, professions, drugs; far longer than notes can show."""

import csv
import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from faker import Faker
from faker.config import AVAILABLE_LOCALES
from wordfreq import zipf_frequency

from innominate.formats import read_documents
from innominate.surrogates.names import draw_name
from innominate.surrogates.places import draw_place

# Countries whose towns a language's notes name.
COUNTRIES = {
    "en": "GB IE US CA AU NZ ZA IN NG KE GH SG JM TT UG ZW PK PH MT HK",
    "fr": "FR CH BE LU CA SN CI CM DZ MA TN LB CD HT MG ML BF",
    "sv": "SE FI NO DK",
    "es": "ES MX AR CO CL PE EC VE GT CU BO DO HN PY SV NI CR PA UY PR GQ",
    "de": "DE AT CH LI LU",
}
WORLD = "world"  # names from everywhere, for people who come from elsewhere
FAKER = [locale for locale in AVAILABLE_LOCALES if locale != "fr_QC"]  # an old name of fr_CA
_LONGEST = 30_000  # values of one list
_FROM_EACH = 400  # names of each country
_OWN = ("HOSPITAL", "ORGANISATION", "PROFESSION", "REGION", "COUNTRY", "PLACE", "NATIONALITY")
_KNOWN_WORD = 3.0  # Zipf frequency from which on a drug's name may be an ordinary word


def gather_values(corpus: Path, gazetteers: Path) -> dict[str, Any]:
    """All lists, by language and kind."""
    rng = Random(5)
    found: dict[str, Any] = {WORLD: {kind: sorted(names) for kind, names in faker_names(FAKER, rng).items()}}
    drugs = cut_list(read_drugs(gazetteers), rng)
    for lang in COUNTRIES:
        lists = drawn_values(lang, rng)
        own_countries = faker_names([name for name in FAKER if name.startswith(lang)], rng)
        for kind, some in (*own_countries.items(), *own_values(corpus, lang), *listed_values(gazetteers, lang)):
            lists.setdefault(kind, set()).update(some)
        kept = {kind: cut_list(each, rng) for kind, each in lists.items()}
        found[lang] = kept | read_calendar(gazetteers, lang) | {"DRUG": drugs}
    return found


def cut_list(values: Iterable[str], rng: Random) -> list[str]:
    """No more than a list may hold, in order."""
    kept = sorted(filter(None, set(values)))
    return sorted(rng.sample(kept, _LONGEST)) if len(kept) > _LONGEST else kept


def drawn_values(lang: str, rng: Random) -> dict[str, set[str]]:
    """Surrogates, as often as they occur: common names are in, rare ones by chance."""
    names = [draw_name(lang, rng, birth_year=rng.randrange(1930, 2025)) for _ in range(12_000)]
    places = [draw_place(lang, rng, abroad=rng.random() < 0.1) for _ in range(4_000)]
    return {
        "first": {name.first[0] for name in names},
        "last": {name.last[0] for name in names},
        "CITY": {place.city for place in places},
        "STREET": {place.street for place in places if place.street},
    }


def own_values(corpus: Path, lang: str) -> Iterator[tuple[str, set[str]]]:
    """What our own notes and lists say."""
    for path in sorted((corpus / "train" / lang).glob("*.txt")):
        for note in read_documents(str(path), format="marked"):
            for span in note.spans:
                if span.label in _OWN:
                    yield span.label, {span.of(note.text)}
    for path in sorted((corpus / "values" / lang).glob("*.txt")):
        yield path.stem, set(path.read_text("utf-8").splitlines())


def listed_values(gazetteers: Path, lang: str) -> Iterator[tuple[str, set[str]]]:
    """What public lists say: rare names and small towns."""
    yield "CITY", set(read_towns(gazetteers, COUNTRIES[lang].split()))
    if lang == "en":
        yield "last", {line.split()[0].title() for line in read_lines(gazetteers / "us" / "dist.all.last.gz")}
        for path in (gazetteers / "us").glob("dist.*.first"):
            yield "first", {line.split()[0].title() for line in read_lines(path)}
    elif lang == "fr":
        for kind, name in (("first", "prenoms"), ("last", "noms")):
            rows = csv.reader(read_lines(gazetteers / "insee_fr" / f"{name}_sorted_by_count.csv.gz"))
            yield kind, {row[0].title() for row in rows if row and "_" not in row[0] and "AUTRES" not in row[0]}
    elif lang == "sv":
        swedish = gazetteers / "sweden"
        names = (("last", "efternamn"), ("first", "fornamn-man"), ("first", "fornamn-kvinnor"), ("PROFESSION", "vocations"))
        for kind, name in names:
            yield kind, {row[0] for row in csv.reader(read_lines(swedish / f"{name}.csv.gz")) if row}
        yield "CITY", set(read_lines(swedish / "ortsnamn.csv"))
        yield "ORGANISATION", {line.split("\t")[1] for line in read_lines(swedish / "myndigheter.tsv")}
    if lang in ("fr", "de"):
        swiss = gazetteers / "switzerland"
        yield "last", set(read_lines(swiss / "surnames_usz_frequent.lst"))
        yield "first", set(read_lines(swiss / "firstnames_switzerland_seldom.lst.gz"))
        yield "STREET", set(read_lines(swiss / "street_names_switzerland.lst.gz"))


def read_towns(gazetteers: Path, countries: list[str]) -> Iterator[str]:
    """Towns of some countries."""
    for path in (gazetteers / "world").glob("geonames_cities*.tsv.gz"):
        for row in (line.split("\t") for line in read_lines(path)):
            if row[0] in countries:
                yield row[1]


def read_drugs(gazetteers: Path) -> Iterator[str]:
    """Names of drugs by one word that is nothing else."""
    for name in read_lines(gazetteers / "world" / "drug_names_variants.txt.gz"):
        if name.isalpha() and 5 <= len(name) <= 16 and zipf_frequency(name, "en") < _KNOWN_WORD:
            yield name


def faker_names(locales: Iterable[str], rng: Random) -> dict[str, set[str]]:
    """First and last names in Latin letters of some countries that Faker knows."""
    found: dict[str, set[str]] = {"first": set(), "last": set()}
    for locale in locales:
        fake = Faker(locale)
        fake.seed_instance(rng.randrange(1000))
        for _ in range(_FROM_EACH):
            found["first"].update(filter(_is_latin, [fake.first_name()]))
            found["last"].update(filter(_is_latin, [fake.last_name()]))
    return found


def _is_latin(name: str) -> bool:
    return all(ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00 for letter in name)


def read_calendar(gazetteers: Path, lang: str) -> dict[str, list[str]]:
    """Months and days in small letters."""
    known = json.loads((gazetteers / "world" / "cldr_territories_languages_months.json").read_text("utf-8"))[lang]
    forms = (("", "wide"), ("_short", "abbreviated"))
    return {
        kind + ending: [each.strip(".").lower() for each in known[kind][form].values()]
        for kind in ("months", "days")
        for ending, form in forms
    }


def read_lines(path: Path) -> list[str]:
    """The lines of a list, packed or not."""
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8").splitlines()
