"""The measures of the Text Anonymization Benchmark, by hand."""

import json
from pathlib import Path

import pytest

from innominate.core import Document, FormatError, Span
from innominate.evaluate import tab
from innominate.evaluate.tab import (
    Mention,
    TabDocument,
    TabEntity,
    as_document,
    from_document,
    looks_like_tab,
    read_gold,
    read_masks,
)

TEXT = "Mr Cengiz Polat of Turkey was born in 1965. Mr Polat's lawyer lives in Istanbul."
POLAT = TabEntity("a1", "PERSON", "DIRECT", (Mention(0, 15), Mention(44, 54)))
YEAR = TabEntity("a1", "DATETIME", "QUASI", (Mention(38, 42),))
TOWN = TabEntity("a1", "LOC", "QUASI", (Mention(71, 79, mask=False),))
GOLD = TabDocument("d1", TEXT, (POLAT, YEAR, TOWN))
CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "tab"


def scored(*places, gold=GOLD):
    return tab.score([(gold, Document("d1", TEXT, tuple(Span(start, end, "MASK") for start, end in places)))])


def test_an_entity_is_masked_if_all_its_mentions_are_but_for_function_words():
    found = scored((3, 15), (47, 52))  # without Mr and 's
    assert found["entity_recall"]["direct"] == {"masked": 1, "n": 1, "recall": 1.0}
    assert found["entity_recall"]["quasi"] == {"masked": 0, "n": 1, "recall": 0.0}
    assert found["entity_recall"]["all"]["recall"] == 0.5


def test_one_uncovered_mention_uncovers_the_entity():
    assert scored((3, 15))["entity_recall"]["direct"]["masked"] == 0
    assert scored((3, 15))["mention_recall"] == {"masked": 1, "n": 3, "recall": pytest.approx(1 / 3)}


def test_tokens_are_words_and_function_words_are_always_masked():
    found = scored((3, 9))
    assert found["token_recall"]["n"] == 3 + 3 + 1  # Mr Cengiz Polat, Mr Polat s, 1965
    assert found["token_recall"]["masked"] == 3  # Mr, Cengiz, Mr


def test_precision_is_the_share_of_annotators_who_agree():
    other = TabEntity("a2", "DATETIME", "QUASI", (Mention(38, 42),))
    both = TabDocument("d1", TEXT, (POLAT, YEAR, other))
    found = scored((3, 15), (38, 42), (71, 79), gold=both)["precision_uniform"]["token"]
    assert found == {"agreed": 2 + 2, "asked": 4 * 2, "precision": 0.5}


def test_without_entities_there_is_no_entity_recall():
    masks = TabDocument("d1", TEXT, (TabEntity("a1", "MASK", None, (Mention(38, 42),)),), has_entities=False)
    found = scored((38, 42), gold=masks)
    assert found["entity_recall"] == {"direct": None, "quasi": None, "all": None}
    assert found["token_recall"]["recall"] == 1


def test_a_mention_that_needs_no_mask_does_not_uncover_its_entity():
    mixed = TabDocument("d1", TEXT, (TabEntity("a1", "PERSON", "DIRECT", (Mention(0, 15), Mention(44, 54, mask=False))),))
    assert scored((3, 15), gold=mixed)["entity_recall"]["direct"]["masked"] == 1
    assert scored((3, 15), gold=mixed)["mention_recall"] == {"masked": 1, "n": 2, "recall": 0.5}


def mention(start, end, id, kind):
    return {"start_offset": start, "end_offset": end, "entity_id": id, "identifier_type": kind, "entity_type": "PERSON"}


def test_all_three_shapes_of_the_corpus_are_read(tmp_path):
    mentions = [mention(0, 15, "e1", "DIRECT"), mention(44, 54, "e1", "NO_MASK"), mention(71, 79, "e2", "NO_MASK")]
    shapes = {
        "official.json": [{"doc_id": "d1", "text": TEXT, "annotations": {"a1": {"entity_mentions": mentions}}}],
        "typed.jsonl": {
            "metadata": {"provenance": {"doc_id": "d1", "annotator": "a1"}},
            "text": TEXT,
            "entities": mentions,
        },
        "masks.jsonl": {"doc_id": "d1", "text": TEXT, "mask_spans_by_annotator": [[[0, 15]], [[0, 15], [38, 42]]]},
    }
    read = {}
    for name, content in shapes.items():
        path = tmp_path / name
        path.write_text(json.dumps(content), encoding="utf-8")
        assert looks_like_tab(path)
        (read[name],) = read_gold(path)
    assert read["official.json"] == read["typed.jsonl"]
    assert [entity.identifier for entity in read["typed.jsonl"].entities] == ["DIRECT", "QUASI"]
    assert [entity.mask for entity in read["typed.jsonl"].entities] == [True, False]
    assert read["masks.jsonl"].annotators == {"annotator1", "annotator2"}
    assert [(span.start, span.end) for span in as_document(read["masks.jsonl"]).spans] == [(0, 15), (38, 42)]


def test_a_system_may_come_as_the_official_scorer_takes_it(tmp_path):
    path = tmp_path / "masks.json"
    path.write_text('{"d1": [[0, 15]]}', encoding="utf-8")
    assert read_masks(path) == {"d1": [Span(0, 15, "MASK")]}
    path.write_text('{"d1": 3}', encoding="utf-8")
    with pytest.raises(FormatError):
        read_masks(path)


def test_labels_that_no_taxonomy_knows_have_no_kind():
    document = Document("d1", TEXT, (Span(0, 15, "PERSON"),))
    assert from_document(document).entities[0].identifier is None


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS.is_dir(), reason="skipped: corpus not found")
def test_masking_what_annotators_mask_covers_every_entity():
    gold = read_gold(CORPUS / "tab_typed_train_dev.jsonl")
    found = tab.score([(document, as_document(document)) for document in gold])
    assert found["entity_recall"]["all"]["recall"] == 1
    assert found["entity_recall"]["direct"]["n"] > 100
