import pytest

from innominate.core import annotated
from innominate.detect.patterns import PatternDetector, patterns
from innominate.labels import for_language

LANGUAGES = ("en", "fr", "sv", "es")
CASES = [(lang, pattern) for lang in LANGUAGES for pattern in patterns(lang)]


@pytest.mark.parametrize(("lang", "pattern"), CASES, ids=lambda case: getattr(case, "name", case))
def test_a_pattern_matches_its_example_and_not_its_counterexample(lang, pattern):
    assert [match.group() for match in pattern.expression.finditer(pattern.context)] == [pattern.match]
    assert not list(pattern.expression.finditer(pattern.no_match))


SENTENCES = {
    "en": [
        "Seen on [03/18/2022](DATE), again [March 25th](DATE), next visit [April 2, 2022](DATE) at 10:30",
        "BP 120/80, Hb 11.4, ratio 1:200, furosemide 40 mg bid, EF 35%",
        "Call [(555) 010-0142](PHONE) or write to [ward@stclare.example](EMAIL), see [www.stclare.example/a](URL).",
        "since [September 2021](DATE) she may 20 times a day",
    ],
    "fr": [
        "Vu le [18.03.2022](DATE) à [9h30](TEMPS), revu le [1er avril 2022](DATE) à [14h](TEMPS), depuis [mars 2021](DATE)",
        "Hospitalisé du [18#03#2022](DATE) au [22#03#2022](DATE), après 48h, pendant 2 heures, TA 120/80, Hb 11.4 g/l",
        "Tél: [+41 21 314 11 11](TÉLÉPHONE) ou [021 314 11 11](TÉLÉPHONE), [a.b@chu.example](EMAIL)",
    ],
    "sv": [
        "Inskriven [2022-03-18](Full_Date), ut [220325](Full_Date), åter [18 maj](Date_Part), sedan [mars 2015](Date_Part)",
        "kl 14.30 BT 168/95, Hb 132, tel [070-123 45 67](Phone_Number), mejl [avd34@sjukhus.example](Email)",
    ],
    "es": [
        "Ingresa el [02/03/2022](FECHAS), alta [9 de marzo de 2022](FECHAS), revisión en [abril de 2022](FECHAS) a las 10:30",
        "TA 142/88, Hb 11,4; teléfono [976 123 456](NUMERO_TELEFONO), móvil [612345678](NUMERO_TELEFONO)",
    ],
}


@pytest.mark.parametrize(("lang", "sentence"), [(lang, s) for lang, all_ in SENTENCES.items() for s in all_])
def test_sentences(lang, sentence):
    wanted = annotated(sentence)
    assert list(PatternDetector(lang).detect(wanted)) == list(wanted.spans)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_labels_are_those_of_the_taxonomy_of_the_language(lang):
    assert PatternDetector(lang).labels <= for_language(lang).labels.keys()
