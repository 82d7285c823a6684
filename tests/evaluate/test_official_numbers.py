"""Every oracle case: the same input gives the same number as the official program."""

import pytest
from evaluate_oracles import brat_documents, differences, i2b2_notes, on_both_sides, oracles

from innominate.evaluate import i2b2, meddocan, spans, stats, tags


@oracles("i2b2")
def test_i2b2_blocks_official_and_corrected(oracle):
    wrong = []
    for name, gold, system, expected in oracle.runs():
        found = i2b2.score(on_both_sides(i2b2_notes(gold), i2b2_notes(system)))
        for part in ("n_documents", "blocks", "idnum_corrected_not_official"):
            wrong += differences(found[part], expected[part], where=f"{name}/{part}")
    assert wrong == []


@oracles("i2b2")
def test_i2b2_gives_every_block_of_the_report(oracle):
    assert len(i2b2.MAIN) + len(i2b2.BY_CATEGORY) == 42
    names = {block.name for block in (*i2b2.MAIN, *i2b2.BY_CATEGORY)}
    assert all(set(expected["blocks"]) <= names for _, _, _, expected in oracle.runs())


@oracles("meddocan")
def test_meddocan_ner_spans_merged_and_leak(oracle):
    files = (oracle.folder / "sentences").glob("*.ann")
    sentences = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    wrong = []
    for name, gold, system, expected in oracle.runs():
        found = meddocan.score(on_both_sides(brat_documents(gold), brat_documents(system)), sentences)
        wrong += [d for part in found for d in differences(found[part], expected[part], where=f"{name}/{part}")]
    assert wrong == []


@oracles("tags")
def test_tags_as_seqeval_and_nervaluate(oracle):
    cases, wrong = oracle.cases["tag_cases"], []
    for name, expected in oracle.expected["tag_cases"].items():
        some = [case for key, case in cases.items() if key == name or (name.startswith("all_") and case["scheme"] in name)]
        some = [case for case in some if case["scheme"] == expected["scheme"]]
        sentences = [sentence for case in some for sentence in case["sentences"]]
        found = tags.score([s["true"] for s in sentences], [s["pred"] for s in sentences], expected["scheme"])
        wrong += differences(found, expected, where=name)
    assert wrong == []


@oracles("tags")
def test_offsets_as_nervaluate(oracle):
    wrong = []
    for name, case in oracle.cases["offset_cases"].items():
        sides = [[[spans.Entity(*entity) for entity in document] for document in case[side]] for side in ("true", "pred")]
        found = spans.score_entities(list(zip(*sides, strict=True)))
        wrong += differences(found, oracle.expected["offset_cases"][name], where=name)
    assert wrong == []


@oracles("stats")
def test_clopper_pearson_to_1e_8(oracle):
    wrong = []
    for expected in oracle.expected["clopper_pearson"]:
        k, n, confidence = expected["k"], expected["n"], expected["confidence"]
        found = {
            "two_sided": list(stats.clopper_pearson(k, n, confidence)),
            "one_sided_lower": stats.lower_bound(k, n, confidence),
            "one_sided_upper": stats.upper_bound(k, n, confidence),
        }
        wanted = {name: expected[name] for name in found}
        wrong += differences(found, wanted, 1e-8, where=f"{k} of {n}")
    assert wrong == []


@oracles("stats")
def test_t_tests_to_1e_8(oracle):
    wrong = []
    for name, kinds in oracle.expected["t_tests"].items():
        samples = oracle.cases["t_tests"][name]
        for kind, expected in kinds.items():
            found = getattr(stats, kind)(samples["a"], samples["b"]).as_dict()
            wrong += differences(found, expected, 1e-8, where=f"{name}/{kind}")
    assert wrong == []


def test_the_comparison_of_numbers_notices_a_difference():
    assert differences({"tp": 1, "f1": 0.5}, {"tp": 2, "f1": 0.5 + 1e-7}) != []
    assert differences({}, {"tp": 2}) == ["/tp is missing"]
    assert differences({"f1": 0.0}, {"f1": None}) != []


def test_sequences_of_different_lengths_are_refused():
    with pytest.raises(Exception, match="different numbers"):
        tags.score([["O", "O"]], [["O"]])
