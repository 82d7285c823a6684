"""Training for real, at a small size: every kind learns, resumes exactly, is deterministic, and is served without torch."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import innominate
from innominate.core import Document, Span, UsageError
from innominate.detect.models.named import UselessModelWarning, detector, dev_f1
from innominate.detect.neural.detector import NeuralDetector
from innominate.detect.neural.settings import Watch, of_kind

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
torch.set_num_threads(1)  # several tests run at once

from neural_cases import SMALL  # noqa: E402
from neural_cases import letters as notes  # noqa: E402

from innominate.detect.neural.nets.crf import Crf  # noqa: E402
from innominate.detect.neural.nets.taggers import build  # noqa: E402
from innominate.detect.neural.pieces import pieces  # noqa: E402
from innominate.detect.neural.tagset import Tagset  # noqa: E402
from innominate.detect.neural.training.fit import fit, make_small, rounds_with_other_mentions  # noqa: E402
from innominate.detect.neural.training.lessons import cut_epoch, make_lesson, windows_in  # noqa: E402
from innominate.detect.neural.training.loop import (  # noqa: E402
    NetworkTrainer,
    TrainingError,
    best_tags,
)
from innominate.detect.neural.vocabulary import Vocabulary  # noqa: E402


def settings(kind, **options):
    wanted = {**SMALL, "epochs": "8", **{name: str(value) for name, value in options.items()}}
    return of_kind(kind).with_options(wanted)


@pytest.mark.parametrize("kind", ["bilstm", "bilstm-crf", "cvt"])
def test_a_kind_learns_and_its_onnx_gives_the_spans_of_torch(kind, tmp_path):
    chosen = settings(kind, words=16)
    train, dev = notes(40), notes(12, seed=1)
    progress = fit(chosen, train, dev, tmp_path, unlabelled=train if kind == "cvt" else (), device="cpu")
    assert max(row["span"] for row in progress.history) > 0.9
    detector = NeuralDetector(tmp_path)
    found = list(detector.detect_many(dev))
    assert all(0 < span.score <= 1 for spans in found for span in spans)
    scores = [len(set(spans) & set(document.spans)) for document, spans in zip(dev, found, strict=True)]
    assert sum(scores) / (3 * len(dev)) >= progress.best - 0.02  # what torch found, ONNX finds
    assert [detector.detect(document) for document in dev] == found  # one by one or together


def test_letters_may_be_read_by_an_lstm(tmp_path):
    assert fit(settings("bilstm-crf", letters="lstm"), notes(40), notes(12, seed=1), tmp_path, device="cpu").best > 0.9


def _trainer(folder, chosen, train):
    vocabulary = Vocabulary.of([d.text[a:b] for a, b in pieces(d.text)] for d in train)
    tagset = Tagset(("DATE", "DOCTOR", "PATIENT"))
    torch.manual_seed(1)
    net = build(chosen.network, vocabulary, len(tagset.tags))
    return NetworkTrainer(net, chosen, tagset, folder), [make_lesson(d, vocabulary, tagset) for d in train]


def test_a_stopped_training_goes_on_exactly_where_it_was(tmp_path):
    chosen = settings("bilstm-crf", epochs=4, swap=0.3, patience=0)
    whole, lessons = _trainer(tmp_path / "whole", chosen, notes(16))
    straight, _ = whole.fit(lessons, lessons)
    half, lessons = _trainer(tmp_path / "half", chosen, notes(16))

    class StoppedError(Exception):
        pass

    def stop(progress, epochs):
        if progress.epoch == 3:
            raise StoppedError

    half.watch = stop
    with pytest.raises(StoppedError):
        half.fit(lessons, lessons)
    again, lessons = _trainer(tmp_path / "half", chosen, notes(16))
    resumed, progress = again.fit(lessons, lessons)
    assert [row["epoch"] for row in progress.history] == [1, 2, 3, 4]
    for name, value in straight.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name]), name


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path):
    files = []
    for number, seed in enumerate((1, 1, 2)):
        fit(settings("bilstm-crf", epochs=1, seed=seed), notes(8), notes(4, seed=1), tmp_path / str(number), device="cpu")
        files.append((tmp_path / str(number) / "weights.safetensors").read_bytes())
    assert files[0] == files[1] != files[2]


def test_a_loss_that_is_no_number_stops_with_advice():
    trainer, lessons = _trainer(None, settings("bilstm-crf", epochs=2), notes(8))
    with torch.no_grad():
        trainer.net.out.weight.fill_(float("nan"))
    with pytest.raises(TrainingError, match="--set rate="):
        trainer.fit(lessons, lessons)


def test_marginals_of_torch_and_numpy_agree():
    from innominate.detect.neural.training.fit import chain_of

    crf = Crf(5)
    torch.manual_seed(0)
    for values in crf.parameters():
        torch.nn.init.normal_(values)
    emissions = torch.randn(3, 6, 5)
    lengths = torch.tensor([6, 4, 1])
    mask = torch.arange(6) < lengths[:, None]
    net = torch.nn.Module()
    net.crf = crf
    chain = chain_of(net, 5)
    assert np.allclose(crf.marginals(emissions, mask).numpy(), chain.read(emissions.numpy(), lengths.numpy())[0], atol=1e-5)
    best = crf.best(emissions, mask).numpy()
    assert (best[mask.numpy()] == chain.read(emissions.numpy(), lengths.numpy())[1][mask.numpy()]).all()


def test_a_network_learns_is_saved_and_loaded_as_a_crf_is_and_says_how_good_it_was(tmp_path):
    train, dev, told = notes(30), notes(8, seed=1), []
    network = NeuralDetector(tmp_path / "learning", kind="bilstm-crf", parameters={**SMALL, "epochs": 8})
    learned = network.fit(train, dev, seed=2, watch=Watch(epoch=lambda scores: told.append(scores["ner"])))
    assert len(told) == 8
    assert dev_f1(learned.folder) == round(max(told), 4) > 0.5
    learned.save(tmp_path / "kept")
    assert not (tmp_path / "kept" / "checkpoint").exists()
    assert NeuralDetector.load(tmp_path / "kept").detect_many(dev) == learned.detect_many(dev)


def test_a_network_that_found_nothing_right_is_not_used_without_a_warning(tmp_path):
    hopeless = [Document("d", "mmol mmol mmol", (Span(5, 9, "DATE"),))]
    with pytest.warns(UselessModelWarning, match="DO NOT RELY"):
        innominate.train("bilstm", train=notes(4), dev=hopeless, output=tmp_path, parameters={**SMALL, "epochs": 1})
    with pytest.warns(UselessModelWarning, match="DO NOT RELY"):
        detector(str(tmp_path), "en")


@pytest.mark.parametrize("once", [False, True])
def test_mentions_change_places_in_every_epoch_or_in_a_few_copies(once):
    train, rng = notes(6), np.random.default_rng(3)
    recipe = replace(settings("bilstm-crf").recipe, swap=1.0, variants=2)
    others = rounds_with_other_mentions(recipe, train, lambda given: [note.text for note in given], once=once)
    rounds = [tuple(others(epoch, rng)) for epoch in range(6)]
    assert len(set(rounds)) == (3 if once else 6)
    assert (rounds[0] == tuple(note.text for note in train)) == once


def test_a_long_note_is_read_to_its_end_whatever_the_windows():
    trainer, lessons = _trainer(None, settings("bilstm-crf", epochs=8), notes(30))
    net, _ = trainer.fit(lessons, lessons)
    texts = [note.text for note in notes(30, seed=5)]
    long = Document("long", "\n".join(texts))
    vocabulary = Vocabulary.of([d.text[a:b] for a, b in pieces(d.text)] for d in notes(30))
    one = make_lesson(long, vocabulary, trainer.tagset)
    dates = [
        label for _, _, label in trainer.tagset.decode(best_tags(net, [one], trainer.settings.network, "cpu")[0].tolist())
    ]
    assert dates.count("DATE") >= 28


def test_eight_bit_weights_are_kept_only_when_they_cost_nothing(tmp_path):
    dev = notes(12, seed=1)
    fit(settings("bilstm-crf"), notes(40), dev, tmp_path, device="cpu")
    make_small(tmp_path, dev, cost=1.1)
    assert (tmp_path / "model.int8.onnx").exists()
    make_small(tmp_path, dev, cost=-1.1)
    assert not (tmp_path / "model.int8.onnx").exists()


def test_detection_imports_no_torch(tmp_path):
    fit(settings("bilstm-crf", epochs=1), notes(8), notes(4, seed=1), tmp_path, device="cpu")
    code = (
        "import sys; from pathlib import Path; from innominate.core import Document;"
        "from innominate.detect.neural.detector import NeuralDetector;"
        f"NeuralDetector(Path({str(tmp_path)!r})).detect(Document('n', 'Vu par Dr Rochat')); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_model_of_another_format_says_so(tmp_path):
    fit(settings("bilstm-crf", epochs=1), notes(8), notes(4, seed=1), tmp_path, device="cpu")
    card = tmp_path / "model.toml"
    card.write_text(card.read_text().replace("format = 1", "format = 99"))
    with pytest.raises(UsageError, match="format 99"):
        NeuralDetector(tmp_path).detect(Document("n", "x"))


def test_a_kind_that_reads_language_models_is_refused_and_not_trained_without_them(tmp_path):
    with pytest.raises(UsageError, match="language models"):
        fit(settings("flair"), notes(4), notes(2), tmp_path)


def test_notes_without_a_span_cannot_teach(tmp_path):
    with pytest.raises(UsageError, match="no span"):
        fit(settings("bilstm"), [Document("n", "nothing")], [], tmp_path)


def test_labels_that_are_rare_are_left_out(tmp_path):
    train = [*notes(8), Document("r", "Bern", (Span(0, 4, "CITY"),))]
    fit(settings("bilstm", epochs=1), train, notes(4, seed=1), tmp_path, rare=2, device="cpu")
    assert NeuralDetector(tmp_path).labels == {"DATE", "DOCTOR", "PATIENT"}


@pytest.mark.parametrize("length", [5, 90])  # notes shorter than a window, and longer
def test_the_rate_falls_until_the_last_step(length):
    texts = [Document(f"n{n}", "ana " * length, (Span(0, 3, "NAME"),)) for n in range(12)]
    vocabulary = Vocabulary.of([[text.text[a:b] for a, b in pieces(text.text)] for text in texts])
    tagset = Tagset(("NAME",))
    lessons = [make_lesson(text, vocabulary, tagset) for text in texts]
    window = 32
    total = windows_in(lessons, window)
    rng = np.random.default_rng(1)
    cut = np.mean([sum(len(batch["lengths"]) for batch in cut_epoch(lessons, window, 4, rng)) for _ in range(40)])
    assert cut == pytest.approx(total, rel=0.03)


def test_a_folder_of_a_training_with_other_sizes_is_refused(tmp_path):
    fit(settings("bilstm", epochs=1), notes(4), notes(2, seed=1), tmp_path, device="cpu")
    with pytest.raises(UsageError, match="other sizes or text; remove it"):
        fit(settings("bilstm", epochs=2, hidden=8), notes(4), notes(2, seed=1), tmp_path, device="cpu")
