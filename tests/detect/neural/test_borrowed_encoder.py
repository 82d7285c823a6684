"""A borrowed encoder says what BERT says, and a network reads through it, served without torch."""

import json
import subprocess
import sys

import numpy as np
import pytest
from bert_cases import CONFIG, WORDS, tensors, write_bert
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import Document, UsageError
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.encoder import load_encoder_card, load_encoder_reader
from innominate.detect.neural.settings import of_kind
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.vocabulary import Vocabulary

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
onnxruntime = pytest.importorskip("onnxruntime", reason="serving needs the extra [neural]")
torch.set_num_threads(1)

from neural_cases import SMALL  # noqa: E402
from neural_cases import letters as notes  # noqa: E402

from innominate.detect.neural.export import quantise  # noqa: E402
from innominate.detect.neural.readers.graphs import as_function  # noqa: E402
from innominate.detect.neural.readers.words import FOLDER as WORD_FOLDER  # noqa: E402
from innominate.detect.neural.training.borrow import borrow, load_borrowed  # noqa: E402
from innominate.detect.neural.training.fit import fit, make_small  # noqa: E402
from innominate.detect.neural.training.lessons import make_lesson  # noqa: E402
from innominate.detect.neural.training.readers import copy_served, with_read  # noqa: E402

# `vu par dr ro ##chat` between [CLS] and [SEP]: of BertModel of transformers 4.57.6 with the same weights, of each layer the
# first six numbers at `ro` and the sum of all numbers without their signs.
ASKED = [2, 5, 6, 7, 14, 15, 3]
AT_RO = [
    [0.35082, 0.53756, -0.92192, -0.18107, -1.32638, -0.91277],
    [0.82779, 0.42402, -0.27187, -1.61842, -0.64326, -0.62733],
    [0.24773, 0.53818, -1.09571, -0.84041, -0.87296, -1.04929],
]
SUMS = [92.20129, 92.33551, 98.93204]


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return write_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def borrowed(bert, tmp_path_factory):
    folder = tmp_path_factory.mktemp("borrowed")
    by_command(bert, "-o", folder)
    return folder


def by_command(*given):
    done = CliRunner().invoke(app, ["train", "borrow", *map(str, given)])
    assert done.exit_code == 0, done.output


def opened(path):
    return as_function(onnxruntime.InferenceSession(str(path)))


def places(documents):
    return [pieces(each.text) for each in documents]


def test_layers_are_those_that_transformers_gives(borrowed):
    for run in (lambda given: load_borrowed(borrowed).net(torch.from_numpy(given)).detach().numpy(),
                load_encoder_reader(borrowed, opened).run):  # fmt: skip
        layers = np.split(run(np.array([ASKED])), 3, axis=2)
        for layer, numbers, total in zip(layers, AT_RO, SUMS, strict=True):
            np.testing.assert_allclose(layer[0, 4, :6], numbers, atol=2e-5)
            assert np.abs(layer).sum() == pytest.approx(total, rel=1e-5)


def test_other_names_and_files_of_the_same_encoder_give_the_same_weights(bert, borrowed, tmp_path):
    old = {
        "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for name, value in tensors().items()
    }
    other = write_bert(tmp_path / "other", weights=old | {"cls.predictions.bias": np.zeros(3, np.float32)})
    vocabulary = {"type": "WordPiece", "vocab": {word: number for number, word in enumerate(WORDS)}}
    (other / "vocab.txt").unlink()
    writing = {"type": "BertNormalizer", "lowercase": False, "strip_accents": None}
    (other / "tokenizer.json").write_text(json.dumps({"model": vocabulary, "normalizer": writing}))
    borrow(other, tmp_path / "again")
    assert (tmp_path / "again" / "weights.safetensors").read_bytes() == (borrowed / "weights.safetensors").read_bytes()
    first, again = (load_encoder_card(folder).pieces for folder in (borrowed, tmp_path / "again"))
    assert again.words == first.words
    assert (first.lower, first.bare, again.lower, again.bare) == (True, True, False, False)
    write_bert(bert.parent / "accented", do_lower_case=True, strip_accents=False)
    borrow(bert.parent / "accented", tmp_path / "accented")
    assert not load_encoder_card(tmp_path / "accented").pieces.bare


def test_onnx_reads_like_torch_and_every_piece_in_its_context_however_long_the_note(borrowed):
    long = Document("long", "\n".join(note.text for note in notes(12)))
    texts = [long, Document("empty", ""), Document("blank", " \n "), *notes(2, seed=9)]
    vocabulary = Vocabulary.of([["x"]])
    lessons = [make_lesson(each, vocabulary, Tagset(("DATE",))) for each in texts]
    wanted = [each.layers for each in with_read(lessons, texts, load_borrowed(borrowed).reader("cpu"), "layers")]
    reader = load_encoder_reader(borrowed, opened)
    found = reader.read([each.text for each in texts], places(texts))
    assert len(reader.card.pieces.split(long.text)[0]) > 4 * reader.card.sizes["window"]
    for mine, theirs, where in zip(found, wanted, places(texts), strict=True):
        assert mine.shape == (len(where), 3 * 16)
        np.testing.assert_allclose(mine, theirs, atol=4e-3)  # half precision
    named = [mine.any(1) == [text.text[start] != "\n" for start, _ in where]
             for mine, text, where in zip(found, texts, places(texts), strict=True)]  # fmt: skip
    assert all(each.all() for each in named)  # every piece but a line break has its numbers
    same = [row for row, (start, end) in zip(found[0], places([long])[0], strict=True) if long.text[start:end] == "Dr"]
    assert not np.allclose(same[0], same[1], atol=0.05)  # one word, two contexts


