"""An encoder learns from plain text: parts are hidden, and it guesses them. Resumable; on a GPU or a CPU."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from innominate.core import UsageError
from innominate.detect.contextual.byte_pairs import (
    HIDDEN,
    BytePairs,
    count_words,
    learn_byte_pairs,
    load_byte_pairs,
    save_byte_pairs,
)
from innominate.detect.contextual.training.graphs import restore_net
from innominate.detect.contextual.training.nets import Encoder, Guesser, Shape, Student
from innominate.detect.models.cards import CARD

WEIGHTS, SHAPE, PROGRESS = "encoder.safetensors", "encoder.json", "progress.json"
_SMALLEST = 20  # windows of text, below which nothing can be learnt
_HIDDEN_SHARE = 0.3
_KEPT_SHARE = 0.1  # of the chosen ones, shown as they are: none will be hidden later
_WARM = 0.03  # share of the steps in which the rate grows
_SAVE_EVERY = 300.0  # seconds

Shorts = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class BaseSettings:
    """The size of an encoder and how it learns; what `--set` may name."""

    parts: int = 24_000
    layers: int = 12
    width: int = 512
    heads: int = 8
    window: int = 384
    steps: int = 6_000
    batch: int = 320  # windows
    rate: float = 2e-3
    decay: float = 0.05
    optimiser: str = "muon"
    seconds: float = math.inf  # the rate falls to nothing at the last step or then, whichever comes first
    seed: int = 1

    def shape(self, vocabulary: BytePairs) -> Shape:
        """The network; as many rows of parts as a GPU likes."""
        return Shape(-(-len(vocabulary) // 64) * 64, self.layers, self.width, self.heads, self.window)


def train_base(
    texts: Mapping[str, Sequence[str]],
    folder: Path,
    settings: BaseSettings,
    *,
    before: Path | None = None,
    watch: Callable[[int, float, float], None] = lambda step, loss, share: None,
) -> None:
    """Teach an encoder from texts, one list for each language; goes on where the folder says that a training was.

    `before` is another base, or a contextual model whose encoder reads on: a hospital's own notes after everybody's text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if before and not (folder / WEIGHTS).exists():
        shape = copy_start(before, folder)
        vocabulary = load_byte_pairs(folder)
    else:
        if (folder / WEIGHTS).exists():
            vocabulary = load_byte_pairs(folder)
        else:
            vocabulary = learn_byte_pairs(count_words(line for lines in texts.values() for line in lines), settings.parts)
        save_byte_pairs(vocabulary, folder)
        shape = settings.shape(vocabulary)
    numbered = {name: number_texts(lines, vocabulary.encode_text) for name, lines in texts.items() if lines}
    short = [name for name, numbers in numbered.items() if len(numbers) < _SMALLEST * shape.window]
    if short or not numbered:
        raise UsageError(f"too little text to learn from ({', '.join(short) or 'none'}): give at least some pages of it")
    pretrain(shape, numbered, folder, settings, watch=watch)


def copy_start(before: Path, folder: Path) -> Shape:
    """Put the encoder of another base or model into a folder, at the beginning of its training."""
    folder.mkdir(parents=True, exist_ok=True)
    save_byte_pairs(load_byte_pairs(before), folder)
    if not (before / CARD).exists():
        for name in (WEIGHTS, SHAPE):
            (folder / name).write_bytes((before / name).read_bytes())
        (folder / PROGRESS).write_text('{"share": 0.0}', encoding="utf-8")
        return read_shape(folder)
    net = restore_net(before)
    if isinstance(net, Student):
        raise UsageError(f"{before}: a student has no encoder to go on with; start from a teacher")
    save_checkpoint(Guesser(net.encoder), folder, 0.0)
    return net.encoder.shape


def read_shape(folder: Path) -> Shape:
    """The shape that a base was written with."""
    return Shape(**json.loads((folder / SHAPE).read_text(encoding="utf-8")))


