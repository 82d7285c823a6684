"""Rules and a model, each for the labels it is better at (the hybrid of the Swiss-French thesis, section 5.3).

The rules keep the labels on which an evaluation gave them an F1 over 0.9, the model takes the rest. A label that the model
does not know stays with the rules too: nobody else would look for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate.core import Document, Span, UsageError, resolve
from innominate.core.protocols import Detector
from innominate.detect.combine.ensemble.members import ask_all, member_detector, where
from innominate.detect.combine.union import rank_rules_first
from innominate.detect.models.cards import current_card, load_card, naming_what_is_missing, write_card
from innominate.detect.models.named import refuse_other_language

KIND, FORMAT = "hybrid", 1
OVER = 0.9  # the F1 of the thesis


@dataclass(frozen=True, slots=True)
class HybridCard:
    """What `model.toml` says: the model, the labels that are the rules' own, and where that was decided."""

    lang: str
    taxonomy: str
    model: str  # a folder, seen from the hybrid's own
    rules_keep: tuple[str, ...]
    decided: Mapping[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the card into its folder."""
        head = {"kind": KIND, "format": FORMAT, "lang": self.lang, "taxonomy": self.taxonomy}
        lists = {"members": [self.model], "rules_keep": list(self.rules_keep)}
        write_card(folder, {**head, **lists, "decided": self.decided})


def read_card(folder: Path) -> HybridCard:
    """Read a card, or say why it is none that this version reads."""
    content = load_card(folder, family=KIND, format=FORMAT, made_by="innominate train hybrid")
    with naming_what_is_missing(folder):
        (model,) = content["members"]
        return HybridCard(
            content["lang"], content["taxonomy"], model, tuple(content["rules_keep"]), content.get("decided", {})
        )


@dataclass(frozen=True, slots=True)
class HybridDetector:
    """Finds some labels by rules and the others with a model; `recall` goes to the model."""

    lang: str = ""
    model: str = ""
    recall: str = ""

    name = "hybrid"

    @property
    def card(self) -> HybridCard:
        """Its card."""
        folder = Path(self.model)
        card = current_card(folder, read_card)
        refuse_other_language(folder, card.lang, self.lang)
        return card

    @property
    def taxonomy(self) -> str:
        """The taxonomy of both."""
        return self.card.taxonomy

    @property
    def learner(self) -> Detector:
        """The model."""
        return member_detector(where(Path(self.model), self.card.model), self.card.lang, self.recall)

    @property
    def rules(self) -> Detector:
        """The rules."""
        return member_detector("rules", self.card.lang)

    @property
    def labels(self) -> frozenset[str]:
        """Labels that either gives."""
        return self._by_rules() | self.learner.labels

    def _by_rules(self) -> frozenset[str]:
        return frozenset(self.card.rules_keep) | self.rules.labels - self.learner.labels

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes; where the two overlap, the rules are the surer on their own labels."""
        documents = list(documents)
        own = self._by_rules()
        answers = zip(*ask_all([self.rules, self.learner], documents), strict=True)
        return [
            resolve(
                [*(span for span in ruled if span.label in own), *(span for span in learned if span.label not in own)],
                rank_rules_first,
            )
            for ruled, learned in answers
        ]


def f1_by_label(path: Path, system: str = "") -> dict[str, float]:
    """The strict F1 of each label in a file that `innominate evaluate --json` wrote."""
    try:
        systems = json.loads(path.read_text(encoding="utf-8"))["systems"]
        name = system or next(iter(systems))
        labels = systems[name]["per_type"]
        return {label: float(found["strict"]["f1"]) for label, found in labels.items()}
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, StopIteration):
        raise UsageError(
            f"{path}: no scores by label are here{f' of a system {system!r}' if system else ''}; write them with "
            "`innominate evaluate GOLD RULES --standard spans --json FILE`"
        ) from None


def good_labels(scores: Mapping[str, float], over: float = OVER) -> dict[str, float]:
    """The labels whose F1 is over the limit.

    >>> good_labels({"DATE": 0.98, "CITY": 0.9, "NAME": 0.5})
    {'DATE': 0.98}
    """
    return {label: score for label, score in sorted(scores.items()) if score > over}
