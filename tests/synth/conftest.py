"""A tiny language world, so that the engine can be tested without the shipped templates."""

from random import Random

import pytest

from innominate.core import Document, marked
from innominate.synth.case import draw_case, fit_of
from innominate.synth.generate import Program, assemble
from innominate.synth.lexicon import setting
from innominate.synth.template import parse_template


def note(body: str, lang: str = "fr", seed: int = 1, gender: str = "") -> Document:
    """Render a template body without noise."""
    template = parse_template(body, gender=gender)
    program = Program(template, setting(lang))
    rng = Random(seed)
    case = draw_case(program.setting, rng, fit_of(template))
    return assemble(program.pieces(case, case.episodes[0], rng), "n", {})


@pytest.fixture
def render():
    return note


@pytest.fixture
def show():
    return lambda *args, **options: marked(note(*args, **options))