def pretrain(
    shape: Shape,
    texts: Mapping[str, Shorts],
    folder: Path,
    settings: BaseSettings,
    *,
    shares: Mapping[str, float] | None = None,
    watch: Callable[[int, float, float], None] = lambda step, loss, share: None,
) -> Encoder:
    """Teach an encoder from numbered texts, one stream for each language, read as often as each other or as `shares` say.

    Goes on from the folder if it holds a checkpoint. Of each stream random windows are read, so that no two epochs are alike.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(settings.seed)
    torch.set_float32_matmul_precision("high")
    guesser = Guesser(Encoder(shape)).to(device)
    done = load_checkpoint(guesser, folder) if (folder / WEIGHTS).exists() else 0.0
    learn = torch.compile(_guess_loss, dynamic=False) if device == "cuda" else _guess_loss
    optimisers = choose_optimisers(guesser, settings)
    weights = [(shares or {}).get(name, 1.0) for name in texts]
    counts = [max(1, round(settings.batch * weight / sum(weights))) for weight in weights]
    batches = draw_batches(list(texts.values()), counts, shape.window, device, seed=settings.seed + round(1000 * done))
    began = saved = time.monotonic()
    first_share = share = done
    losses: list[Tensor] = []
    step = 0
    while share < 1:
        rate = settings.rate * rate_at(share)
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            loss = learn(guesser, next(batches))
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(guesser.parameters(), 1.0)
        for optimiser in optimisers:
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        losses.append(loss.detach())
        step += 1
        if step % 50 == 0:
            if not math.isfinite(mean := float(torch.stack(losses).mean())):
                raise UsageError("the loss is no number any more; learn more slowly")
            losses.clear()
            now = time.monotonic()
            share = max(
                first_share + step / settings.steps, first_share + (1 - first_share) * (now - began) / settings.seconds
            )
            watch(step, mean, share)
            if now - saved > _SAVE_EVERY:
                save_checkpoint(guesser, folder, share)
                saved = now
    save_checkpoint(guesser, folder, 1.0)
    return guesser.encoder


def rate_at(share: float) -> float:
    """Of the highest rate: it grows at first, stays, and falls to nothing over the last half."""
    return min(1.0, share / _WARM + 0.05, 2 * (1 - share) + 0.01)


def choose_optimisers(guesser: Guesser, settings: BaseSettings) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside (Jordan 2024), AdamW for the rest; or AdamW for all."""
    fused = next(guesser.parameters()).is_cuda
    inside = [
        weight
        for name, weight in guesser.named_parameters()
        if weight.dim() == 2 and "embed" not in name and settings.optimiser == "muon"
    ]
    known = set(map(id, inside))
    rest = [weight for weight in guesser.parameters() if id(weight) not in known]
    matrices = [weight for weight in rest if weight.dim() == 2]
    vectors = [weight for weight in rest if weight.dim() != 2]
    groups = [{"params": matrices, "weight_decay": settings.decay}, {"params": vectors, "weight_decay": 0.0}]
    found: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, settings.rate, (0.9, 0.98), fused=fused)]
    if inside:
        found.append(
            torch.optim.Muon(inside, settings.rate, weight_decay=settings.decay, adjust_lr_fn="match_rms_adamw", nesterov=True)
        )
    return found


def draw_batches(texts: Sequence[Shorts], counts: Sequence[int], window: int, device: str, *, seed: int) -> Iterator[Tensor]:
    """Windows from random places, so many of each stream."""
    generator = torch.Generator(device).manual_seed(seed)
    streams = [torch.from_numpy(numbers.astype(np.int16)).to(device) for numbers in texts]
    ahead = torch.arange(window, device=device)
    while True:
        found = []
        for stream, count in zip(streams, counts, strict=True):
            begins = torch.randint(0, len(stream) - window, (count, 1), generator=generator, device=device)
            found.append(stream[begins + ahead])
        yield torch.cat(found).int() & 0xFFFF


def _guess_loss(guesser: Guesser, parts: Tensor) -> Tensor:
    """Hide as many parts of each window, with a neighbour now and then, and compare the guesses."""
    count = round(_HIDDEN_SHARE * parts.shape[1])
    dice = torch.rand(parts.shape, device=parts.device)
    beside = torch.rand(parts.shape, device=parts.device) < 0.25  # a neighbour goes with it: words have several parts
    dice = torch.where(beside, torch.roll(dice, 1, 1), dice)
    chosen = dice.topk(count, 1).indices
    hidden = torch.where(torch.rand(chosen.shape, device=parts.device) < _KEPT_SHARE, parts.gather(1, chosen), HIDDEN)
    guesses = guesser(parts.scatter(1, chosen, hidden), chosen)
    return functional.cross_entropy(guesses.flatten(0, 1).float(), parts.gather(1, chosen).flatten().long())


def save_checkpoint(guesser: Guesser, folder: Path, share: float) -> None:
    """Write weights in half precision, their shape, and how far the training is; a crash leaves the last one whole."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.detach().half().cpu().contiguous() for name, weight in guesser.state_dict().items()}
    fresh = folder / (WEIGHTS + ".new")
    save_file(weights, fresh)
    fresh.replace(folder / WEIGHTS)
    (folder / SHAPE).write_text(json.dumps(asdict(guesser.encoder.shape)), encoding="utf-8")
    (folder / PROGRESS).write_text(json.dumps({"share": share}), encoding="utf-8")


def load_checkpoint(guesser: Guesser, folder: Path) -> float:
    """Read weights into a network; returns how far its training was."""
    guesser.load_state_dict({name: weight.float() for name, weight in load_file(folder / WEIGHTS).items()})
    return float(json.loads((folder / PROGRESS).read_text(encoding="utf-8"))["share"])


def load_encoder(folder: Path, dropout: float = 0.0) -> Encoder:
    """The encoder of a folder, ready to learn something else."""
    encoder = Encoder(read_shape(folder), dropout)
    weights = load_file(folder / WEIGHTS)
    mine = {name.removeprefix("encoder."): weight.float() for name, weight in weights.items() if name.startswith("encoder.")}
    encoder.load_state_dict(mine)
    return encoder


def number_texts(lines: Sequence[str], encode: Callable[[str], Sequence[Sequence[int]]]) -> Shorts:
    """All lines as one stream of numbers, a line end after each."""
    found: list[int] = []
    for line in lines:
        for parts in encode(line + "\n"):
            found += parts
    return np.array(found, np.uint16)
