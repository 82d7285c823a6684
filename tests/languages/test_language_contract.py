"""What every language has to do, whoever adds it: docs/add-a-language.md tells how to write the folder that passes."""

from datetime import date
from random import Random

import pytest

from check_templates import check
from innominate.conceal import conceal
from innominate.conceal.dates import learn_context, parse_date
from innominate.conceal.keys import Key
from innominate.conceal.people.ages import age_of
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.core import Document, annotated
from innominate.detect.known.detector import Matcher
from innominate.detect.known.patients import Patient
from innominate.detect.rules.engine import RulesDetector
from innominate.detect.rules.pack import load_pack
from innominate.labels import for_language, kind_of, kinds
from innominate.languages import language_codes, load_language, read_lines
from innominate.surrogates import contacts
from innominate.surrogates.contacts import draw_phone
from innominate.surrogates.dates import draw_style, format_date, holiday, time_in_words, words
from innominate.surrogates.ids import draw_id, id_kinds
from innominate.surrogates.names import draw_name, listed
from innominate.surrogates.places import country_names, draw_place, towns_of
from innominate.synth.generate import SPLITS, generate
from innominate.synth.lexicon import setting
from innominate.text.language import recognise
from innominate.text.sections import sections
from innominate.text.sentences import sentences

TOPICS = ("calendar", "people", "places", "streets", "organisations", "contacts", "ids", "notes", "hospitals")
KEY = Key(bytes(range(32)))
DAY = date(2022, 3, 18)
WRITTEN = ("num", "num2", "iso", "long")  # forms with day, month and year

pytestmark = pytest.mark.parametrize("lang", language_codes())


def notes(lang, n=40, split="train"):
    return list(generate(lang, n, seed=7, split=split))


@pytest.mark.parametrize("topic", TOPICS)
def test_every_file_is_complete(lang, topic):
    assert getattr(load_language(lang), topic)


def test_word_files_hold_words(lang):
    assert read_lines(lang, "abbreviations.txt")
    assert read_lines(lang, "headings.txt")
    assert len(read_lines(lang, "trigrams.tsv")) > 2500
    for variant in setting(lang).numbers.values:
        assert len(words(variant)) == 111
        assert all(words(variant))


def test_labels_are_those_of_the_taxonomy(lang):
    known = set(for_language(lang).labels)
    language = load_language(lang)
    assert language.notes.labels <= known
    assert set(language.known.labels.values()) <= known
    assert load_pack(lang).labels <= known
    assert set(language.examples) <= set(kinds())


def test_the_origins_of_people_have_names(lang):
    for origin in load_language(lang).people.origins:
        assert all(len(listed(origin, gender).values) > 10 for gender in ("", "f", "m"))


def test_the_countries_have_towns_and_names(lang):
    language = load_language(lang)
    assert {language.country, *language.countries, *language.places.abroad} - {"XX"} <= set(country_names(lang))
    assert all(len(towns_of(country)) > 50 for country in {language.country, *language.places.abroad})


# Rules


def test_the_pack_compiles_and_its_examples_hold(lang):
    pack = load_pack(lang, check=True)
    detector = RulesDetector(lang)
    assert {kind_of(label) for label in pack.labels} >= {"date", "phone", "email", "id"}
    for rule in pack.rules:
        for sentence in rule.header.match:
            wanted = annotated(sentence)
            assert set(wanted.spans) <= set(detector.detect(wanted)), sentence


def test_rules_find_dates_and_phones_as_notes_write_them(lang):
    detector, found = RulesDetector(lang), []
    for seed in range(60):
        style = draw_style(lang, Random(seed))
        values = [format_date(DAY, style[form], lang) for form in ("num", "long")]
        found += [(value, "date", detector) for value in values]
        found.append((draw_phone(lang, Random(seed)), "phone", detector))
    missed = [value for value, kind, _ in found if not covered(detector, f"Tel. / Dat. : {value}\n", value, kind)]
    assert len(missed) < 0.1 * len(found), missed


def covered(detector, text, value, kind):
    start = text.index(value)
    spans = [span for span in detector.detect(Document("n", text)) if kind_of(span.label) in (kind, "fax")]
    return any(span.start <= start and span.end >= start + len(value.strip("( ")) - 1 for span in spans)


# Synthetic notes


def test_templates_render_without_a_problem(lang):
    problems = [line for line in check(lang) if ".txt" in line or "toml" in line]
    assert not problems


@pytest.mark.parametrize("split", SPLITS)
def test_notes_of_every_split_carry_labels_of_the_language(lang, split):
    made = notes(lang, 12, split)
    assert len({note.text for note in made}) == 12
    assert {span.label for note in made for span in note.spans} <= load_language(lang).notes.labels


