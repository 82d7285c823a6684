"""The training loop: one epoch after the other, the weights that did best on dev kept."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from innominate.core import Score
from innominate.detect.neural.settings import Network, NeuralSettings
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.checkpoint import TrainingProgress, resume, save
from innominate.detect.neural.training.lessons import Arrays, NoteLesson, cut_epoch, pad_windows, windows_in
from innominate.detect.neural.training.steps import CapturedSteps, Steps, TrainingError, send_to_device
from innominate.detect.neural.windows import group_windows

Rounds = Callable[[int, np.random.Generator], Sequence[NoteLesson]]


@dataclass
class NetworkTrainer:
    """Teaches a network; `watch` is told of every epoch, and `begun` of the first step, after which a GPU is well prepared."""

    net: nn.Module
    settings: NeuralSettings
    tagset: Tagset
    folder: Path | None = None  # for checkpoints
    device: str = "cpu"
    watch: Callable[[TrainingProgress, int], None] = lambda progress, epochs: None
    begun: Callable[[], None] = lambda: None
    average: nn.Module = field(init=False)

    def fit(
        self,
        train: Sequence[NoteLesson],
        dev: Sequence[NoteLesson],
        unlabelled: Sequence[NoteLesson] = (),
        others: Rounds | None = None,
    ) -> tuple[nn.Module, TrainingProgress]:
        """Learn, and return the best network with the story of its training.

        `others` gives the same notes with other mentions in them, by the number of the epoch.
        """
        recipe = self.settings.recipe
        torch.manual_seed(recipe.seed)
        rng = np.random.default_rng(recipe.seed)
        self.net.to(self.device)
        self.average = copy.deepcopy(self.net)
        best = copy.deepcopy(self.net)
        optimiser = self._optimiser()
        parts = {"net": self.net, "average": self.average, "best": best}
        progress = (resume(self.folder, parts, optimiser, rng) if self.folder else None) or TrainingProgress()
        steps = self._steps(optimiser)
        total = recipe.epochs * max(1, math.ceil(windows_in(train, self.settings.network.window) / recipe.batch))
        while progress.epoch < recipe.epochs and not self._should_stop(progress):
            began = time.monotonic()
            lessons = cut_epoch(
                others(progress.epoch, rng) if others else train,
                self.settings.network.window,
                recipe.batch,
                rng,
                even=self.device == "cuda",
            )
            loss = self._epoch(lessons, self._endless(unlabelled, rng), steps, progress, total=total)
            progress.epoch += 1
            scores = self._check(dev, progress)
            progress.seconds += time.monotonic() - began
            progress.history.append({"epoch": progress.epoch, "loss": loss, **scores, "seconds": round(progress.seconds, 1)})
            if scores["ner"] > progress.best or not recipe.patience:
                progress.best, progress.best_epoch = scores["ner"], progress.epoch
                best.load_state_dict(self._choose_net().state_dict())
            self.watch(progress, recipe.epochs)
            if self.folder:
                save(self.folder, parts, optimiser, rng, progress=progress)
        return best, progress

    def _check(self, dev: Sequence[NoteLesson], progress: TrainingProgress) -> dict[str, float]:
        if progress.epoch % self.settings.recipe.check and progress.epoch < self.settings.recipe.epochs:
            return {"ner": 0.0, "span": 0.0}
        return dev_scores(self._choose_net(), dev, self.tagset, self.settings.network, device=self.device)

    def _should_stop(self, progress: TrainingProgress) -> bool:
        patience = self.settings.recipe.patience
        return bool(patience) and progress.epoch - progress.best_epoch >= patience

    def _choose_net(self) -> nn.Module:
        return self.average if self.settings.recipe.average else self.net

    def _optimiser(self) -> torch.optim.Optimizer:
        recipe = self.settings.recipe
        if recipe.optimiser == "sgd":
            return torch.optim.SGD(self.net.parameters(), recipe.rate, recipe.momentum, weight_decay=recipe.decay)
        on_gpu = self.device == "cuda"
        rate: Any = torch.tensor(recipe.rate, device=self.device) if on_gpu else recipe.rate
        return torch.optim.AdamW(self.net.parameters(), rate, weight_decay=recipe.decay, capturable=on_gpu)

    def _endless(self, unlabelled: Sequence[NoteLesson], rng: np.random.Generator) -> Iterator[Arrays]:
        while unlabelled and self.settings.network.views:
            yield from cut_epoch(
                unlabelled, self.settings.network.window, self.settings.recipe.batch, rng, even=self.device == "cuda"
            )

    def _epoch(
        self,
        lessons: Iterator[Arrays],
        unlabelled: Iterator[Arrays],
        steps: Sequence[Steps],
        done: TrainingProgress,
        *,
        total: int,
    ) -> float:
        self.net.train()
        losses = []
        for batch in lessons:
            steps[0].set_rate(self.settings.recipe.rate * self._rate(done.step / total))
            losses.append(steps[0](send_to_device(batch, self.device)))
            if (more := next(unlabelled, None)) is not None:  # strictly in turn, as Clark 2018
                steps[1](send_to_device(more, self.device))
            done.step += 1
            self._average(done.step)
            if done.step == 1:
                self.begun()
        loss = float(torch.stack(losses).mean())
        if not math.isfinite(loss):
            raise TrainingError(
                f"the loss is no number any more; learn more slowly: --set rate={self.settings.recipe.rate / 4:g}"
            )
        return loss

    def _steps(self, optimiser: torch.optim.Optimizer) -> list[Steps]:
        recipe = self.settings.recipe
        kind = CapturedSteps if self.device == "cuda" else Steps
        net: Any = self.net
        losses = [
            lambda batch: net.loss(batch, recipe.smoothing),
            lambda batch: net.measure_unlabelled_loss(batch, recipe.unlabelled_dropout),
        ]
        return [kind(self.net, optimiser, loss, recipe.clip, device=self.device) for loss in losses]

    def _rate(self, done: float) -> float:
        warmup = self.settings.recipe.warmup
        if not warmup:
            return 1.0
        return done / warmup if done < warmup else 0.5 * (1 + math.cos(math.pi * min(1.0, (done - warmup) / (1 - warmup))))

    @torch.no_grad()
    def _average(self, step: int) -> None:
        decay = min(self.settings.recipe.average, step / (step + 10))
        if decay:
            torch._foreach_lerp_(list(self.average.parameters()), list(self.net.parameters()), 1 - decay)


def dev_scores(
    net: nn.Module, dev: Sequence[NoteLesson], tagset: Tagset, network: Network, *, device: str
) -> dict[str, float]:
    """F1 of entities with label (`ner`) and without (`span`), over all notes."""
    ner, span = Score(0, 0, 0), Score(0, 0, 0)
    for each, numbers in zip(dev, best_tags(net, dev, network, device), strict=True):
        gold, found = set(each.entities), set(tagset.decode(numbers.tolist()))
        ner += _compare_entities(gold, found)
        span += _compare_entities({entity[:2] for entity in gold}, {entity[:2] for entity in found})
    return {"ner": ner.f(1), "span": span.f(1)}


def _compare_entities(gold: Set[object], found: Set[object]) -> Score:
    return Score(len(gold & found), len(found - gold), len(gold - found))


@torch.no_grad()
def best_tags(net: Any, lessons: Sequence[NoteLesson], network: Network, device: str) -> list[NDArray[np.int64]]:
    """The best tags of each note, through windows."""
    net.eval()
    found = [np.zeros(len(each.encoded), np.int64) for each in lessons]
    for some in group_windows([len(each.encoded) for each in lessons], network.reads, network.overlap, 128):
        batch = send_to_device(pad_windows([lessons[note].part(view.begin, view.end) for note, view in some]), device)
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
            emissions = net(batch)
        tags = net.best(emissions.float(), batch["mask"]).cpu().numpy()
        for row, (note, view) in zip(tags, some, strict=True):
            found[note][view.keep_from : view.keep_to] = row[view.keep_from - view.begin : view.keep_to - view.begin]
    return found
