"""Synthetic patients and the ways in which notes mention them, for the tests of known identifiers."""

from dataclasses import dataclass
from random import Random

from innominate.detect.known.patients import Patient
from innominate.surrogates.contacts import draw_phone
from innominate.surrogates.dates import format_date
from innominate.synth.case import Fit, draw_case
from innominate.synth.lexicon import setting

LANGUAGES = ("en", "fr", "sv", "es")
TITLES = {"en": "Mrs.", "fr": "Mme", "sv": "fru", "es": "Sra."}
LONG_DATES = {
    "en": ("{M} {d}, {y}", "{b} {d} {y}", "{d} {M} {y}", "{dd}-{b}-{yy}", "{M} {D}, {y}"),
    "fr": ("{D} {M} {y}", "{d} {b} {y}", "{d} {M} {yy}"),
    "sv": ("{d} {M} {y}", "{d}:e {M} {y}", "{d} {b} {yy}"),
    "es": ("{d} de {M} de {y}", "{d} de {M} del {y}", "{d}-{b}-{y}", "{d} {M} {y}"),
}
NUMERIC_DATES = (
    *("{dd}.{mm}.{y}", "{d}.{m}.{yy}", "{dd}/{mm}/{yy}", "{mm}/{dd}/{y}", "{y}-{mm}-{dd}", "{yy}-{mm}-{dd}", "{dd}#{mm}#{y}"),
    *(
        "{d}-{m}-{y}",
        "{y}{mm}{dd}",
        "{yy}{mm}{dd}",
        "{dd}{mm}{y}",
        "{dd} {mm} {y}",
        "{d}/{m} {y}",
        "{d}/{m}-{yy}",
        "{dd} . {mm} . {y}",
    ),
)


@dataclass(frozen=True)
class Known:
    """A drawn patient, as the patient file has it and in parts."""

    patient: Patient
    case: object
    phone: str
    lang: str

    @property
    def first(self):
        return self.case.patient.name.first[0]

    @property
    def last(self):
        return self.case.patient.name.last[0]


def draw_known(lang, seed):
    rng = Random(f"known/{lang}/{seed}")
    case = draw_case(setting(lang), rng, Fit(adult=True))
    name, home, phone = case.patient.name, case.home, draw_phone(lang, rng, fictional=False)
    values = {
        "id": (str(rng.randrange(10**6, 10**7)),),
        "first": name.first,
        "last": name.last,
        "birth": (case.patient.birth.isoformat(),),
        "street": (f"{home.number} {home.street}" if lang == "en" else f"{home.street} {home.number}",),
        "zip": (home.zip,),
        "city": (home.city,),
        "phone": (phone,),
        "number": tuple(case.ids.values()),
    }
    return Known(
        Patient(values["id"][0], {role: tuple(v for v in value if v) for role, value in values.items()}), case, phone, lang
    )


def typo(word, rng):
    """One letter wrong, missing, added, or swapped with the next."""
    at = rng.randrange(len(word) - 1)
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    made = rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at:],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
    return made[0].upper() + made[1:] if word[0].isupper() else made


def separated(value, rng):
    """A number with other separators."""
    digits = [c for c in value if c.isalnum()]
    marks = rng.choice(("", " ", ".", "-", "/", "  ", " - ", "'"))
    plus = "+" if value.strip().startswith(("+", "(+")) else ""
    return plus + "".join(c + (marks if i % 3 == 2 and i < len(digits) - 1 else "") for i, c in enumerate(digits))


def dates(known, patterns):
    return [format_date(known.case.patient.birth, pattern, known.lang) for pattern in patterns]