def test_notes_are_recognised_by_their_text(lang):
    made = [note for note in notes(lang, 100) if len(note.text) > 200]
    assert sum(recognise(note.text) == lang for note in made) >= 0.98 * len(made)


def test_notes_are_cut_into_sentences_and_sections(lang):
    for note in notes(lang, 10):
        assert len(sentences(note.text, lang)) > 1
        assert sections(note.text, lang)


# Values


def test_every_kind_of_value_has_a_source(lang):
    rng = Random(3)
    name = draw_name(lang, rng, birth_year=1950)
    place = draw_place(lang, rng)
    values = [*name.first, *name.last, place.street, place.number, place.city, draw_phone(lang, rng)]
    values += [contacts.email(name, lang, rng), contacts.email(name, lang, rng, work=True), contacts.url(lang, rng)]
    values += [time_in_words(hour, minute, lang) for hour in range(24) for minute in (0, 15, 30, 45)]
    values += [holiday(DAY, lang, rng), draw_place(lang, rng, abroad=True).country]
    values += [draw_id(lang, kind, rng, birth=date(1950, 5, 3)) for kind in id_kinds(lang)]
    assert all(values)
    assert place.code == load_language(lang).country


def test_ids_and_labels_of_notes_agree(lang):
    language = load_language(lang)
    assert set(language.notes.ids) <= set(language.ids.kinds)


def test_dates_are_written_and_read_back(lang):
    for seed in range(40):
        style = draw_style(lang, Random(seed))
        for form in WRITTEN:
            text = format_date(DAY, style[form], lang)
            found = parse_date(text, lang, context=learn_context([text], lang))
            assert found, text
            assert found.days == (DAY,), text
            moved = found.shifted(-7 * 40)
            again = parse_date(moved, lang, context=learn_context([text, moved], lang)) if moved else None
            assert again, text
            assert (DAY - again.days[0]).days == 280, (text, moved)


def test_holidays_that_notes_name_are_read(lang):
    language = load_language(lang)
    for names in language.calendar.holidays.values():
        for name in names:
            assert parse_date(f"{name} 2021", lang) or parse_date(name, lang), name


def test_ages_in_words_are_read(lang):
    for variant in setting(lang).numbers.values:
        for number in (21, 45, 72, 94):
            assert age_of(words(variant)[number], lang)[0] == number, words(variant)[number]


# Concealment


def test_a_pseudonym_takes_the_place_of_every_identifier(lang):
    countries = {form for forms in country_names(lang).values() for form in forms}
    for note in notes(lang):
        hidden = conceal(note, Pseudo(KEY, lang=lang)).document
        for old, new in zip(note.spans, hidden.spans, strict=True):
            text, kind = old.of(note.text), kind_of(old.label)
            weekday = kind == "date" and not any(map(str.isdigit, text))  # one shift in seven is whole weeks
            if kinds()[kind].surrogate and not kinds()[kind].stays and not weekday and text not in countries:
                assert new.of(hidden.text) != text, (old.label, text)


def test_pseudonyms_are_the_same_with_the_same_key(lang):
    note = notes(lang, 3)[0]
    texts = [conceal(note, Pseudo(Key(key), lang=lang)).document.text for key in (bytes(32), bytes(32), bytes(range(32)))]
    assert texts[0] == texts[1] != texts[2]


def test_examples_of_kinds_are_concealed(lang):
    for label in for_language(lang).labels:
        kind = kinds()[kind_of(label)]
        for example in kind.example(lang):
            note = annotated(f"[{example}]({label})")
            assert conceal(note, Pseudo(KEY, lang=lang)).document.text


# Known patients


def test_what_is_known_of_a_patient_is_found(lang):
    rng = Random(5)
    name, place, phone = draw_name(lang, rng, birth_year=1950), draw_place(lang, rng), draw_phone(lang, rng)
    facts = {"first": name.first, "last": name.last, "birth": ("1950-05-03",), "phone": (phone,), "city": (place.city,)}
    born = format_date(date(1950, 5, 3), draw_style(lang, rng)["num"], lang)
    text = f"{name.firsts} {name.lasts}, {born}, {phone}."
    spans = Matcher.of(Patient("7", facts), lang).spans(text)
    left = "".join(c for i, c in enumerate(text) if c.isalnum() and not any(s.start <= i < s.end for s in spans))
    assert not left, (text, left)


def test_columns_of_patient_files_are_known(lang):
    assert {"first", "last", "birth", "phone"} <= set(load_language(lang).columns)
