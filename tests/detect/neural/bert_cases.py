"""A random encoder of the BERT family, two layers of 16 and 55 word pieces, in the files that such models are passed on in."""

import json

import numpy as np

WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "vu", "par", "dr", "le", "dose", "mg", "patient", "examen", "normal"),
    *("ro", "##chat", "##chats", "fa", "##vre", "lind", "gil", "a", "b", "mc", "##donald", "mcdonald", ".", ",", ":", "’"),
    *("é", "É", "≠", "=", "京", *(mark + digit for digit in "0123456789" for mark in ("", "##"))),
]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "vocab_size": len(WORDS),
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 32,
    "max_position_embeddings": 80,
    "layer_norm_eps": 1e-12,
    "type_vocab_size": 2,
}


def tensors():
    """The same weights each time; words are the largest, so that there is something to learn from."""
    rng = np.random.default_rng(7)
    return {
        name: rng.normal("LayerNorm.weight" in name, 1 if "word" in name else 0.2, shape).astype(np.float32)
        for name, shape in _shapes()
    }


def _shapes():
    yield "embeddings.word_embeddings.weight", (len(WORDS), 16)
    yield "embeddings.position_embeddings.weight", (80, 16)
    yield "embeddings.token_type_embeddings.weight", (2, 16)
    yield from _part("embeddings.LayerNorm", 16)
    for number in range(2):
        layer = f"encoder.layer.{number}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            yield from _part(f"{layer}attention.{part}", 16, 16)
        yield from _part(f"{layer}attention.output.LayerNorm", 16)
        yield from _part(f"{layer}intermediate.dense", 32, 16)
        yield from _part(f"{layer}output.dense", 16, 32)
        yield from _part(f"{layer}output.LayerNorm", 16)


def _part(name, *shape):
    yield f"{name}.weight", shape
    yield f"{name}.bias", shape[:1]


def write_bert(folder, config=CONFIG, weights=None, words=WORDS, **writing):
    """Write the folder; `writing` is what tokenizer_config.json says."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    if writing:
        (folder / "tokenizer_config.json").write_text(json.dumps(writing))
    save_file(tensors() if weights is None else weights, folder / "model.safetensors")
    return folder
