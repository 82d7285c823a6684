"""Notes for the property tests of concealment: what a detector might mark, right or wrong, in four languages."""

import os
from random import Random

from innominate.conceal.keys import Key
from innominate.core import Document, Span
from innominate.labels import for_language
from innominate.synth.generate import generate

SLOW = bool(os.environ.get("INNOMINATE_SLOW"))
CASES = 5000 if SLOW else 300
LANGS = ("fr", "en", "sv", "es")
KEY, OTHER_KEY = Key(bytes(range(32))), Key(bytes(range(1, 33)))

WORDS = {
    "fr": "Mme Marie-Laure Christiansen Rochat de la Gare Lausanne 1004 VD Hôpital de Nyon CHUV 3 mai 1950 18.03.2022 lundi "
    "79 ans 021 314 11 11 m.rochat@chuv.ch IPP 1234567 Suisse infirmière mère 14h30 M.-L. C. né à Zürich Müller d'Angelo BH08 "
    "www.chuv.ch",
    "en": "Mr. John Smith Jr. O'Brien 123 Main St. Boston, MA 02139 Mercy Hospital 03/18/2022 Monday 94 617-555-0134 "
    "js@mgh.org MRN 123-45-67 123-45-6789 USA teacher 10.1.2.3 J.S. Parkinson's disease",
    "sv": "Eva Andersson Karl-Johan Klinteberg 19121212-1212 Storgatan 5 123 45 Uppsala Danderyds sjukhus 08-123 45 67 måndag "
    "18/3 Sverige 94 år Yusufs Kirurgmottagningen Box 2017 E4:an 90-talet tisd",
    "es": "D. Juan Carlos García López Calle Mayor nº 5, 3º B 28034 Madrid 12345678Z 912 34 56 78 Hospital Virgen del Rocío "
    "18 de marzo de 2022 45 años hermano varón España jg@salud.org su hija Nerea madre 7-VI-2021 X-4471902-L",
}


def random_notes(n: int, seed: int):
    """Words in any order with spans anywhere and any label: nothing a detector could do wrong is left out."""
    rng = Random(seed)
    for number in range(n):
        lang = LANGS[number % 4]
        labels = list(for_language(lang).labels)
        words = rng.choices(WORDS[lang].split(), k=rng.randint(3, 25))
        text = "".join(word + rng.choice((" ", " ", " ", ", ", "\n", ". ", "")) for word in words)
        if rng.random() < 0.1:
            text = "".join(rng.choices("abcÉß🙂 \n<>&;'-.1é", k=rng.randint(5, 40))) + text
        if rng.random() < 0.05:
            text = f"<p>{text}<br>M&uuml;ller</p>"
        spans = []
        position = 0
        while position < len(text) - 1:
            start = position + rng.randint(0, 12)
            end = min(len(text), start + rng.randint(1, 18))
            if start < end:
                spans.append(Span(start, end, rng.choice(labels)))
            position = end
        yield Document(f"n{number}", text, tuple(spans), {"lang": lang, "patient": f"p{number // 3}"})


def synthetic_notes(n: int, seed: int):
    for lang in LANGS:
        yield from generate(lang, max(3, n // 4), seed=seed)
