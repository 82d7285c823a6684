import re
from datetime import date
from random import Random

import pytest

from innominate.core import FormatError
from innominate.languages import language_codes, load_language
from innominate.surrogates.names import Name
from innominate.synth import names as people
from innominate.synth.case import draw_case, fit_of
from innominate.synth.generate import Program, assemble
from innominate.synth.lexicon import setting
from innominate.synth.slots import write_age
from innominate.synth.template import parse_template

MARIE = Name(("Marie-Laure",), ("Christiansen",), "f")
VALENTIN = Name(("Valentin", "Oliver"), ("de la Garma",), "m")


def pieces(name, form, lang):
    language = load_language(lang)
    units = people._WRITERS[form](name)
    return [piece for piece in people.group_units(units, language.name_extents, language.notes.roles["patient"]) if piece[1]]


@pytest.mark.parametrize(
    ("name", "form", "annotations"),
    [
        (MARIE, "full", ["Marie-Laure", "Christiansen"]),
        (VALENTIN, "full", ["Valentin", "Oliver", "de la Garma"]),
        (MARIE, "initial_last", ["M.-L. Christiansen"]),
        (MARIE, "last_initial", ["Christiansen M.-L."]),
        (VALENTIN, "initial_last", ["V. O. de la Garma"]),
        (MARIE, "reversed_caps", ["CHRISTIANSEN", "Marie-Laure"]),
        (MARIE, "listed", ["Christiansen", "Marie-Laure"]),
        (VALENTIN, "last_caps", ["DE LA GARMA"]),
        (Name(("Ana",), ("Ferreira", "da Silva"), "f"), "last_initial", ["Ferreira", "da Silva A."]),
        (Name(("Valentin",), ("Loftsson",), "m", middle="O."), "full", ["Valentin", "O. Loftsson"]),
    ],
)
def test_french_names_are_annotated_each(name, form, annotations):
    assert [text for text, _ in pieces(name, form, "fr")] == annotations


def test_english_and_spanish_names_are_annotated_whole():
    assert pieces(VALENTIN, "full", "en") == [("Valentin Oliver de la Garma", "PATIENT")]
    assert pieces(MARIE, "listed", "es") == [("Christiansen, Marie-Laure", "NOMBRE_SUJETO_ASISTENCIA")]


def test_swedish_names_are_annotated_in_parts():
    assert pieces(VALENTIN, "full", "sv") == [("Valentin Oliver", "First_Name"), ("de la Garma", "Last_Name")]
    assert pieces(MARIE, "initial_last", "sv") == [("M.-L.", "First_Name"), ("Christiansen", "Last_Name")]


@pytest.mark.parametrize("lang", language_codes())
def test_every_slot_that_is_labelled_becomes_a_span_with_its_value(lang):
    body = "{patient.full} | {doctor.full} | {visit} | {home.address} | {hospital} | {phone} | {age}"
    template = parse_template(body)
    program = Program(template, setting(lang))
    for seed in range(50):
        rng = Random(seed)
        case = draw_case(program.setting, rng, fit_of(template))
        written = program.pieces(case, case.episodes[0], rng)
        document = assemble(written, "n", {})
        assert [(span.of(document.text), span.label) for span in document.spans] == [piece for piece in written if piece[1]]
        assert all(span.of(document.text).strip() == span.of(document.text) for span in document.spans)


def test_french_extents(render):
    document = render("{home.street_line}, {home.zip} {home.city} {home.state}")
    assert [span.label for span in document.spans] == [
        "RUE", "NUMÉRO_HABITATION", "CODE_POSTAL", "EMPLACEMENT_GÉOGRAPHIQUE", "CODE_CANTON",
    ]  # fmt: skip


def test_a_literal_annotation_is_one_span(render):
    document = render("[EMS {place.city}](ORGANISATION)")
    assert len(document.spans) == 1
    assert document.spans[0].of(document.text) == document.text


def test_spaces_at_the_ends_of_a_literal_annotation_stay_outside(render):
    document = render("a[ {place.city} ](ORGANISATION)b")
    assert document.spans[0].of(document.text) == document.text[2:-2]


def test_titles_decoys_and_initials_are_not_annotated_in_french(render):
    assert not render("{patient.title} {doctor.title} {eponym} {drug} {labs:3} {number} {doctor.initials}").spans


def test_time_is_annotated_in_french_only(render):
    assert render("{time}", "fr").spans[0].label == "TEMPS"
    assert not any(render("{time} {time:words}", lang).spans for lang in ("en", "sv", "es"))


def test_swedish_dates_are_full_or_part(render):
    labels = [span.label for span in render("{visit} {visit:long} {visit:my} {visit:wd} {visit:y} {visit:dm}", "sv").spans]
    assert labels == ["Full_Date", "Full_Date", "Date_Part", "Date_Part", "Date_Part", "Date_Part"]


def test_relatives(render):
    spans = render("{kin.word} {kin.full} {kin.age}", "es").spans
    assert {span.label for span in spans} == {"FAMILIARES_SUJETO_ASISTENCIA"}
    assert [span.label for span in render("{kin.word}", "fr").spans] == ["LIEN_DE_PARENTÉ"]
    assert not render("{kin.word}", "en").spans


def test_agreement_and_gender_of_a_template(render):
    assert render("{~patient|né|née}", gender="f").text == "née"
    assert render("{~patient|né|née}", gender="m").text == "né"


def test_articles_join_with_what_follows():
    from innominate.synth.note import elide

    assert elide([("âgée de ", ""), ("onze ans", "X")], "fr")[0][0] == "âgée de "
    assert elide([("près de ", ""), ("Yverdon", "X")], "fr")[0][0] == "près d'"
    assert elide([("He is a ", ""), ("82", "AGE")], "en")[0][0] == "He is an "
    assert elide([("He is a ", ""), ("21", "AGE")], "en")[0][0] == "He is a "


@pytest.mark.parametrize(
    ("lang", "form", "text"),
    [("fr", "", "63 ans"), ("en", "", "63"), ("sv", "", "63 år"), ("es", "words", "sesenta y tres años"), ("es", "n", "63")],
)
def test_ages(lang, form, text):
    assert write_age(date(1960, 1, 1), date(2023, 5, 1), form, setting=setting(lang), rng=Random(1)) == text


def test_babies_are_days_weeks_or_months_old(render):
    for seed in range(40):
        text = render("{age:baby}", "fr", seed).text
        assert re.search(r"jour|semaine|mois", text), text


def test_unknown_labels_lists_and_identifiers_raise_with_the_place():
    for body in ("[x](NOT_A_LABEL)", "{id.ssn}"):
        with pytest.raises(FormatError, match="t-1"):
            Program(parse_template(body, "t-1", source="fr/x.txt", line=3), setting("fr"))
    with pytest.raises(FormatError, match=r"health_centre\.txt"):
        Program(parse_template("{health_centre}", "t-1"), setting("en"))


def test_prepositions_join_inside_annotations_too(render):
    texts = {render("[Hôpital de {place.city}](ORGANISATION)", seed=seed).text for seed in range(80)}
    assert any(text.startswith("Hôpital d'") for text in texts)
    assert not any(text.startswith("Hôpital de A") for text in texts)
