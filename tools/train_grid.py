"""Train many networks side by side on one machine, usually one with a GPU, and write what came of each.

    python tools/train_grid.py JOBS.json -o OUT --processes 8

A job is {"name", "kind", "set": {...}, "train": FILE, "dev": FILE, "fraction": 1.0, "unlabelled": FILE, "keep": true}; files
are JSONL documents. Results are JSON files with the scores of every epoch; `keep` brings weights, and the spans found in dev.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))


def documents(path: str, fraction: float = 1.0, seed: int = 0) -> list[Any]:
    import numpy as np

    from innominate.core import Document, Span

    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    if fraction < 1:
        rng = np.random.default_rng(seed)
        rows = [rows[index] for index in sorted(rng.permutation(len(rows))[: round(fraction * len(rows))])]
    return [
        Document(row["id"], row["text"], tuple(Span(s["start"], s["end"], s["label"]) for s in row.get("spans", ())))
        for row in rows
    ]


def run(job: dict[str, Any], out: Path) -> None:
    import torch
    from safetensors.torch import save_file

    from innominate.detect.neural.nets.build import build
    from innominate.detect.neural.pieces import pieces
    from innominate.detect.neural.settings import of_kind
    from innominate.detect.neural.tagset import Tagset
    from innominate.detect.neural.training.lessons import lesson
    from innominate.detect.neural.training.loop import Trainer
    from innominate.detect.neural.training.scores import best_tags
    from innominate.detect.neural.vocabulary import Vocabulary

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(2)
    began = time.time()
    settings = of_kind(job["kind"]).with_options({key: str(value) for key, value in job.get("set", {}).items()})
    train, dev = documents(job["train"], job.get("fraction", 1.0), job.get("split_seed", 0)), documents(job["dev"])
    more = documents(job["unlabelled"]) if job.get("unlabelled") else []
    texts = [*train, *more]
    vocabulary = Vocabulary.of(([d.text[a:b] for a, b in pieces(d.text)] for d in texts), seen=settings.network.seen)
    tagset = Tagset(tuple(sorted({span.label for d in train for span in d.spans})), settings.network.scheme)
    lessons, checks, extra = ([lesson(d, vocabulary, tagset) for d in group] for group in (train, dev, more))
    states = 0
    if settings.network.language_model:
        lessons, checks, extra, states = _read_by_language_models(job, (train, lessons), (dev, checks), (more, extra), device)
    torch.manual_seed(settings.recipe.seed)
    net = build(settings.network, vocabulary, len(tagset.tags), states)
    if job.get("pretrain"):
        _pretrain(net, [*lessons, *extra], settings, job["pretrain"], device)
    trainer = Trainer(net, settings, tagset, device=device, watch=lambda p, n: print(job["name"], p.history[-1], flush=True))
    best, progress = trainer.fit(lessons, checks, extra)
    found = [[(checks[n].places[b][0], checks[n].places[e - 1][1], label) for b, e, label in tagset.decode(tags.tolist())]
             for n, tags in enumerate(best_tags(best, checks, settings.network, device))]  # fmt: skip
    result = {**job, "history": progress.history, "best": progress.best, "total_seconds": round(time.time() - began, 1)}
    (out / f"{job['name']}.json").write_text(json.dumps(result), encoding="utf-8")
    if job.get("keep"):
        (out / f"{job['name']}.spans.json").write_text(
            json.dumps({d.id: spans for d, spans in zip(dev, found, strict=True)}), encoding="utf-8"
        )
        save_file(
            {name: value.half().cpu().contiguous() for name, value in best.state_dict().items()},
            out / f"{job['name']}.safetensors",
        )
        (out / f"{job['name']}.vocabulary.json").write_text(
            json.dumps([vocabulary.words, vocabulary.chars, vocabulary.shapes, tagset.labels]), encoding="utf-8"
        )
    last = progress.history[-1]
    scores = f"ner {last['ner']:.4f} span {last['span']:.4f}"
    print(f"{job['name']:28} best {progress.best:.4f} last {scores} {time.time() - began:.0f} s", flush=True)


def _pretrain(net: Any, lessons: list[Any], settings: Any, epochs: int, device: str) -> None:
    import math

    import numpy as np
    import torch

    from innominate.detect.neural.training.lessons import epoch
    from innominate.detect.neural.training.loop import tensors

    net.to(device).train()
    rng = np.random.default_rng(settings.recipe.seed)
    optimiser = torch.optim.AdamW(net.parameters(), settings.recipe.rate, weight_decay=0.01)
    for number in range(epochs):
        for group in optimiser.param_groups:
            group["lr"] = settings.recipe.rate * min(1.0, number / 5 + 0.1) * 0.5 * (1 + math.cos(math.pi * number / epochs))
        for batch in epoch(lessons, settings.network.window, settings.recipe.batch, rng):
            optimiser.zero_grad(set_to_none=True)
            with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                loss = net.masked_loss(tensors(batch, device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()


def _read_by_language_models(job: dict[str, Any], train: Any, dev: Any, more: Any, device: str) -> tuple[Any, ...]:
    from innominate.detect.neural.nets.language_model import LanguageModel
    from innominate.detect.neural.training.language_model import alphabet, numbers, teach, with_states

    how = job["language_model"]
    groups = (train, dev, more)
    raw = documents(how["texts"]) if how.get("texts") else [*train[0], *more[0]]
    known = alphabet(d.text for d in raw)
    texts = [numbers(d.text, known) for d in raw]
    models = []
    for back in (False, True):
        log: list[float] = []
        model = LanguageModel(len(known) + 1, hidden=how.get("hidden", 1024), dropout=how.get("dropout", 0.1))
        given = [text[::-1].copy() for text in texts] if back else texts
        models.append(
            teach(
                model,
                given,
                seed=1,
                epochs=how["epochs"],
                batch=how.get("batch", 50),
                device=device,
                watch=lambda e, loss, log=log: log.append(loss),
            )
        )
        print(f"{job['name']}: language model {'backward' if back else 'forward'} {log[0]:.3f} -> {log[-1]:.3f}", flush=True)
    read = [
        [with_states(each, numbers(d.text, known), *models, device) for d, each in zip(*group, strict=True)]
        for group in groups
    ]
    return (*read, 2 * how.get("hidden", 1024))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    jobs = json.loads(given.jobs.read_text())
    if given.only:
        run(next(job for job in jobs if job["name"] == given.only), given.out)
        return
    waiting, running = list(jobs), []
    while waiting or running:
        while waiting and len(running) < given.processes:
            job = waiting.pop(0)
            running.append(
                subprocess.Popen([sys.executable, __file__, str(given.jobs), "-o", str(given.out), "--only", job["name"]])
            )
        time.sleep(0.5)
        running = [process for process in running if process.poll() is None]


if __name__ == "__main__":
    main()
