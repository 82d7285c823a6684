"""Eponyms both ways: a disease, scale or device stays, a surname goes; the sentences are in tests/detect/eponyms."""

import pytest

import score_eponyms
from innominate.core import Document
from innominate.detect.rules.board import Board, Found, Header
from innominate.detect.rules.engine import RulesDetector
from innominate.detect.rules.kinds.keep import KeepRule
from innominate.detect.rules.sources import COMMON as COMMON_FOLDER
from innominate.detect.rules.sources import list_entries, pack_folder
from innominate.labels import for_language
from innominate.languages import language_codes

FLOOR = 0.97
COMMON = ("eponym_names", "eponym_fixed", "eponym_scales", "eponym_signs", "eponym_bare")


def words(name, folder=COMMON_FOLDER):
    return set(list_entries((folder / "lists" / f"{name}.txt").read_text(encoding="utf-8")))


def test_there_are_enough_eponyms():
    assert len({word.casefold() for name in COMMON for word in words(name)}) >= 400


@pytest.mark.parametrize("lang", language_codes())
def test_the_sentences_are_enough_and_balanced(lang):
    uses = list(score_eponyms.uses(lang))
    labels = {use.span.label for use in uses if not use.disease}
    assert labels <= for_language(lang).labels.keys()
    assert len({use.document.text for use in uses}) >= 150
    for part in ("dev", "held-out"):
        diseases = [use.disease for use in uses if use.part == part]
        assert 0.35 <= sum(diseases) / len(diseases) <= 0.65
    assert len({use.document.text for use in uses if use.part == "held-out"}) >= 50


@pytest.mark.parametrize("lang", language_codes())
def test_diseases_stay_and_surnames_go(lang):
    outcomes = score_eponyms.score(lang)
    wrong = {kind: [use.id for use in outcome.wrong] for kind, outcome in outcomes.items()}
    assert {kind for kind, outcome in outcomes.items() if outcome.share < FLOOR} == set(), wrong


def test_swedish_genitives_are_those_of_the_common_lists():
    names = set().union(*(words(name) for name in COMMON if name != "eponym_fixed"))
    assert words("eponym_genitives", pack_folder("sv")) == {f"{word}s" for word in names if word[-1].casefold() not in "sxz"}


EVIDENCE = [
    ("en", "Mr. Graves has Graves' disease. Graves went home.", ["Graves", "Graves"]),
    ("en", "Mary Parkinson is stable. Her Parkinson's disease is stable.", ["Mary Parkinson"]),
    ("fr", "Mme Parkinson a une maladie de Parkinson. Parkinson rentre demain.", ["Parkinson", "Parkinson"]),
]


@pytest.mark.parametrize(("lang", "text", "wanted"), EVIDENCE)
def test_a_name_is_found_again_but_not_in_its_disease(lang, text, wanted):
    spans = RulesDetector(lang).detect(Document("n", text))
    assert [span.of(text) for span in spans if "names" in span.source or span.label in {"PATIENT", "PATIENT_E"}] == wanted


def kept(text, *found):
    board = Board(text)
    for candidate in found:
        board.put(candidate)
    rule = KeepRule(Header(name="keep", label=""), frozenset({".eponym"}), frozenset({"NAME"}))
    rule.apply(board, board.of(rule.of))
    return [text[name.start : name.end] for name in board.of(["NAME"])]


def at(text, part, label, score, because=()):
    return Found(text.index(part), text.index(part) + len(part), label, score, "r", because=because)


def test_keep_takes_off_what_is_less_sure_and_leaves_what_is_surer():
    text = "Dr Parkinson"
    shield = at(text, "Parkinson", ".eponym", 0.95)
    assert kept(text, shield, at(text, "Parkinson", "NAME", 0.9)) == []
    assert kept(text, shield, at(text, "Parkinson", "NAME", 0.97)) == ["Parkinson"]


def test_keep_leaves_the_names_around_what_it_protects():
    text = "Anna Maria de Parkinson-White disease"
    name = at(text, "Anna Maria de Parkinson-White", "NAME", 0.85)
    assert kept(text, at(text, "Parkinson", ".eponym", 0.95), name) == ["Anna Maria"]


def test_keep_takes_off_what_rests_on_protected_text_only():
    text = "Charcot Marie Tooth disease. Later Tooth said"
    mark = at(text, "Marie", ".first_name", 0.9)
    name = at(text, "Charcot Marie Tooth", "NAME", 0.85, (mark,))
    again = Found(text.rindex("Tooth"), text.rindex("Tooth") + 5, "NAME", 0.85, "r.again", because=(mark,))
    assert kept(text, at(text, "Charcot Marie Tooth", ".eponym", 0.95), name, again) == []
