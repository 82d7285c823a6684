"""Known identifiers: found through every kind of variation, and only in the notes of their own patient."""

import os
from random import Random

import pytest
from known_cases import LANGUAGES, LONG_DATES, NUMERIC_DATES, TITLES, dates, draw_known, separated, typo

from innominate.core import Document, FormatError, Span, UsageError
from innominate.detect.known.detector import KnownDetector, Matcher, matcher, unite_with_known
from innominate.detect.known.patients import Patient, Patients, read_patients
from innominate.labels import for_language
from innominate.surrogates.names import particles
from innominate.synth.generate import generate
from innominate.text.accents import strip_accents

PATIENTS = 400 if os.environ.get("INNOMINATE_SLOW") else 60
FRAMES = {
    "en": ("Seen today: {}, stable.", "Report on {} (copy to GP)", "{} slept well.", "we met {} and the family"),
    "fr": (
        "Vu ce jour : {}, stable.",
        "Concerne {} (copie au médecin)",
        "{} a bien dormi.",
        "on a rencontré {} et la famille",
    ),
    "sv": (
        "Bedömd idag: {}, stabil.",
        "Angående {} (kopia till vårdcentral)",
        "{} har sovit gott.",
        "vi träffade {} och familjen",
    ),
    "es": ("Visto hoy: {}, estable.", "Informe de {} (copia al médico)", "{} ha dormido bien.", "vimos a {} y la familia"),
}


def longest(name):
    words = name.replace("-", " ").split()
    return max((word for word in words if word.lower() not in particles()), key=len, default=name)


def glued(known, rng):
    last, first = known.last.replace(" ", ""), known.first.replace(" ", "")
    return rng.choice(
        (
            TITLES[known.lang].strip(".") + last,
            last + first,
            f"{last}{first[0]}@",
            f"{first[0]}{last}@mail.example".lower(),
            last.upper() + first,
        )
    )


def initials(known, rng):
    firsts = "-".join(f"{word[0]}." for word in known.first.replace("-", " ").split())
    lasts = " ".join(f"{word[0].upper()}." for word in known.last.replace("-", " ").split() if word.lower() not in particles())
    lasts = lasts or f"{known.last[0]}."
    title = TITLES[known.lang]
    return rng.choice(
        (
            f"{firsts} {lasts}",
            f"{known.first[0]}. {lasts}",
            f"{firsts} {known.last}",
            f"{known.last} {firsts}",
            f"{title} {lasts[0]}.",
            f"{known.first} {lasts[0]}.",
        )
    )


def a_typo(known, rng):
    """A typo in a word of the name that is long enough for one."""
    words = [word for word in (longest(known.first), longest(known.last)) if len(word) >= 5]
    return typo(rng.choice(words), rng) if words else known.last


def two_typos(known, rng):
    word = longest(known.last)
    return typo(typo(word, rng), rng) if len(word) >= 9 else known.last


def case(known, rng):
    name = rng.choice((f"{known.first} {known.last}", f"{known.last} {known.first}"))
    return rng.choice((name.upper(), name.lower(), name.title(), f"{known.last.upper()} {known.first}"))


def hyphens(known, rng):
    name = f"{known.first} {known.last}"
    return rng.choice((name.replace("-", " "), name.replace(" ", "-"), name.replace("-", " - "), name.replace("-", "")))


ADDED = str.maketrans("aeiouycnAEIO", "áêïóüÿçñÀÉÎÖ")
SUBJECTS = {
    "plain": lambda known, rng: f"{known.first} {known.last}",
    "last name": lambda known, rng: known.last,
    "first name": lambda known, rng: known.first,
    "order": lambda known, rng: rng.choice((f"{known.last} {known.first}", f"{known.last}, {known.first}")),
    "case": case,
    "accents missing": lambda known, rng: strip_accents(f"{known.first} {known.last}"),
    "accents added": lambda known, rng: f"{known.first} {known.last}".translate(ADDED),
    "hyphens": hyphens,
    "typo": a_typo,
    "two typos": two_typos,
    "initials": initials,
    "glued": glued,
}
OTHERS = {
    "long dates": lambda known, rng: rng.choice(dates(known, LONG_DATES[known.lang])),
    "numeric dates": lambda known, rng: rng.choice(dates(known, NUMERIC_DATES)),
    "phone": lambda known, rng: separated(known.phone.partition("x")[0], rng),
    "number": lambda known, rng: separated(rng.choice(known.patient["number"]), rng),
    "id": lambda known, rng: separated(known.patient.id, rng),
    "street": lambda known, rng: rng.choice((known.case.home.street, known.patient["street"][0])).split(",")[0],
    "street, case and accents": lambda known, rng: strip_accents(known.patient["street"][0].split(",")[0].upper()),
    "town": lambda known, rng: rng.choice([change(known.case.home.city) for change in (str, str.upper, strip_accents)]),
    "postal code": lambda known, rng: f"{known.case.home.zip} {known.case.home.city}",
}


