import pytest

from innominate.labels import for_language
from innominate.synth.generate import generate


@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_every_label_of_the_taxonomy_occurs_and_no_other(lang, split):
    found = {span.label for document in generate(lang, 1200, seed=5, split=split) for span in document.spans}
    assert found == set(for_language(lang).labels)
