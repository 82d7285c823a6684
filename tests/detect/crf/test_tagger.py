"""Our tagger is CRFsuite's: same marginals, same best paths, on every feature, from our own arrays."""

import numpy as np
import pycrfsuite
from crf_cases import notes, small_model
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.core import Document
from innominate.detect.crf.detector import CrfDetector
from innominate.detect.crf.features import Features
from innominate.detect.crf.model import CrfModel
from innominate.detect.crf.tagger import CrfTagger
from innominate.detect.crf.training import prepare


def as_crfsuite(folder, examples, features):
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "model.crfsuite"))
    tags = sorted(tagger.labels())
    probabilities, paths, scores = [], [], []
    for example in examples:
        items, first = features.of_note(example.note), 0
        for last in example.note.tokens.units:
            path = tagger.tag(pycrfsuite.ItemSequence(items[first:last]))
            paths += path
            scores.append(tagger.probability(path))
            probabilities += [[tagger.marginal(tag, index) for tag in tags] for index in range(last - first)]
            first = last
    return tags, np.array(probabilities), paths, scores


def test_marginals_and_best_paths_are_those_of_crfsuite():
    folder = small_model()
    model = CrfModel.load(folder)
    features = model.card.features
    examples = list(prepare(notes("dev", 12), features))
    tags, probabilities, paths, _ = as_crfsuite(folder, examples, features)
    believed, best = model.tagger.tag([example.note for example in examples])
    assert list(model.card.tags) == tags
    assert len({tag for tag in paths if tag != "O"}) > 5  # it is a model of something
    assert np.abs(believed - probabilities).max() < 1e-5
    assert [tags[number] for number in best] == paths


def test_one_note_at_a_time_is_the_same_as_all_at_once_and_as_a_cold_start():
    folder = small_model()
    features = CrfModel.load(folder).card.features
    some = [example.note for example in prepare(notes("dev", 12), features)]
    warm = CrfModel.load(folder).tagger
    together, paths = warm.tag(some)
    apart = [warm.tag([note]) for note in some]
    cold = [CrfModel.load(folder).tagger.tag([note])[0] for note in some[:2]]
    assert np.allclose(np.concatenate([found for found, _ in apart]), together, atol=1e-6)
    assert np.concatenate([path for _, path in apart]).tolist() == paths.tolist()
    assert np.allclose(np.concatenate(cold), together[: sum(map(len, cold))], atol=1e-6)


def test_forgetting_rows_changes_nothing(monkeypatch):
    folder = small_model()
    model = CrfModel.load(folder)
    some = [example.note for example in prepare(notes("dev", 6), model.card.features)]
    expected, _ = CrfModel.load(folder).tagger.tag(some)
    monkeypatch.setattr("innominate.detect.crf.tagger._MOST_ROWS", 300)
    tagger = CrfTagger(model.card.features, model.tagger.weights)
    found = np.concatenate([tagger.tag([note])[0] for note in some])
    assert np.allclose(found, expected, atol=1e-6)


@settings(max_examples=50)
@given(st.lists(st.text(alphabet=st.sampled_from("Eva Åsa.1-\n:\tŁ😀́@ºDr")), max_size=4))
def test_any_text_has_probabilities_that_add_up_and_spans_inside_it(texts):
    detector = CrfDetector("sv", str(small_model()))
    documents = [Document(f"n{number}", text) for number, text in enumerate(texts)]
    for document, believed in zip(documents, detector.marginals(documents), strict=True):
        assert np.allclose(believed.probabilities.sum(axis=1), 1, atol=1e-5)
        covered = {i for a, b in zip(believed.starts, believed.ends, strict=True) for i in range(a, b)}
        assert all(character.isspace() or index in covered for index, character in enumerate(document.text))
    for document, spans in zip(documents, detector.detect_many(documents), strict=True):
        document.with_spans(spans)


def test_features_can_be_switched():
    note = next(iter(prepare(notes("dev", 1), Features("sv")))).note
    everything = Features("sv").also(["section", "context"])
    for name in everything.names:
        without = everything.without([name])
        assert sum(map(len, without.of_note(note))) < sum(map(len, everything.of_note(note))), name
