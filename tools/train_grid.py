"""Train many networks side by side on one machine, usually one with a GPU, and write what came of each.

    python tools/train_grid.py JOBS.json -o OUT --side-by-side 4

A job is {"name", "kind", "set": {...}, "train": FILE, "dev": FILE, "fraction": 1.0, "unlabelled": FILE,
"language_model": NAME, "word_lm": NAME or FOLDER, "parts_of_speech": FILE.tsv, "vectors": FILE, "variants": 5, "keep": true};
files are JSONL documents. A job of kind `charlm` or `wordlm` is {"name", "texts": [FILE, ...], "epochs": [4, ...],
"set": {...}}: each file is read in turn, the general one first, and other jobs may name it ("weights": FILE takes those of a
`charlm` that another process keeps). Results are JSON files with the scores of every epoch, and the spans found in dev; `keep`
brings weights. Jobs side by side share one process; processes side by side are faster where the GPU lets them (MPS).
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from innominate.core import Document, Span
from innominate.detect.neural.nets.taggers import build
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.characters import Alphabet
from innominate.detect.neural.readers.parts_of_speech import load_parts_of_speech
from innominate.detect.neural.settings import of_kind
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.fit import begin_with
from innominate.detect.neural.training.language_models import (
    CharLmRecipe,
    CharLms,
    RawText,
    WordLm,
    WordLmRecipe,
    new_charlms,
    new_word_lm,
    teach_characters,
    teach_words,
    with_more_words,
    write_wordlm,
)
from innominate.detect.neural.training.lessons import mentions_by_label, with_other_mentions
from innominate.detect.neural.training.loop import NetworkTrainer, best_tags
from innominate.detect.neural.training.readers import Readers, load_in_context, set_readers
from innominate.detect.neural.vectors import read_vectors, words_of
from innominate.detect.neural.vocabulary import Vocabulary

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BEGAN = time.time()


def documents(path: str, fraction: float = 1.0, seed: int = 0) -> list[Document]:
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    if fraction < 1:
        rng = np.random.default_rng(seed)
        rows = [rows[index] for index in sorted(rng.permutation(len(rows))[: round(fraction * len(rows))])]
    return [
        Document(row["id"], row["text"], tuple(Span(s["start"], s["end"], s["label"]) for s in row.get("spans", ())))
        for row in rows
    ]


def say(*words: object) -> None:
    print(f"{time.time() - BEGAN:6.0f}", *words, flush=True)


class Start:
    """Lets one job after the other through its first step, where GPU steps are recorded, and then all of them together."""

    def __init__(self, jobs: int) -> None:
        self.one, self.all, self.waiting = threading.Lock(), threading.Condition(), jobs

    def failed(self) -> None:
        with self.all:
            self.waiting -= 1
            self.all.notify_all()
        if self.one.locked():
            self.one.release()

    def passed(self) -> None:
        self.one.release()
        with self.all:
            self.waiting -= 1
            self.all.notify_all()
            self.all.wait_for(lambda: self.waiting <= 0)


def run(job: dict[str, Any], out: Path, models: dict[str, Any], start: Start) -> None:
    began = time.time()
    settings = of_kind(job["kind"]).with_options({key: str(value) for key, value in job.get("set", {}).items()})
    tagger, lm = job.get("parts_of_speech", ""), models.get(job.get("language_model", ""))
    named = job.get("word_lm", "")
    words = models.get(named) or (load_in_context(Path(named)) if named else None)
    readers = Readers(lm, words, load_parts_of_speech(tagger) if tagger else None)
    settings = set_readers(settings, readers.words, tagger)
    train, dev = documents(job["train"], job.get("fraction", 1.0), job.get("split_seed", 0)), documents(job["dev"])
    more = documents(job["unlabelled"]) if job.get("unlabelled") else []
    vocabulary = Vocabulary.of(([d.text[a:b] for a, b in pieces(d.text)] for d in (*train, *more)), seen=settings.network.seen)
    tagset = Tagset(tuple(sorted({span.label for d in train for span in d.spans})), settings.network.scheme)
    vectors = Path(job["vectors"]) if job.get("vectors") else None
    if vectors:
        vocabulary = vocabulary.with_words(words_of(vectors, settings.recipe.vector_words))
    given = read_vectors(vectors, vocabulary.words) if vectors else None
    settings = settings.with_options({"words": str(given.size)}) if given else settings
    rng, mentions = np.random.default_rng(settings.recipe.seed), mentions_by_label(train)
    groups = [train, dev, more] + [
        [with_other_mentions(d, mentions, settings.recipe.swap, rng) for d in train] for _ in range(job.get("variants", 0))
    ]
    start.one.acquire()
    read = [readers.lessons(group, vocabulary, tagset, DEVICE) for group in groups]
    torch.manual_seed(settings.recipe.seed)
    net = build(settings.network, vocabulary, len(tagset.tags), readers.states)
    if given:
        begin_with(net, given.fill_rows(np.random.default_rng(settings.recipe.seed)))

    def watch(progress: Any, _epochs: int) -> None:
        if progress.history[-1]["ner"]:
            say(job["name"], {key: round(value, 4) for key, value in progress.history[-1].items()})

    rounds = [read[0], *read[3:]]
    trainer = NetworkTrainer(net, settings, tagset, device=DEVICE, watch=watch, begun=start.passed)
    best, progress = trainer.fit(*read[:3], lambda epoch, _: rounds[epoch % len(rounds)])
    result = {**job, "history": progress.history, "best": progress.best, "total_seconds": round(time.time() - began, 1)}
    (out / f"{job['name']}.json").write_text(json.dumps(result), encoding="utf-8")
    found = [[(read[1][n].places[b][0], read[1][n].places[e - 1][1], label) for b, e, label in tagset.decode(tags.tolist())]
             for n, tags in enumerate(best_tags(best, read[1], settings.network, DEVICE))]  # fmt: skip
    keep(job, out, best, vocabulary, tagset=tagset, found={d.id: spans for d, spans in zip(dev, found, strict=True)})


def keep(job: dict[str, Any], out: Path, net: Any, vocabulary: Vocabulary, *, tagset: Tagset, found: dict[str, Any]) -> None:
    (out / f"{job['name']}.spans.json").write_text(json.dumps(found), encoding="utf-8")
    if job.get("keep"):
        weights = {name: value.half().cpu().contiguous() for name, value in net.state_dict().items()}
        save_file(weights, out / f"{job['name']}.safetensors")
        lists = [vocabulary.words, vocabulary.chars, vocabulary.shapes, tagset.labels]
        (out / f"{job['name']}.vocabulary.json").write_text(json.dumps(lists), encoding="utf-8")


def language_models(job: dict[str, Any], out: Path) -> CharLms:
    recipe = CharLmRecipe(**{key: type(getattr(CharLmRecipe(), key))(value) for key, value in job.get("set", {}).items()})
    corpora = [documents(path) for path in job["texts"]]
    alphabet = Alphabet.of(d.text for corpus in corpora for d in corpus)
    models = new_charlms(alphabet, recipe)
    if job.get("weights"):  # of a job of the same name in another process, which may still be at it
        while not Path(job["weights"]).exists():
            time.sleep(1)
        return _loaded(models, Path(job["weights"]))
    log: dict[str, list[float]] = {"ahead": [], "behind": []}

    def both(way: str) -> None:
        with torch.cuda.stream(torch.cuda.Stream()) if DEVICE == "cuda" else threading.Lock():
            for corpus, epochs in zip(corpora, job["epochs"], strict=True):
                texts = [alphabet.encode(d.text) for d in corpus]
                how = CharLmRecipe(**{**recipe.__dict__, "epochs": epochs})
                teach_characters(models, way, texts, how, device=DEVICE, watch=lambda _, seen: log[way].append(seen[way]))
            if DEVICE == "cuda":
                torch.cuda.current_stream().synchronize()

    ways = [threading.Thread(target=both, args=(way,)) for way in log]
    for way in ways:
        way.start()
    for way in ways:
        way.join()
    (out / f"{job['name']}.json").write_text(json.dumps({**job, "log": log}), encoding="utf-8")
    if job.get("keep"):
        tensors = {
            f"{way}.{name}": value.half().cpu().contiguous()
            for way in log
            for name, value in models.nets[way].state_dict().items()
        }
        save_file(tensors, out / "saved", {"alphabet": alphabet.letters})
        (out / "saved").rename(out / f"{job['name']}.safetensors")
    say(job["name"], {way: [round(loss, 3) for loss in losses] for way, losses in log.items()})
    return models


def _loaded(models: CharLms, path: Path) -> CharLms:
    weights = {name: value.float() for name, value in load_file(path).items()}
    torch.nn.ModuleDict(models.nets).load_state_dict(weights)
    return models


def word_language_model(job: dict[str, Any], out: Path) -> WordLm:
    recipe = WordLmRecipe(**job.get("set", {}))
    texts = [RawText.of(documents(path)) for path in job["texts"]]
    model = new_word_lm(texts[0].vocabulary(recipe), recipe)
    log = []
    for text, epochs in zip(texts, job["epochs"], strict=True):
        model = with_more_words(model, text.vocabulary(recipe), recipe)
        done = teach_words(model, text, WordLmRecipe(**{**recipe.__dict__, "epochs": epochs}), device=DEVICE)
        log += done.history
        say(job["name"], {key: round(value, 3) for key, value in done.history[-1].items()})
    (out / f"{job['name']}.json").write_text(json.dumps({**job, "log": log, "words": len(model.vocabulary.words)}))
    if job.get("keep"):
        write_wordlm(model, {"pieces": sum(len(note) for text in texts for note in text.notes)}, out / job["name"])
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--side-by-side", type=int, default=4)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    jobs = json.loads(given.jobs.read_text())
    kinds = {"charlm": language_models, "wordlm": word_language_model}
    models = {job["name"]: kinds[job["kind"]](job, given.out) for job in jobs if job["kind"] in kinds}
    jobs = [job for job in jobs if job["kind"] not in kinds]
    for begin in range(0, len(jobs), given.side_by_side):
        some = jobs[begin : begin + given.side_by_side]
        start = Start(len(some))
        threads = [threading.Thread(target=guarded, args=(job, given.out, models, start)) for job in some]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        say("done:", ", ".join(job["name"] for job in some))


def guarded(job: dict[str, Any], out: Path, models: dict[str, Any], start: Start) -> None:
    try:
        if DEVICE == "cuda":
            with torch.cuda.stream(torch.cuda.Stream()):
                run(job, out, models, start)
                torch.cuda.current_stream().synchronize()
        else:
            run(job, out, models, start)
    except Exception as error:
        say(job["name"], "failed:", repr(error)[:400])
        import traceback

        traceback.print_exc()
        start.failed()


if __name__ == "__main__":
    main()
