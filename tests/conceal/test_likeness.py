"""What a reader would notice: sentences in four languages, each with the form that its surrogate must have."""

import re
from functools import cache
from random import Random

import phonenumbers
import pytest
from conceal_cases import KEY, OTHER_KEY
from stdnum.gb import nhs

from innominate.conceal import conceal
from innominate.conceal.numbers.ids import draw_checked_number
from innominate.conceal.people.bank import bank, initials, load_columns, other_initials
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.conceal.vocabulary import firms, read_data
from innominate.core import annotated
from innominate.surrogates.weighted import fill
from innominate.text.accents import fold_word

WORD = r"[^\W\d_]+"


def became(marked, lang, key=KEY):
    """What each marked place of a sentence became."""
    concealed = conceal(annotated(marked, "n1"), Pseudo(key, lang=lang))
    return [treated.target.of(concealed.document.text) for treated in concealed.treated]


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
@pytest.mark.parametrize(
    ("marked", "lang", "form"),
    [
        # an article or a saint is part of the name of a hospital, the kind of hospital is not
        ("en el [Hospital Universitario La Paz](HOSPITAL)", "es", r"Hospital Universitario (?!La Paz)\w+[ -]\w+"),
        ("en el [Hospital Virgen del Rocío](HOSPITAL)", "es", r"Hospital (?!Virgen del Rocío)\w+ \w+ [\w']+"),
        ("en el [Hospital de Toledo](HOSPITAL)", "es", r"Hospital de (?!Toledo)[\w' -]+"),
        ("del [Hospital Clínico Universitario](HOSPITAL)", "es", r"Hospital (?!Clínico)\w+ Universitario"),
        ("à la [Clinique des Grangettes](ORGANISATION)", "fr", r"Clinique (?!des Grangettes)[\w' -]+"),
        ("på [Danderyds sjukhus](Health_Care_Unit)", "sv", r"(?!Danderyd)[\w ]+s sjukhus"),
        ("at [Mercy Hospital](HOSPITAL)", "en", r"(?!Mercy)[\w.' ]+ Hospital"),
        # streets keep their type, their titles, and what says that there is no number; their names have as many words
        ("vive en [Avda. Carlos Haya, s/n](CALLE)", "es", rf"Avda\. {WORD} {WORD}, s/n"),
        ("vive en [C/ Martín de los Heros, 80, 5º D](CALLE)", "es", rf"C/ {WORD}(?: {WORD}){{3}}, \d\d, \dº D"),
        ("vive en [Paseo de la Castellana, 261](CALLE)", "es", rf"Paseo de la (?!Castellana){WORD}, \d\d\d"),
        ("vive en [Calle del Dr. Esquerdo, 46](CALLE)", "es", rf"Calle del Dr\. (?!Esquerdo){WORD}, \d\d"),
        ("vive en [Calle Francisco del Pino, 6 2ºA](CALLE)", "es", rf"Calle {WORD} del {WORD}, \d \dºA"),
        ("vive en [M. González 264](CALLE)", "es", rf"[A-Z]\. (?!González){WORD} \d\d\d"),
        ("habite [Rue de la Gare](RUE)", "fr", r"Rue de la (?!Gare)[\w'-]+"),
        ("bor på [Storgatan 5](Location)", "sv", r"(?!Storgatan)[\w :]+ \d"),
        ("lives at [12 Oak Street](STREET)", "en", r"\d\d (?!Oak)[\w ]+ Street"),
        # a misspelling, an abbreviation, a possessive
        ("la Sra. [Mª Dolores Gil](NOMBRE_SUJETO_ASISTENCIA)", "es", rf"Mª {WORD} {WORD}"),
        ("for [Smith's](PATIENT) sake", "en", rf"(?!Smith){WORD}'s"),
        ("M. [Jean-Pierre DUPONT](PATIENT_E)", "fr", r"[A-ZÉÈ]\w+-[A-ZÉÈ]\w+ [A-ZÉÈÇÜÖÄ' -]+"),
    ],
)
def test_the_form_stays_and_the_name_goes(marked, lang, form, key):
    (made,) = became(marked, lang, key)
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
@pytest.mark.parametrize(
    ("marked", "lang", "words"),
    [
        # what stands in the place of a unit without a name has its gender and number
        ("aux [urgences](STRUCTURE_RÉFÉRENCE)", "fr", {"consultations"}),
        ("aux [soins intensifs](STRUCTURE_RÉFÉRENCE)", "fr", {"soins continus", "soins palliatifs", "soins aigus"}),
        ("en [urgencias](INSTITUCION)", "es", {"consultas", "especialidades"}),
        # a firm is not called after a person
        ("employé chez [Nestlé](ORGANISATION)", "fr", {name for name in firms("fr")["nestle"] if name != "Nestlé"}),
        ("de [Boston Scientific](INSTITUCION)", "es", set(firms("es")["boston scientific"])),
    ],
)
def test_units_agree_and_firms_stay_firms(marked, lang, words, key):
    (made,) = became(marked, lang, key)
    assert made in words
    assert made not in marked


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_two_surnames_are_not_taken_for_a_first_and_a_last_name(key):
    for marked in ("Apellidos: [Hierro Nieves](DOCTOR)", "la paciente [Fernández Gómez](DOCTOR)"):
        for word in became(marked, "es", key)[0].split():
            assert bank("es").find(fold_word(word)), word


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_a_comma_between_two_first_names_makes_them_two_people(key):
    one, two = became("[Eva](PATIENT_E), [Eva](PATIENT_E)", "fr", key)
    assert one == two
    last, first = became("[Rochat](PATIENT_E), [Eva](PATIENT_E)", "fr", key)
    assert (first, last != first) == (one, True)


