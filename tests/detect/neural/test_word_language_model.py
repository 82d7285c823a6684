"""The word-level language model: it learns, goes on with other text, and a tagger reads through it, served without torch."""

import subprocess
import sys

import numpy as np
import pytest

from innominate.core import Document, UsageError
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.readers.words import load_word_lm_card, load_word_reader
from innominate.detect.neural.settings import of_kind

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
onnxruntime = pytest.importorskip("onnxruntime", reason="serving needs the extra [neural]")
torch.set_num_threads(1)

from neural_cases import SMALL  # noqa: E402
from neural_cases import letters as notes  # noqa: E402

from innominate.detect.neural.nets.layers import Mixture  # noqa: E402
from innominate.detect.neural.pieces import pieces  # noqa: E402
from innominate.detect.neural.readers.graphs import as_function  # noqa: E402
from innominate.detect.neural.tagset import Tagset  # noqa: E402
from innominate.detect.neural.training.fit import fit, make_small  # noqa: E402
from innominate.detect.neural.training.language_models import (  # noqa: E402
    RawText,
    WordLmRecipe,
    fit_wordlm,
    load_wordlm,
    new_word_lm,
    teach_words,
)
from innominate.detect.neural.training.lessons import make_lesson  # noqa: E402
from innominate.detect.neural.training.readers import with_read  # noqa: E402
from innominate.detect.neural.training.steps import TrainingError  # noqa: E402
from innominate.detect.neural.vocabulary import Vocabulary  # noqa: E402

RECIPE = WordLmRecipe(hidden=32, projection=16, letter=8, filters=8, epochs=6, batch=4, length=20, rate=0.02)
LAYER = 2 * RECIPE.projection


@pytest.fixture(scope="module")
def wordlm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordlm")
    seen = []
    fit_wordlm(RECIPE, iter(notes(40)), folder, device="cpu", watch=lambda epoch, losses: seen.append(losses))
    assert len(seen) == RECIPE.epochs
    assert all(seen[-1][way] < seen[0][way] / 2 for way in ("ahead", "behind"))
    return folder


@pytest.fixture(scope="module")
def reader(wordlm):
    return load_word_reader(wordlm, lambda path: as_function(onnxruntime.InferenceSession(str(path))))


def split(text):
    return [text[start:end] for start, end in pieces(text)]


def test_a_stopped_training_goes_on_exactly_and_the_same_seed_gives_the_same_bytes(wordlm, tmp_path):
    def stop(epoch, _losses):
        if epoch == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_wordlm(RECIPE, notes(40), tmp_path, device="cpu", watch=stop)
    begun = []
    fit_wordlm(RECIPE, notes(40), tmp_path, device="cpu", watch=lambda epoch, _: begun.append(epoch))
    assert begun == [4, 5, 6]  # the epoch that was cut off before its checkpoint is read again
    assert (tmp_path / "weights.safetensors").read_bytes() == (wordlm / "weights.safetensors").read_bytes()


def test_in_domain_text_after_general_text_brings_its_own_words(wordlm, tmp_path):
    other = [Document(f"o{number}", note.text.replace("examen", "radiographie ω")) for number, note in enumerate(notes(20, 5))]
    on, fresh = [], []
    fit_wordlm(RECIPE, other, tmp_path / "on", before=wordlm, device="cpu", watch=lambda _, seen: on.append(seen["ahead"]))
    fit_wordlm(RECIPE, other, tmp_path / "fresh", device="cpu", watch=lambda _, seen: fresh.append(seen["ahead"]))
    assert on[0] < fresh[0] / 1.5  # what was learnt before is not forgotten
    old, new = load_word_lm_card(wordlm).vocabulary, load_word_lm_card(tmp_path / "on").vocabulary
    assert new.words[: len(old.words)] == old.words
    assert {"radiographie", "ω"} <= set(new.words) - set(old.words)
    assert set(new.chars) - set(old.chars) == {"ω", "h"} - set(old.chars)
    assert on[-1] < on[0]


def test_onnx_reads_like_torch_however_long_the_notes_are(wordlm, reader):
    long = Document("long", " ".join(note.text for note in notes(30)))
    texts = [notes(1)[0], long, Document("empty", ""), Document("short", "x"), *notes(3, seed=9)]
    vocabulary = Vocabulary.of(split(each.text) for each in texts)
    lessons = [make_lesson(each, vocabulary, Tagset(("DATE",))) for each in texts]
    wanted = with_read(lessons, texts, load_wordlm(wordlm).reader("cpu"), "layers")
    found = reader.read([each.text for each in texts], [pieces(each.text) for each in texts])
    assert len(split(long.text)) > 600  # several parts, the memory carried over
    for mine, theirs, text in zip(found, wanted, texts, strict=True):
        assert mine.shape == (len(split(text.text)), 3 * LAYER)
        np.testing.assert_allclose(mine, theirs.layers, atol=4e-3, rtol=1e-3)  # half precision


