import pytest

from innominate.labels import for_language
from innominate.synth.generate import generate

UNWRITTEN = {"card"}  # kinds that no template has


@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_every_label_of_the_taxonomy_occurs_and_no_other(lang, split):
    found = {span.label for document in generate(lang, 1200, seed=5, split=split) for span in document.spans}
    assert found == {name for name, label in for_language(lang).labels.items() if label.kind.name not in UNWRITTEN}