def uncovered(text, start, end, spans):
    """Letters and digits of a mention that no span covers."""
    covered = {i for span in spans for i in range(span.start, span.end)}
    return [i for i in range(start, end) if text[i].isalnum() and i not in covered]


def missed(lang, make, seed):
    """Mentions that are not covered as a whole; titles and the domain of an address need not be."""
    wrong, total = [], 0
    for number in range(PATIENTS):
        known = draw_known(lang, number)
        rng = Random(f"{seed}/{number}")
        own = Matcher.of(known.patient, lang)
        mention = make(known, rng)
        before, after = rng.choice(FRAMES[lang]).split("{}")
        text = before + mention + after
        title = TITLES[lang].strip(".")
        start = len(before) + (len(TITLES[lang]) if mention.startswith(title) and mention != title else 0)
        total += 1
        if uncovered(text, start, len(before + mention), own.spans(text)):
            wrong.append(text)
    return wrong, total


@pytest.mark.parametrize("kind", [*SUBJECTS, *OTHERS])
def test_recall_of_each_variation(kind):
    wrong, total = [], 0
    for lang in LANGUAGES:
        missing, seen = missed(lang, {**SUBJECTS, **OTHERS}[kind], kind)
        wrong, total = wrong + missing, total + seen
    assert len(wrong) <= 0.02 * total, f"{len(wrong)} of {total}: {wrong[:12]}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_of_another_patient_is_found(lang):
    """The data of one patient are looked for in the mentions of another; only what they share may be found."""
    found = total = 0
    for number in range(PATIENTS):
        own, other = draw_known(lang, number), draw_known(lang, number + 10_000)
        rng = Random(number)
        text = "; ".join(make(other, rng) for make in (*SUBJECTS.values(), *OTHERS.values()))
        spans = Matcher.of(own.patient, lang).spans(text)
        total += 1
        found += bool(spans)
    assert found <= 0.1 * total, f"{found} of {total}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_false_matches_in_notes_of_others(lang, record_property):
    """200 notes, each searched for a patient it does not speak of."""
    notes = list(generate(lang, 200, seed=11, split="dev"))
    spans = [Matcher.of(draw_known(lang, i).patient, lang).spans(note.text) for i, note in enumerate(notes)]
    rate = sum(map(len, spans)) / len(notes)
    record_property("false matches per note", rate)
    assert rate <= 0.15, [span.of(note.text) for note, all_ in zip(notes, spans, strict=True) for span in all_]


@pytest.fixture
def rose():
    return Matcher.of(Patient("1", {"first": ("Rose",), "last": ("Petit",), "birth": ("1950-05-03",)}), "fr")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("un petit nodule rose, une petite lésion", []),
        ("Mme petit dort", ["petit"]),
        ("rose petit, 72 ans", ["rose", "petit"]),
        ("Petit dort. Rose aussi.", ["Petit", "Rose"]),
        ("sclérose, arrosé, petitesse", []),
        ("MmePetit et PetitRose", ["Petit", "Petit", "Rose"]),
        ("R. P. vue, R.P. revue, R P", ["R. P.", "R.P."]),
        ("Dr R. Pache, M. P. Rochat", []),
    ],
)
def test_ordinary_words_are_taken_in_context_only(rose, text, found):
    assert [span.of(text) for span in rose.spans(text)] == found


