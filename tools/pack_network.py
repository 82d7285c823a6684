"""Make a model folder of what tools/train_grid.py kept.

    .venv/bin/python tools/pack_network.py RESULTS/NAME -o MODEL --lang es --dev FILE

The network is exported to ONNX with the language models that it reads through, if they were kept as well, and their
eight-bit form kept if it costs less than 0.1 point of F1 on `--dev` (JSONL). With `--served` only what detection needs is
written: the eight-bit graphs, without the weights of training.
"""

import argparse
import json
import shutil
import time
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file

import innominate
from innominate.detect.neural.model import NeuralModel
from innominate.detect.neural.nets.taggers import build
from innominate.detect.neural.readers.characters import Alphabet
from innominate.detect.neural.settings import of_kind
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.fit import chain_of, make_small, write
from innominate.detect.neural.training.language_models import CharLmRecipe, CharLms, new_charlms, write_charlm
from innominate.detect.neural.training.readers import Beside, load_in_context, set_readers
from innominate.detect.neural.vocabulary import Vocabulary
from innominate.formats import read_documents


def kept_charlm(folder: Path, job: dict[str, Any]) -> CharLms:
    """The character language models that a job of the same grid kept."""
    name = job["language_model"]
    recipe = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["set"]
    with safe_open(folder / f"{name}.safetensors", "pt") as file:
        alphabet = Alphabet(file.metadata()["alphabet"])
        sizes = {name: recipe[name] for name in ("hidden", "letter") if name in recipe}
        models = new_charlms(alphabet, CharLmRecipe(**sizes))
        weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
        torch.nn.ModuleDict(models.nets).load_state_dict(weights)
    return models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path, help="RESULTS/NAME, without an ending")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--lang", required=True)
    parser.add_argument("--taxonomy", default="")
    parser.add_argument("--source", default="", help="the corpus, for the card")
    parser.add_argument("--served", action="store_true")
    given = parser.parse_args()
    job = json.loads(given.kept.with_suffix(".json").read_text(encoding="utf-8"))
    words, chars, shapes, labels = json.loads(Path(f"{given.kept}.vocabulary.json").read_text(encoding="utf-8"))
    settings = of_kind(job["kind"]).with_options({key: str(value) for key, value in job["set"].items()})
    word_lm = given.kept.parent / job["word_lm"] if job.get("word_lm") else None  # a job that was kept as well
    letters = kept_charlm(given.kept.parent, job) if job.get("language_model") else None
    charlm = Path(f"{given.output}.language_model") if letters else None
    if letters and charlm:
        write_charlm(letters, {}, charlm)
    beside = Beside(charlm, word_lm=word_lm, parts_of_speech=job.get("parts_of_speech", ""))
    settings = set_readers(settings, load_in_context(word_lm) if word_lm else None, beside.parts_of_speech)
    vocabulary = Vocabulary(tuple(words), tuple(chars), tuple(shapes))
    tagset = Tagset(tuple(labels), settings.network.scheme)
    states = letters.size if letters else 0
    net = build(settings.network, vocabulary, len(tagset.tags), states)
    net.load_state_dict({name: value.float() for name, value in load_file(f"{given.kept}.safetensors").items()})
    card = {
        "lang": given.lang,
        "taxonomy": given.taxonomy,
        "innominate": innominate.__version__,
        "torch": torch.__version__,
        "source": given.source,
        "seed": settings.recipe.seed,
        "epochs": len(job["history"]),
        "seconds": round(job["history"][-1]["seconds"]),
        "trained": time.strftime("%Y-%m-%d"),
    }
    shutil.rmtree(given.output, ignore_errors=True)
    write(net, NeuralModel(settings, tagset, vocabulary, chain_of(net, len(tagset.tags)), card), given.output, states)
    beside.copy_served(given.output)
    fall = make_small(given.output, list(read_documents(given.dev)))
    print(f"{given.output}: eight-bit weights cost {100 * fall:.2f} points")
    if given.served:
        (given.output / "weights.safetensors").unlink()
        for small in given.output.rglob("*.int8.onnx"):
            small.with_name(small.name.replace(".int8", "")).unlink()


if __name__ == "__main__":
    main()
