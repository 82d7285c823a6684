"""What scanners, mail systems and terminals do to words is undone on the view, and ordinary text stays as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_fuzz import PIECES, check_map

from innominate.core import Span
from innominate.text.fold import Fold
from innominate.text.view import DETECTION, named, view

TORN = ("CÃ©", "Ã\x89", "=C3=A9", "=\n", "&amp;", "&eacute;", "\u202e", "\u202c", "R o c h a t", "1 8/0 3/2 0")
TORN += ("-\n", "**", "_", "0", "O")
HOSTILE = st.lists(st.sampled_from((*PIECES, *TORN)), max_size=20).map("".join)


def seen(text):
    return view(text, named(DETECTION))


@pytest.mark.parametrize(
    ("torn", "whole"),
    [
        ("Mme CÃ©line RÃ¶sti", "Mme Céline Rösti"),
        ("Mme Ã\x89lise", "Mme Élise"),
        ("Mme CÃƒÂ©line", "Mme Céline"),
        ("lâ€™hÃ´pital", "l'hôpital"),
        ("Mme C=C3=A9line Ro=\nchat, R=F6sti", "Mme Céline Rochat, Rösti"),
        ("Mme C&eacute;line Lind&#233;n", "Mme Céline Lindén"),
        ("Dr \u202etahcoR\u202c dort", "Dr Rochat dort"),
        ("Mme E v a  R o c h a t dort", "Mme Eva  Rochat dort"),
        ("Mme E v a R o c h a t", "Mme Eva Rochat"),
        ("née le 1 8.0 3.1 9 5 0 à 0 9:1 5", "née le 18.03.1950 à 09:15"),
        ("Mme Ro-\nchat, LIND-\nGREN", "Mme Rochat, LINDGREN"),
        ("née le 18.03.19\n50", "née le 18.03.1950"),
        ("Mme **Céline** _Rochat_", "Mme Céline Rochat"),
        ("Mme Céline_de_Rochat", "Mme Céline de Rochat"),
        ("Mme R0chat et J0HANSS0N, 0lsson", "Mme Rochat et JOHANSSON, Olsson"),
        ("née le 18.O3.l950, en 2O12, à 0S:1O", "née le 18.03.1950, en 2012, à 05:10"),
    ],
)
def test_what_was_torn_is_whole_on_the_view(torn, whole):
    assert seen(torn).text == whole


@pytest.mark.parametrize(
    "text",
    [
        "HbA1c 7,2 %, hba1c, SpO2, CO2, B12, T1N0M0, IgG4, CYP3A4, x10, 10mg, 50mcg, 5ans, L5-S1, type1",
        "Rm 214B, lot 2309B8846, 5008S, 19-II-25, c.68_69delAG, NM_007294.4",
        "Cefepenin V 1 g x 3 t o m 10/6",
        "fickdjup 3 3 4/3 5 3, ABC A B C, V 1 2 3",
        "patient\nhas pain\nThe 120\n80 mg, Na 140\n4.5, id 37867\n8:33 AM",
        "Eva-\nLena, L5-\nS1, 3-\n4",
        "eva_linden@chuv.ch, moberg_torsten_420318.jpg, note_gyn, https://x.ch/Eva_Berg, ____",
        "[**Name**] 2*3*4, * item, a_b",
        "BLÅ–VITT, FÅ» Ä– ÂGE, R&D; A&E, K=4",
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert Fold().edits(text) == [edit for edit in Fold().edits(text) if edit.text in "-\"'"]


@pytest.mark.parametrize(
    ("text", "name", "behind"),
    [
        ("Mme R o c h a t dort", "Rochat", "R o c h a t"),
        ("Mme Ro-\nchat dort", "Rochat", "Ro-\nchat"),
        ("Mme CÃ©line dort", "Céline", "CÃ©line"),
        ("Mme **Rochat** dort", "Rochat", "Rochat"),
        ("Mme R0chat dort", "Rochat", "R0chat"),
    ],
)
def test_a_span_comes_back_with_all_that_was_torn(text, name, behind):
    shown = seen(text)
    start = shown.text.index(name)
    (span,) = shown.to_original([Span(start, start + len(name), "NAME")])
    assert span.of(text) == behind


@settings(max_examples=300)
@given(text=HOSTILE)
def test_torn_texts_map_back(text):
    shown = seen(text)
    check_map(text, shown.text, shown.offsets)
