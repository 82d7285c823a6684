"""Operating points of the default detector on the corpus's dev notes, one dial a language:

.venv/bin/python tools/tune_combined.py combined|best [LANG...]
"""

import argparse
from functools import partial

from fit_evidence import DETECTORS
from innominate.core import Document
from innominate.detect.dial.dial import write_dial
from innominate.detect.dial.tuning import BETAS, TokenEvidence, cross_fitted, tune
from innominate.evaluate.stats import lower_bound
from innominate.languages import language_codes
from score_corpus import read_split


def main() -> None:
    """Tune and print what held-out halves of dev score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detector", choices=DETECTORS)
    parser.add_argument("lang", nargs="*", default=language_codes())
    options = parser.parse_args()
    for lang in options.lang:
        notes = read_split("dev", lang)
        detector = DETECTORS[options.detector](lang, threads=2)
        believed = detector.marginals([Document(note.id, note.text) for note in notes])
        pairs = list(zip(notes, believed, strict=True))
        dial = tune(pairs, BETAS, partial(lower_bound, confidence=0.95), confidence=0.95, source=f"corpus/dev/{lang}")
        folder = detector.learner.folder / "combined" / lang
        folder.mkdir(parents=True, exist_ok=True)
        write_dial(dial, folder)
        scores = cross_fitted(TokenEvidence.of(pairs), BETAS)
        print(lang, "; ".join(f"{name}: R {score.recall:.3f} P {score.precision:.3f}" for name, score in scores.items()))


if __name__ == "__main__":
    main()
