"""Quirks of the official i2b2 program that no oracle case shows alone."""

from innominate.evaluate.i2b2 import HIPAA_CORRECTED, HIPAA_OFFICIAL, MAIN, I2b2Note, Tag, score

TEXT = "Call Müller, 555-0100, in Rom."


def micro(block, gold, system, part="blocks"):
    numbers = score([(I2b2Note("n", TEXT, gold), I2b2Note("n", TEXT, system))])[part][block]["micro"]
    return numbers["tp"], numbers["fp"], numbers["fn"]


def test_a_lower_case_type_is_equal_in_strict_and_different_in_token_and_hipaa():
    gold, system = [Tag("LOCATION", "26", "29", "CITY")], [Tag("LOCATION", "26", "29", "city")]
    assert micro("Strict", gold, system) == (1, 0, 0)
    assert micro("Token", gold, system) == (0, 1, 1)
    assert micro("HIPAA Strict", gold, system) == (0, 0, 1)


def test_elements_with_other_names_are_ignored():
    assert micro("Strict", [Tag("MEDICATION", "0", "4", "X")], [Tag("NAME", "0", "4", "DOCTOR")]) == (0, 1, 0)


def test_elements_named_phi_keep_the_long_key_in_binary_strict():
    phi, name = [Tag("PHI", "5", "11", "DOCTOR")], [Tag("NAME", "5", "11", "DOCTOR")]
    assert micro("Binary Strict", phi, name) == (0, 1, 1)
    assert micro("Binary Strict", phi, phi) == (1, 0, 0)
    assert micro("Binary Token", phi, name) == (2, 0, 0)  # M, ller


def test_the_hipaa_list_asks_how_a_type_begins():
    gold = [Tag("CONTACT", "13", "21", "PHONE-HOME")]
    assert micro("HIPAA Strict", gold, gold) == (1, 0, 0)


def test_idnum_is_scored_only_in_the_corrected_blocks():
    gold = [Tag("ID", "13", "21", "IDNUM")]
    assert micro("HIPAA Strict", gold, gold) == (0, 0, 0)
    assert micro("HIPAA Strict", gold, gold, "idnum_corrected_not_official") == (1, 0, 0)
    assert {*HIPAA_CORRECTED["ID"]} - {*HIPAA_OFFICIAL["ID"]} == {"IDNUM"}


def test_relaxed_never_relaxes_the_start():
    gold, system = [Tag("DATE", "5", "10", "DATE")], [Tag("DATE", "6", "10", "DATE")]
    assert micro("Relaxed", gold, system) == (0, 1, 1)
    assert micro("Relaxed", gold, [Tag("DATE", "5", "12", "DATE")]) == (1, 0, 0)
    assert micro("Relaxed", gold, [Tag("DATE", "5", "13", "DATE")]) == (0, 1, 1)


def test_relaxed_builds_its_sets_in_file_order():
    """12 equals 10 and 14, which do not equal each other: which tags stay depends on their order."""
    tags = [Tag("DATE", "5", end, "DATE") for end in ("10", "12", "14")]
    assert micro("Relaxed", [tags[0], tags[2], tags[1]], []) == (0, 0, 2)
    assert micro("Relaxed", [tags[1], tags[0], tags[2]], []) == (0, 0, 1)


def test_no_documents_give_no_numbers():
    assert score([])["blocks"][MAIN[0].name]["macro"]["f1"] is None
