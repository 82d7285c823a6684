"""Make a model folder of what tools/train_grid.py kept.

    .venv/bin/python tools/pack_network.py RESULTS/NAME -o MODEL --dev FILE

The network is exported to ONNX, and its eight-bit form kept if it costs less than 0.1 point of F1 on `--dev` (JSONL). With
`--served` only what detection needs is written: the eight-bit graph, without the weights of training.
"""

import argparse
import json
import shutil
import time
from pathlib import Path

import torch
from safetensors.torch import load_file

import innominate
from innominate.detect.neural.model import Model
from innominate.detect.neural.nets.build import build
from innominate.detect.neural.settings import of_kind
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.fit import chain_of, make_small, write
from innominate.detect.neural.vocabulary import Vocabulary
from innominate.formats import read_documents


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kept", type=Path, help="RESULTS/NAME, without an ending")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--source", default="", help="the corpus, for the card")
    parser.add_argument("--served", action="store_true")
    given = parser.parse_args()
    job = json.loads(given.kept.with_suffix(".json").read_text(encoding="utf-8"))
    words, chars, shapes, labels = json.loads(Path(f"{given.kept}.vocabulary.json").read_text(encoding="utf-8"))
    settings = of_kind(job["kind"]).with_options({key: str(value) for key, value in job["set"].items()})
    vocabulary = Vocabulary(tuple(words), tuple(chars), tuple(shapes))
    tagset = Tagset(tuple(labels), settings.network.scheme)
    net = build(settings.network, vocabulary, len(tagset.tags))
    net.load_state_dict({name: value.float() for name, value in load_file(f"{given.kept}.safetensors").items()})
    card = {
        "innominate": innominate.__version__,
        "torch": torch.__version__,
        "source": given.source,
        "seed": settings.recipe.seed,
        "epochs": len(job["history"]),
        "seconds": round(job["history"][-1]["seconds"]),
        "trained": time.strftime("%Y-%m-%d"),
    }
    shutil.rmtree(given.output, ignore_errors=True)
    write(net, Model(settings, tagset, vocabulary, chain_of(net, len(tagset.tags)), card), given.output)
    fall = make_small(given.output, list(read_documents(given.dev)))
    print(f"{given.output}: eight-bit weights cost {100 * fall:.2f} points")
    if given.served:
        (given.output / "weights.safetensors").unlink()
        if (given.output / "model.int8.onnx").exists():
            (given.output / "model.onnx").unlink()


if __name__ == "__main__":
    main()