CHRISTIANSEN = Patient(
    "7", {"first": ("Marie-Laure",), "last": ("Christiansen",), "birth": ("1950-05-03",), "phone": ("021 314 11 11",)}
)


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("fr", "M.-L. C. et Christiansen M.-L.", ["M.-L. C.", "Christiansen M.-L."]),
        ("fr", "CHRISTIANSEN Marie-Laure", ["CHRISTIANSEN", "Marie-Laure"]),
        ("fr", "MmeChristiansen, christiansenml@", ["Christiansen", "christiansenml"]),
        ("fr", "Marie Laure Cristiansen", ["Marie", "Laure", "Cristiansen"]),
        ("en", "Christiansen, Marie-Laure (M. Christiansen)", ["Christiansen, Marie-Laure", "M. Christiansen"]),
        ("sv", "Marie-Laure Christiansens son", ["Marie-Laure", "Christiansen"]),
        ("fr", "3.5.50, 03#05#1950, 3 mai 1950, 1950-05-03, May 3rd, 1950, 3 de mayo de 1950, 3:e maj 1950", 7),
        ("fr", "314 11 11, 0041213141111, +41 (0)21/314.11.11, (021) 314 11 11", 4),
        ("fr", "4.5.50, 3 mai 1951, 022 314 11 12", []),
    ],
)
def test_examples(lang, text, found):
    spans = [span.of(text) for span in Matcher.of(CHRISTIANSEN, lang).spans(text)]
    assert (len(spans) if isinstance(found, int) else spans) == found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_labels_are_those_of_the_taxonomy(lang):
    assert KnownDetector(Patients(iter([])), lang).labels <= for_language(lang).labels.keys()


def patients_file(tmp_path, content):
    path = tmp_path / "patients.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_file_may_have_other_names_delimiters_and_encodings(tmp_path):
    header = "IPP;Nom;Prénom;Né le;Téléphone;Remarque\r\n"
    content = header + "007;Müller-Rey;Zoé|Eva;03.05.1950;021 314 11 11, 079 555 01 02;x\r\n007;Rey;;;;\r\n"
    patient = read_patients(patients_file(tmp_path, content.encode("cp1252"))).get("007")
    assert patient["last"] == ("Müller-Rey", "Rey")
    assert patient["first"] == ("Zoé", "Eva")
    assert patient["phone"] == ("021 314 11 11", "079 555 01 02")


NOT_SHOWN = "(their names are not shown: without a header they would be a record)"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nom,prenom\nMeier,Eva\n", "patients.csv:1: no column is the patient's id; the table has 2 columns " + NOT_SHOWN),
        (
            "id,couleur\n1,rouge\n",
            "patients.csv:1: no column holds anything known of a patient; the table has 2 columns " + NOT_SHOWN,
        ),
        ("id,nom\n1,Meier\n,Rochat\n", "patients.csv:3: the column 'id' is empty"),
        ("id,nom\n1,Meier,x\n", "patients.csv:2: 3 cells in a table of 2 columns"),
        ('id,nom\n1,"Meier\n', "patients.csv:2: quotes that do not close, or something behind a closing quote"),
        (
            "id,nom,dob\n1,Meier,31.02.1950\n2,Rey,1950\n3,Ray,1.2.1950\n",
            "patients.csv:2: the column 'dob' does not hold a date such as 1950-05-03 or 03.05.1950; "
            "1 more line(s) cannot be read: 3",
        ),
    ],
)
def test_errors_name_the_line_and_never_quote_a_cell(tmp_path, content, message):
    with pytest.raises(FormatError) as error:
        read_patients(patients_file(tmp_path, content))
    assert str(error.value) == message


def test_a_missing_file_is_wrong_use(tmp_path):
    with pytest.raises(UsageError, match=r"nobody\.csv"):
        read_patients(tmp_path / "nobody.csv")


def test_matchers_are_kept_and_bounded():
    patients = Patients(iter([("7", "last\x1fMeier")]))
    assert matcher(patients, "7", "fr") is matcher(patients, "7", "fr")
    assert matcher.cache_info().maxsize == 2048
    assert matcher(patients, "8", "fr") is None


def test_a_note_finds_only_its_own_patient():
    patients = Patients(iter([("7", "last\x1fMeier"), ("8", "last\x1fRochat")]))
    text = "Meier et Rochat"
    for patient, expected in (("7", ["Meier"]), (8, ["Rochat"]), ("9", []), (None, [])):
        spans = KnownDetector(patients, "fr").detect(Document("n", text, meta={"patient": patient}))
        assert [span.of(text) for span in spans] == expected


def test_united_covers_the_same_characters():
    found, known = (
        [Span(0, 5, "A", 0.9), Span(7, 9, "B")],
        [Span(1, 3, "A", 0.99), Span(6, 12, "B", 0.99), Span(4, 6, "C", 0.99)],
    )
    result = unite_with_known(found, known)
    covered = {i for span in [*found, *known] for i in range(span.start, span.end)}
    assert {i for span in result for i in range(span.start, span.end)} == covered
    assert [(span.start, span.end) for span in result] == [(0, 5), (6, 12), (4, 6)]
