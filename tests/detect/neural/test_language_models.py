"""Character language models: they learn, go on from general text, and flair reads through them, served without torch."""

import numpy as np
import pytest

from innominate.core import Document, UsageError
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.readers.characters import Alphabet, load_character_reader, load_charlm_card
from innominate.detect.neural.readers.graphs import as_function
from innominate.detect.neural.settings import of_kind

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
torch.set_num_threads(1)

from neural_cases import SMALL  # noqa: E402
from neural_cases import letters as notes  # noqa: E402

from innominate.detect.neural.pieces import pieces  # noqa: E402
from innominate.detect.neural.tagset import Tagset  # noqa: E402
from innominate.detect.neural.training.fit import fit, make_small  # noqa: E402
from innominate.detect.neural.training.language_models import CharLmRecipe, fit_charlm, load_charlm  # noqa: E402
from innominate.detect.neural.training.lessons import make_lesson, mentions_by_label, with_other_mentions  # noqa: E402
from innominate.detect.neural.training.readers import with_read  # noqa: E402
from innominate.detect.neural.vocabulary import Vocabulary  # noqa: E402

RECIPE = CharLmRecipe(hidden=32, letter=8, epochs=12, batch=4, length=40, rate=0.02)


@pytest.fixture(scope="module")
def charlm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("charlm")
    losses = []
    fit_charlm(RECIPE, notes(40), folder, device="cpu", watch=lambda epoch, seen: losses.extend(seen.items()))
    assert [way for way, _ in losses] == ["ahead"] * 12 + ["behind"] * 12
    assert losses[11][1] < losses[0][1] / 1.5
    assert losses[23][1] < losses[12][1] / 1.5
    return folder


def test_the_same_seed_gives_the_same_language_models(charlm, tmp_path):
    fit_charlm(RECIPE, notes(40), tmp_path, device="cpu")
    assert (tmp_path / "weights.safetensors").read_bytes() == (charlm / "weights.safetensors").read_bytes()


def test_in_domain_text_after_general_text(charlm, tmp_path):
    begun = []
    fit_charlm(
        RECIPE, notes(20, seed=5), tmp_path, before=charlm, device="cpu", watch=lambda _, seen: begun.extend(seen.values())
    )
    fresh = []
    fit_charlm(RECIPE, notes(20, seed=5), tmp_path / "f", device="cpu", watch=lambda _, seen: fresh.extend(seen.values()))
    assert begun[0] < fresh[0] / 1.2  # what was learnt before is not forgotten
    assert load_charlm_card(tmp_path)[0] == load_charlm_card(charlm)[0]


def test_onnx_reads_like_torch_however_long_the_text_is(charlm):
    onnxruntime = pytest.importorskip("onnxruntime")
    long = Document("long", " ".join(note.text for note in notes(30)))
    texts = [notes(1)[0], long, Document("short", "x")]
    vocabulary = Vocabulary.of([d.text[a:b] for a, b in pieces(d.text)] for d in texts)
    lessons = [make_lesson(each, vocabulary, Tagset(("DATE",), "BIOES")) for each in texts]
    wanted = with_read(lessons, texts, load_charlm(charlm).reader("cpu"), "states")
    reader = load_character_reader(charlm, lambda path: as_function(onnxruntime.InferenceSession(str(path))))
    found = reader.read([each.text for each in texts], [each.places for each in lessons])
    assert len(long.text) > 2_000  # several parts, the state carried over
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs.states, atol=2e-3)


@pytest.mark.parametrize("kind", ["flair", "flair-cvt"])
def test_flair_learns_and_is_served(kind, charlm, tmp_path):
    train, dev = notes(40), notes(12, seed=1)
    options = {**SMALL, "second": "24", "epochs": "14", "variants": "1", "patience": "0"}
    more = train if kind == "flair-cvt" else ()
    progress = fit(
        of_kind(kind).with_options(options), train, dev, tmp_path, unlabelled=more, language_model=charlm, device="cpu"
    )
    assert progress.history[-1]["span"] > 0.9
    detector = NeuralDetector(tmp_path)
    found = list(detector.detect_many(dev))
    right = sum(len(set(spans) & set(document.spans)) for document, spans in zip(dev, found, strict=True))
    assert right / (3 * len(dev)) >= progress.best - 0.02
    assert make_small(tmp_path, dev, cost=1.1) < 1.1
    assert (tmp_path / "language_model" / "ahead.int8.onnx").exists()


def test_a_language_model_for_a_kind_that_reads_none_is_refused(charlm, tmp_path):
    with pytest.raises(UsageError, match="leave --language-model out"):
        fit(of_kind("bilstm"), notes(4), notes(2), tmp_path, language_model=charlm)


def test_a_folder_without_language_models_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no model is here.*innominate train charlm"):
        load_charlm_card(tmp_path)


def test_no_text_teaches_nothing(tmp_path):
    with pytest.raises(UsageError, match="no text"):
        fit_charlm(RECIPE, [Document("n", "")], tmp_path)


def test_swapped_texts_keep_their_spans_on_mentions():
    given = notes(10)
    known = mentions_by_label(given)
    rng = np.random.default_rng(1)
    for note in given:
        other = with_other_mentions(note, known, 1.0, rng)
        assert [span.label for span in other.spans] == [span.label for span in sorted(note.spans)]
        assert all(span.of(other.text) in known[span.label] for span in other.spans)
        assert with_other_mentions(note, known, 0.0, rng).text == note.text


def test_characters_that_are_rare_are_unknown():
    assert Alphabet.of(["aaab"]).encode("ab").tolist() == [0, 1, 0, 0]
