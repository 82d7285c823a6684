"""The networks that come with Spanish find what they should, alone and beside the rules; other languages have none."""

import pytest

from innominate.core import UsageError, annotated
from innominate.detect.models.named import detector

pytest.importorskip("onnxruntime", reason="networks need the extra [neural]")

NOTE = annotated(
    "Nombre: [Julián](NOMBRE_SUJETO_ASISTENCIA).\n"
    "Apellidos: [Ferreira Quintanilla](NOMBRE_SUJETO_ASISTENCIA).\n"
    "Domicilio: [Calle de los Olmos 14, 3º B](CALLE).\n"
    "Localidad/ Provincia: [Albacete](TERRITORIO).\n"
    "Fecha de nacimiento: [04/07/1961](FECHAS).\n"
    "Edad: [55 años](EDAD_SUJETO_ASISTENCIA) Sexo: [H](SEXO_SUJETO_ASISTENCIA).\n"
    "Médico: [Elvira Santos Prado](NOMBRE_PERSONAL_SANITARIO).\n"
    "Presenta un Glasgow de 15 y enfermedad de Parkinson desde hace 6 años."
)


@pytest.mark.parametrize("name", ["neural", "flair"])
def test_spanish_has_a_quick_network_and_a_better_one(name):
    found = set(detector(name, "es").detect(NOTE))
    assert len(found & set(NOTE.spans)) >= 7
    assert not any("Parkinson" in span.of(NOTE.text) for span in found)


@pytest.mark.parametrize("name", ["neural", "flair"])
def test_it_works_beside_the_rules_and_listens_to_the_dial(name):
    alone = detector(name, "es").detect(NOTE)
    both = detector(f"rules+{name}", "es", recall="F10").detect(NOTE)
    assert {span.source.split(":")[0] for span in both} >= {name}
    covered = {index for span in both for index in range(span.start, span.end)}
    assert all(set(range(span.start, span.end)) <= covered for span in alone if span in NOTE.spans)


def test_a_language_without_a_network_says_so():
    with pytest.raises(UsageError, match="no network comes with the language 'sv', only with: es"):
        _ = detector("neural", "sv").labels
