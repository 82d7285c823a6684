"""The detector `best` hears both models."""

import numpy as np

from innominate.core import Document
from innominate.detect.combine.combined import BestDetector, CombinedDetector
from innominate.detect.contextual.detector import STUDENT, TEACHER, ContextualDetector

NOTE = [Document("n", "Seen by Dr Adaeze Okafor with her brother Tunde, a welder in Hull.")]


def test_best_believes_the_mean_of_the_large_and_the_small_model():
    large, small = (ContextualDetector(model).marginals(NOTE)[0].probabilities for model in (TEACHER, STUDENT))
    both = BestDetector("en").believe(NOTE)[0]
    np.testing.assert_allclose(both.probabilities, (large + small) / 2, rtol=1e-5)
    assert (both.probabilities != large).any()
    assert (CombinedDetector("en").believe(NOTE)[0].probabilities == small).all()


def test_a_model_that_is_named_is_heard_alone():
    named = BestDetector("en", model=ContextualDetector(TEACHER).folder)
    assert (named.believe(NOTE)[0].probabilities == ContextualDetector(TEACHER).marginals(NOTE)[0].probabilities).all()