def test_only_the_last_layers_are_read_where_less_memory_is_wanted(bert, borrowed, tmp_path):
    by_command(bert, "-o", tmp_path, "--layers", 2)
    note = notes(1)[0]
    few, all_of_them = (
        load_encoder_reader(folder, opened).read([note.text], places([note]))[0] for folder in (tmp_path, borrowed)
    )
    np.testing.assert_allclose(few, all_of_them[:, 16:], atol=1e-3)


def test_eight_bit_weights_have_a_scale_for_each_column(bert, tmp_path):
    """One large column, as trained encoders have them, must not take away the others."""
    weights = tensors()
    weights["encoder.layer.1.output.dense.weight"][3] *= 40
    borrow(write_bert(tmp_path / "bert", weights=weights), tmp_path)
    numbers = np.array([ASKED])
    exact = opened(tmp_path / "encoder.onnx")(numbers)
    away = []
    for by_column in (False, True):
        quantise(tmp_path / "encoder.onnx", tmp_path / "small.onnx", by_column=by_column)
        away.append(np.abs(opened(tmp_path / "small.onnx")(numbers) - exact)[:, :, 32:].mean())
    assert away[1] < away[0] / 2


@pytest.fixture(scope="module")
def tagger(borrowed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagger")
    options = {**SMALL, "words": "0", "letters": "none", "shapes": "0", "epochs": "16", "variants": "1", "patience": "0"}
    settings = of_kind("bilstm-crf").with_options({**options, "average": "0.9", "dropout": "0.0", "rate": "0.01"})
    progress = fit(settings, notes(40), notes(12, seed=1), folder, word_lm=borrowed, device="cpu")
    assert progress.best > 0.9
    return folder, progress


def test_a_tagger_that_reads_nothing_else_learns_and_is_served(tagger):
    folder, progress = tagger
    dev = notes(12, seed=1)
    detector = NeuralDetector(folder)
    found = list(detector.detect_many(dev))
    right = sum(len(set(spans) & set(document.spans)) for document, spans in zip(dev, found, strict=True))
    assert right / (3 * len(dev)) >= progress.best - 0.02
    assert [detector.detect(document) for document in dev] == found  # one by one or together
    served = folder / "word_language_model"
    assert not (served / "weights.safetensors").exists()
    assert make_small(folder, dev, cost=1.1) < 1.1
    assert (served / "encoder.int8.onnx").exists()


def test_nothing_is_left_of_what_was_read_through_before(borrowed, tmp_path):
    copy_served(borrowed, tmp_path / WORD_FOLDER)
    served = tmp_path / "word_language_model"
    (served / "encoder.int8.onnx").write_text("of another encoder")
    copy_served(borrowed, tmp_path / WORD_FOLDER)
    assert {path.name for path in served.iterdir()} == {"encoder.onnx", "model.toml", "vocabulary.json"}


def test_detection_imports_no_torch(tagger):
    code = (
        "import sys; from innominate.core import Document; from innominate.detect.neural.detector import NeuralDetector; "
        f"NeuralDetector({str(tagger[0])!r}).detect(Document('n', 'Vu par Dr Rochat')); assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"config": {**CONFIG, "model_type": "roberta"}}, "model_type = 'roberta'; only encoders with 'bert'"),
        ({"config": {**CONFIG, "hidden_act": "relu"}}, "hidden_act = 'relu'; only encoders with 'gelu'"),
        ({"config": {**CONFIG, "max_position_embeddings": 60}}, "reads 60 word pieces at once"),
        ({"config": {**CONFIG, "hidden_size": 32}}, "has another size than config.json says"),
        ({"config": {"model_type": "bert"}}, "says nothing of 'num_hidden_layers'"),
        ({"config": []}, "no JSON object"),
        ({"words": WORDS[3:]}, r"no \[CLS\]"),
        ({"words": [*WORDS, "more"]}, "56 word pieces, but 55 by config.json"),
        ({"weights": {}}, "has no 'embeddings.word_embeddings.weight'; only encoders of the BERT family"),
        ({"layers": 4}, "has 3 layers, the word pieces themselves included; 4 cannot be read"),
    ],
)
def test_what_cannot_be_borrowed_is_refused(given, says, tmp_path):
    layers = given.pop("layers", 0)
    with pytest.raises(UsageError, match=says):
        borrow(write_bert(tmp_path / "bert", **given), tmp_path / "out", layers)
    assert not (tmp_path / "out").exists()


def test_a_folder_with_parts_missing_is_refused(borrowed, tmp_path):
    bert = write_bert(tmp_path / "bert")
    (bert / "vocab.txt").rename(bert / "kept")
    with pytest.raises(UsageError, match=r"vocab\.txt cannot be read: FileNotFoundError; an encoder is a folder with"):
        borrow(bert, tmp_path / "out")
    (bert / "kept").rename(bert / "vocab.txt")
    (bert / "model.safetensors").rename(bert / "pytorch_model.bin")
    with pytest.raises(UsageError, match="as safetensors, never pickled"):
        borrow(bert, tmp_path / "out")
    (bert / "tokenizer.json").write_text('{"model": {"type": "BPE", "vocab": {}}}')
    with pytest.raises(UsageError, match="in another way than BERT does"):
        borrow(bert, tmp_path / "out")
    for change, says in (
        ("format = 2", "has format 2.*this version reads 1"),
        ("format = ", "not a model card"),
    ):
        (tmp_path / "model.toml").write_text((borrowed / "model.toml").read_text().replace("format = 1", change))
        (tmp_path / "vocabulary.json").write_text("[]")
        with pytest.raises(UsageError, match=says):
            load_encoder_card(tmp_path)