def test_a_name_without_its_accents_becomes_one_without():
    for sentence in ("[Jose Garcia](DOCTOR)", "[Maria Perez](DOCTOR)"):
        for key in (KEY, OTHER_KEY):
            (made,) = became(sentence, "es", key)
            assert made.isascii()


def test_the_first_town_of_a_region_becomes_the_first_town_of_another():
    firsts = {"Barcelona", "Sevilla", "Valencia", "Málaga", "Zaragoza", "Murcia", "Palma", "Bilbao"}
    drawn = {conceal(annotated("[Madrid](TERRITORIO)", f"n{n}"), Pseudo(KEY, lang="es")).document.text for n in range(60)}
    assert "Madrid" not in drawn
    assert len(drawn & firsts) >= 5


@pytest.mark.parametrize(("locale", "kind"), [("es", "first"), ("fr", "last"), ("sv", "last"), ("en", "first")])
def test_initials_are_drawn_as_often_as_names_begin_with_them(locale, kind):
    shares = initials(locale, kind)
    total = sum(shares.values())
    for letter in shares:
        others = other_initials(locale, kind, letter)
        assert letter not in others
        for other in list(shares)[:4]:
            if other != letter:
                expected = shares[other] / (total - shares[letter])
                assert others.count(other) / 512 == pytest.approx(expected, abs=0.004)


def test_common_names_are_drawn_as_often_as_people_bear_them():
    surnames = [conceal(annotated("[Sánchez](DOCTOR)", f"n{n}"), Pseudo(KEY, lang="es")).document.text for n in range(400)]
    assert surnames.count("García") > 10  # three people in a hundred, and half of the people have a common name
    assert sum(bank("es").find(fold_word(name)).rarity <= 1 for name in surnames) > 320


def test_together_surrogates_are_as_common_as_the_names_of_the_people():
    rows, rng = load_columns("es", ""), Random(7)
    originals = rng.choices(rows.names, rows.weights, k=3000)
    made = [
        conceal(annotated(f"[{name}](DOCTOR)", f"n{n}"), Pseudo(KEY, lang="es")).document.text
        for n, name in enumerate(originals)
    ]
    for name in ("García", "Rodríguez", "Díaz", "Hernández", "Jiménez"):  # few other common names begin with D, H and J
        share = sum(weight for form, weight in zip(rows.forms, rows.weights, strict=True) if form == fold_word(name))
        assert made.count(name) / 3000 == pytest.approx(share, rel=0.2, abs=0.005)


def test_a_file_of_names_that_was_cut_short_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("INNOMINATE_CACHE", str(tmp_path))
    whole = load_columns("sv", "f")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:5000])
    again = load_columns("sv", "f")
    assert (again.names, again.weights, again.rarity) == (whole.names, whole.weights, whole.rarity)


@cache
def ranges(country):
    plan = read_data("numbers.toml")[country]
    return [*plan["fixed"], *plan["mobile"]]


def test_spanish_numbers_are_in_no_allocation():
    rng = Random(3)
    for pattern in ranges("34"):
        for _ in range(50):
            number = phonenumbers.parse(fill(pattern, rng), "ES")
            assert not phonenumbers.is_valid_number(number)


@pytest.mark.parametrize(
    ("country", "inside"),
    [
        ("1", r"\d{3}55501\d\d"),
        ("44", r"020?79460\d{3}|01632960\d{3}|01\d{2,3}4960\d{3}|07700900\d{3}"),
        ("33", r"(019900|026191|035301|046571|053649|063998)\d{4}"),
        ("49", r"(03023125|06990009|04066969|02214710|08999998)\d{3}|(017139200|0176040690)\d\d"),
    ],
)
def test_surrogate_numbers_are_in_the_ranges_kept_for_fiction(country, inside):
    rng = Random(4)
    for pattern in ranges(country):
        for _ in range(20):
            assert re.fullmatch(inside, fill(pattern, rng))


def test_swedish_mobiles_are_those_of_the_regulator():
    for pattern in read_data("numbers.toml")["46"]["mobile"]:
        number = int(fill(pattern, Random(5)))
        assert 701740605 <= number <= 701740699


def test_numbers_of_the_nhs_and_of_vehicles_stay_valid():
    for seed in range(100):
        assert nhs.is_valid(made := draw_checked_number("4010232137", Random(seed), 0))
        assert made.startswith("999")
        vehicle = draw_checked_number("1M8GDM9AXKP042788", Random(seed), 0)
        assert vehicle[0] == "0"
        assert not set(vehicle) & set("IOQ")
