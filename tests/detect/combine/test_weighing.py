import numpy as np

from innominate.core import Span
from innominate.detect.combine.combined import EvidenceWeights, gather_evidence, read_weights, weigh_evidence, write_weights
from innominate.detect.dial.threshold import Marginals

LABELS = ("NAME", "DATE")
TAGS = ("O", "B-NAME", "I-NAME", "B-DATE", "I-DATE")
TEXT = "Weber saw Weber on Monday"
STARTS, ENDS = (0, 6, 10, 16, 19), (5, 9, 15, 18, 25)


def believed(*names):
    """Each word a name with some probability."""
    rows = np.array([[1 - name, name, 0, 0, 0] for name in names], np.float32)
    return Marginals(TEXT, STARTS, ENDS, TAGS, rows, rows.argmax(axis=1))


def names(marginals):
    return (1 - marginals.outside).round(2).tolist()


def test_without_other_evidence_the_model_is_believed():
    given = believed(0.9, 0.1, 0.2, 0.1, 0.1)
    weighed = weigh_evidence(given, gather_evidence(given, [], [], LABELS), EvidenceWeights(elsewhere=0.0), LABELS)
    assert names(weighed) == names(given)


def test_a_rule_makes_likelier_and_names_what_the_model_does_not_see():
    given = believed(0.9, 0.1, 0.2, 0.1, 0.3)
    evidence = gather_evidence(given, [Span(19, 25, "DATE")], [], LABELS)
    weighed = weigh_evidence(given, evidence, EvidenceWeights(rules={"NAME": 1.0, "DATE": 4.0}, elsewhere=0.0), LABELS)
    assert weighed.outside[4] < 0.1
    assert TAGS[weighed.best[4]] == "B-DATE"


def test_a_shield_is_evidence_and_no_veto():
    sure, unsure = believed(0.999, 0.1, 0.1, 0.1, 0.1), believed(0.7, 0.1, 0.1, 0.1, 0.1)
    weights = EvidenceWeights(shield=-2.0, elsewhere=0.0)
    for given, masked in ((sure, True), (unsure, False)):
        evidence = gather_evidence(given, [], [(0, 5)], LABELS)
        assert bool(weigh_evidence(given, evidence, weights, LABELS).best[0]) is masked


def test_the_same_word_is_decided_once():
    given = believed(0.99, 0.1, 0.3, 0.1, 0.1)
    weighed = weigh_evidence(given, gather_evidence(given, [], [], LABELS), EvidenceWeights(elsewhere=0.9), LABELS)
    assert weighed.outside[2] < 0.2
    assert weighed.outside[1] > 0.8


def test_weights_are_read_as_they_were_written(tmp_path):
    weights = EvidenceWeights(bias=-0.5, rules={"NAME": 1.25})
    write_weights(weights, tmp_path)
    assert read_weights(tmp_path) == weights
