"""What a network looks like and how it learns, as frozen values; the defaults of each kind are in `kinds/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from importlib.resources import files
from typing import Any, TypeVar

from innominate.core import UsageError

_TRANSFORMER = "encoder"  # a kind of older models, still served; it knows no places beyond its window
_GONE = {"heads", "pretrain"}  # settings of that kind, on the cards of all models of its time


@dataclass(frozen=True, slots=True)
class Network:
    """The shape of a network."""

    kind: str = "bilstm-crf"
    scheme: str = "BIOES"
    words: int = 100  # size of a word's vector; 0: words are not read as a whole
    seen: int = 2  # a word seen fewer times is unknown
    letters: str = "cnn"  # how characters are read: cnn, lstm or none
    letter: int = 30  # size of a character's vector
    filters: int = 50  # of each width, or the size of the character LSTM
    widths: tuple[int, ...] = (2, 3, 4)
    shapes: int = 16  # size of a shape's vector; 0: shapes are not read
    hidden: int = 300
    second: int = 0  # size of the second layer, when it differs (cross-view training)
    layers: int = 2
    dropout: float = 0.5
    word_dropout: float = 0.05  # share of words hidden while learning
    crf: bool = True
    views: bool = False  # auxiliary predictors that learn from unlabelled text (cross-view training)
    language_model: bool = False  # the states of two character language models are read as well
    lm_layers: int = 0  # layers of a word-level language model that are mixed; its folder says it
    lm_size: int = 0  # numbers in each of them
    parts: int = 0  # size of the vector of a part of speech; 0: they are not read
    parts_of_speech: str = ""  # who says them: a spaCy pipeline, or a word list FILE.tsv
    window: int = 192
    overlap: int = 64

    @property
    def reads(self) -> int:
        """Pieces read at once when a model is served: more than in training, so less is read twice."""
        return self.window if self.kind == _TRANSFORMER else 2 * self.window


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """The way a network learns."""

    optimiser: str = "adam"
    rate: float = 0.002
    momentum: float = 0.9
    decay: float = 0.0  # weight decay
    batch: int = 32  # windows
    epochs: int = 60
    warmup: float = 0.05  # share of the steps in which the rate grows; then it falls along a cosine to zero
    patience: int = 20  # epochs without a better dev score before it stops; 0: all epochs, and the last weights are kept
    check: int = 1  # dev is scored every so many epochs
    clip: float = 1.0
    average: float = 0.998  # decay of the moving average of the weights that is kept; 0: the last weights
    swap: float = 0.0  # share of mentions replaced by another of the same label, anew in each epoch
    variants: int = 4  # copies of the notes with swapped mentions, where a network reads through what is slow
    vector_words: int = 50_000  # words of given vectors that are known though no note to learn from has them
    smoothing: float = 0.0
    unlabelled_dropout: float = 0.2
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how a training goes."""

    epoch: Callable[[Mapping[str, float]], None] = lambda scores: None  # its number, its loss, and F1 on dev as `ner`
    shrunk: Callable[[float], None] = lambda fall: None  # how much F1 falls by weights of eight bits


@dataclass(frozen=True, slots=True)
class NeuralSettings:
    """A network and its recipe."""

    network: Network = Network()
    recipe: TrainingRecipe = TrainingRecipe()

    def with_options(self, options: Mapping[str, Any]) -> NeuralSettings:
        """Change values by name, from text as it is typed: `hidden=128`.

        >>> NeuralSettings().with_options({"hidden": "128", "rate": "0.01"}).recipe.rate
        0.01
        """
        network, recipe = asdict(self.network), asdict(self.recipe)
        del network["kind"]
        chosen = read_settings({**network, **recipe}, options)
        of_network = {name: value for name, value in chosen.items() if name in network}
        of_recipe = {name: value for name, value in chosen.items() if name in recipe}
        return NeuralSettings(replace(self.network, **of_network), replace(self.recipe, **of_recipe))


def kinds() -> list[str]:
    """Names of the kinds of network."""
    return sorted(path.name.removesuffix(".toml") for path in _folder().iterdir() if path.name.endswith(".toml"))


def of_kind(kind: str) -> NeuralSettings:
    """Return the settings of a kind, with the hyper-parameters of its source."""
    if kind not in kinds():
        raise UsageError(f"there is no kind of network {kind!r}; there are: {', '.join(kinds())}")
    return settings_of(
        {"network": {"kind": kind}, **tomllib.loads(_folder().joinpath(f"{kind}.toml").read_text("utf-8"))}, kind
    )


def settings_of(content: dict[str, Any], kind: str) -> NeuralSettings:
    """Build settings from the tables `network` and `recipe`."""
    network: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in content.get("network", {}).items()
        if name not in _GONE
    }
    recipe = {name: value for name, value in content.get("recipe", {}).items() if name not in _GONE}
    known = {field.name for field in fields(Network)}
    if unknown := sorted(network.keys() - known):
        raise UsageError(f"kind {kind!r}: a network has no setting {', '.join(unknown)}")
    return NeuralSettings(replace(Network(), **{**network, "kind": kind}), replace(TrainingRecipe(), **recipe))


def _folder() -> Any:
    return files("innominate.detect.neural").joinpath("kinds")


Chosen = TypeVar("Chosen")


def change_settings(defaults: Chosen, options: Mapping[str, Any], seed: int) -> Chosen:
    """Any settings with what a user has typed, and a seed."""
    known: dict[str, Any] = asdict(defaults)  # type: ignore[call-overload]
    return type(defaults)(**{**known, **read_settings(known, options), "seed": seed})


def read_settings(known: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Read values as they are typed, each of the type that the known one of its name has."""
    if unknown := sorted(options.keys() - known.keys()):
        raise UsageError(f"there is no setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    return {name: read_typed(name, known[name], str(text)) for name, text in options.items()}


def read_typed(name: str, now: Any, text: str) -> Any:
    """Read a value as it is typed, of the type that it has now.

    >>> read_typed("widths", (2, 3), "1,2,3")
    (1, 2, 3)
    """
    try:
        if isinstance(now, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(now, tuple):
            return tuple(int(part) for part in text.split(","))
        return type(now)(text)
    except (ValueError, KeyError):
        raise UsageError(f"{name} is {now!r} by default; {text!r} is no such value") from None
