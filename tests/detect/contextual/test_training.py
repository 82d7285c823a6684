"""Pretraining, adapting and restoring, each as small as it can be."""

import numpy as np
import pytest

pytest.importorskip("torch")
import torch

from innominate.core import Document, UsageError, annotated
from innominate.detect.contextual.byte_pairs import load_byte_pairs
from innominate.detect.contextual.detector import STUDENT, ContextualDetector
from innominate.detect.contextual.reading import fill_slots
from innominate.detect.contextual.training.adapting import Adapting, adapt, old_columns
from innominate.detect.contextual.training.graphs import read_weights, restore_net
from innominate.detect.contextual.training.nets import gather_words
from innominate.detect.contextual.training.pretraining import BaseSettings, load_encoder, train_base
from innominate.detect.neural.tagset import Tagset

SMALL = BaseSettings(parts=300, layers=1, width=32, heads=2, window=32, steps=100, batch=8, optimiser="adamw")
TEXTS = {"fr": ["Le patient va bien et rentre à domicile avec sa fille. " * 4] * 40}


def test_an_encoder_learns_from_plain_text_and_goes_on(tmp_path):
    losses = []
    train_base(TEXTS, tmp_path, SMALL, watch=lambda step, loss, share: losses.append(loss))
    assert losses[-1] < losses[0]
    weights = (tmp_path / "encoder.safetensors").read_bytes()
    train_base(TEXTS, tmp_path, SMALL)  # done already
    assert (tmp_path / "encoder.safetensors").read_bytes() == weights
    assert load_encoder(tmp_path).shape.width == 32


def test_too_little_text_is_refused(tmp_path):
    with pytest.raises(UsageError, match="too little text"):
        train_base({"fr": ["Bonjour."]}, tmp_path, SMALL)


def test_a_served_model_is_restored_from_its_graph():
    folder = ContextualDetector(STUDENT).folder
    net = restore_net(folder).eval()
    text = "Vu par Rochat le 3 mai."
    slots, lengths = (torch.from_numpy(each)[None] for each in fill_slots(load_byte_pairs(folder).encode_text(text)))
    with torch.no_grad():
        scores = net(slots, lengths)[0].numpy()
    served = ContextualDetector(STUDENT).marginals([Document("", text)])[0]
    assert (scores.argmax(1) == served.probabilities.argmax(1)).all()
    assert "embed.weight" in read_weights(folder / "model.onnx")


def test_a_model_learns_labels_of_ones_own_and_keeps_what_it_knows(tmp_path):
    notes = [
        annotated(f"Besuch von [{name}](Besucher) am [{day}. Mai](Tag), alles ruhig.", str(day))
        for day, name in enumerate(("Quirin Abt", "Xaver Loy", "Zita Ems", "Urs Ott", "Vreni Iff", "Yves Ull"), start=1)
    ]
    adapt(ContextualDetector(STUDENT).folder, notes, tmp_path / "own", Adapting(epochs=12, rate=2e-3))
    model = ContextualDetector(tmp_path / "own")
    text = "Besuch von Otmar Epp am 9. Mai, alles ruhig."
    assert {(span.of(text), span.label) for span in model.detect(Document("", text))} >= {("9. Mai", "Tag")}
    assert model.labels == {"Besucher", "Tag"}


def test_a_new_head_begins_where_the_old_one_speaks_of_the_same():
    old = Tagset(("PATIENT", "RELATIVE", "CITY"), "IOB2")
    columns = old_columns(("PATIENT_E", "Autre chose"), "chuv", old)
    assert columns[0] == [0]
    assert columns[1] == [old.ids["B-PATIENT"], old.ids["B-RELATIVE"]]


def test_words_are_gathered_from_parts_as_they_are_served():
    words = [(5,), (6, 7), tuple(range(10, 20)), (8,) * 6]
    flat = torch.tensor([[3, *(part for word in words for part in word), 0, 0]])
    begins = torch.zeros_like(flat, dtype=torch.bool)
    begins[0, np.cumsum([1, *(len(word) for word in words[:-1])])] = True
    slots, lengths, firsts = gather_words(flat, begins, 6)
    expected = fill_slots(words)
    assert (slots[0, :4].numpy() == expected[0]).all()
    assert (lengths[0, :4].numpy() == expected[1]).all()
    assert (lengths[0, 4:] == 0).all()
    assert firsts[0, :4].tolist() == [1, 2, 4, 14]
