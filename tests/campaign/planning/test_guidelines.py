"""Guidelines: the written ones are complete, and the page shows what the source says and obeys nothing in it."""

import shutil

import pytest

from innominate.campaign.planning.guidelines import (
    begin_guidelines,
    check_guidelines,
    excerpt_examples,
    find_guidelines,
    read_examples,
)
from innominate.core import UsageError, annotated
from innominate.labels import names, taxonomy
from innominate.report.guidelines import print_guidelines, render_guidelines

CHUV = taxonomy("chuv")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_written_guidelines_have_a_section_and_both_kinds_of_examples_for_every_label(lang):
    text = find_guidelines("chuv", lang)
    assert check_guidelines(text, CHUV) == []
    wrong = {one.label for one in read_examples(text, CHUV) if not one.right}
    assert wrong >= set(CHUV.standard)


def test_both_languages_have_the_same_right_examples():
    french, english = (
        [e.document for e in read_examples(find_guidelines("chuv", lang), CHUV) if e.right] for lang in ("fr", "en")
    )
    assert french == english


@pytest.mark.parametrize("name", names())
def test_guidelines_begin_for_any_taxonomy(name):
    labels = taxonomy(name)
    text = begin_guidelines(labels, "xx")
    assert check_guidelines(text, labels) == []
    assert "<h1" in render_guidelines(text, labels)


def test_examples_are_taken_from_notes_with_all_that_is_marked_beside_them():
    found = excerpt_examples([annotated("x\nVu par [Rochat](DOCTOR) le [3 mai](DATE)\ny")])
    assert found == {
        "DOCTOR": ["Vu par [Rochat](DOCTOR) le [3 mai](DATE)"],
        "DATE": ["Vu par [Rochat](DOCTOR) le [3 mai](DATE)"],
    }


def test_what_is_wrong_is_said_with_its_line():
    assert "line 3: no label is called 'HEURE'" in check_guidelines("### TEMPS\n\n- ✓ à [12h](HEURE)", CHUV)
    with pytest.raises(UsageError, match="line 2"):
        list(read_examples("### TEMPS\n- ✓ à [12h", CHUV))


def test_the_page():
    source = "# Guide\n\n## TEMPORAL\n\n### TEMPS\n\n- ✓ à [12h](TEMPS)\n- ✗ pendant [48h](TEMPS)\n\n<script>x</script> [out](http://x.example)"
    page = render_guidelines(source, CHUV, "fr")
    assert f'<mark style="--label: {CHUV["TEMPS"].colour}">12h<small>TEMPS</small></mark>' in page
    assert page.count('<li class="right">') == page.count('<li class="wrong">') == 1
    assert 'href="#temps"' in page
    assert 'id="temps"' in page
    assert "<script>" not in page
    assert "x.example" not in page


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
def test_the_pdf(tmp_path):
    print_guidelines(render_guidelines("# Guide\n\n### TEMPS\n\n- ✓ à [12h](TEMPS)", CHUV), tmp_path / "guide.pdf")
    assert (tmp_path / "guide.pdf").read_bytes().startswith(b"%PDF")