def test_no_direction_sees_what_it_has_to_guess(reader):
    """After a change in the middle, only what comes later is read otherwise ahead, and only what comes earlier behind."""
    text = notes(1)[0].text * 6
    start, end = pieces(text)[70]
    other = text[:start] + "X" * (end - start) + text[end:]
    before, after = reader.read([text, other], [pieces(text)] * 2)
    changed = np.abs(before - after) > 1e-6
    assert changed[70, :LAYER].any()  # the word itself
    assert not changed[np.arange(len(before)) != 70, :LAYER].any()
    ahead = [number * RECIPE.projection + place for number in (2, 4) for place in range(RECIPE.projection)]
    behind = [place + RECIPE.projection for place in ahead]
    assert not changed[:70, ahead].any()
    assert changed[71, ahead].any()
    assert not changed[71:, behind].any()
    assert changed[69, behind].any()


def test_words_that_were_never_seen_are_read_by_their_letters(reader):
    (found,) = reader.read(["Zebulon Quixada Zebulon"], [pieces("Zebulon Quixada Zebulon")])
    assert np.array_equal(found[0, :LAYER], found[2, :LAYER])
    assert not np.allclose(found[0, :LAYER], found[1, :LAYER], atol=0.05)
    assert not np.allclose(found[0, LAYER:], found[2, LAYER:], atol=1e-3)  # but in another place


def test_layers_are_mixed_by_shares_that_sum_to_one():
    mix = Mixture(2, 2)
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([0.0, np.log(3.0)]))
        mix.scale.fill_(2.0)
    mixed = mix(torch.tensor([[[-1.0, 1.0, 800.0, -800.0]]]))  # 2 x (three quarters - one quarter), whatever the size
    assert mixed.tolist() == [[[pytest.approx(1, abs=1e-4), pytest.approx(-1, abs=1e-4)]]]


@pytest.fixture(scope="module")
def tagger(wordlm, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagger")
    options = {**SMALL, "words": "0", "letters": "none", "shapes": "0", "epochs": "10", "variants": "1", "patience": "0"}
    settings = of_kind("bilstm-crf").with_options(options)
    progress = fit(settings, notes(40), notes(12, seed=1), folder, word_lm=wordlm, device="cpu")
    assert progress.best > 0.9
    return folder, progress


def test_a_tagger_that_reads_nothing_else_learns_and_is_served(tagger):
    from safetensors.numpy import load_file

    folder, progress = tagger
    dev = notes(12, seed=1)
    detector = NeuralDetector(folder)
    found = list(detector.detect_many(dev))
    right = sum(len(set(spans) & set(document.spans)) for document, spans in zip(dev, found, strict=True))
    assert right / (3 * len(dev)) >= progress.best - 0.02
    assert [detector.detect(document) for document in dev] == found  # one by one or together
    assert load_file(folder / "weights.safetensors")["inputs.mixture.weights"].std() > 1e-3  # the shares are learnt
    assert [len(each.probabilities) for each in detector.marginals(dev)] == [len(split(each.text)) for each in dev]
    assert make_small(folder, dev, cost=1.1) < 1.1
    assert {"ahead.int8.onnx", "behind.int8.onnx"} <= {path.name for path in (folder / "word_language_model").iterdir()}


def test_cross_view_training_reads_it_too_with_parts_of_speech_beside(wordlm, tmp_path):
    lexicon = tmp_path / "pos.tsv"
    lexicon.write_text("Xx-\tPROPN\n00-\tNUM\nxx-\tNOUN\n")
    settings = of_kind("cvt").with_options({**SMALL, "second": "24", "epochs": "6", "variants": "1", "patience": "0"})
    dev, more = notes(12, seed=1), {"word_lm": wordlm, "parts_of_speech": str(lexicon)}
    progress = fit(settings, notes(40), dev, tmp_path / "cvt", unlabelled=notes(8, seed=3), device="cpu", **more)
    found = NeuralDetector(tmp_path / "cvt").detect_many(dev)
    right = sum(len(set(spans) & set(document.spans)) for document, spans in zip(dev, found, strict=True))
    assert right / (3 * len(dev)) >= progress.best - 0.02 > 0.8


def test_detection_imports_no_torch(tagger):
    code = (
        "import sys; from innominate.core import Document; from innominate.detect.neural.detector import NeuralDetector; "
        f"NeuralDetector({str(tagger[0])!r}).detect(Document('n', 'Vu par Dr Rochat')); assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_used_is_refused(wordlm, tmp_path):
    with pytest.raises(UsageError, match=r"no model is here.*innominate train wordlm"):
        fit(of_kind("bilstm-crf"), notes(4), notes(2), tmp_path, word_lm=tmp_path)
    with pytest.raises(UsageError, match="no text"):
        fit_wordlm(RECIPE, [Document("n", " ")], tmp_path)
    (tmp_path / "checkpoint").mkdir()
    for path in (wordlm / "checkpoint").iterdir():
        (tmp_path / "checkpoint" / path.name).write_bytes(path.read_bytes())
    with pytest.raises(UsageError, match="other sizes or text; remove it"):
        fit_wordlm(WordLmRecipe(hidden=16, projection=8), notes(4), tmp_path, device="cpu")


def test_a_loss_that_is_no_number_stops_with_advice():
    text = RawText.of(notes(4))
    model = new_word_lm(text.vocabulary(RECIPE), RECIPE)
    with torch.no_grad():
        model.net.guess.head.weight.fill_(float("nan"))
    with pytest.raises(TrainingError, match="--set rate="):
        teach_words(model, text, RECIPE)
