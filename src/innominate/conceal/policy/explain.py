"""A policy in plain words, with an example of each kind before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from innominate.conceal.concealed import conceal
from innominate.conceal.keys import Key
from innominate.conceal.kinds import kind_of, read_data, words
from innominate.conceal.policy.concealer import ByPolicy
from innominate.conceal.policy.policy import Policy
from innominate.core import annotated
from innominate.labels import Taxonomy, for_language

_KEY = Key(bytes(range(32)))  # examples only: a policy is explained without a secret


@dataclass(frozen=True, slots=True)
class Explanation:
    """One kind of identifier: its labels, what becomes of it, and an example."""

    category: str
    labels: tuple[str, ...]
    words: str
    before: str
    after: str


def explain(policy: Policy, lang: str = "en") -> list[Explanation]:
    """Say for every label of a language's taxonomy what the policy does, labels that are treated alike together.

    >>> from innominate.conceal.policy.files import policy
    >>> first = explain(policy("hipaa-safe-harbor"))[0]
    >>> first.category, first.words, first.before, first.after
    ('names of people', 'is replaced by the name of its class', 'Eva Holm', '<PATIENT>')
    """
    data = read_data("explain.toml")
    taxonomy = for_language(lang)
    found: list[Explanation] = []
    for kind, labels in _by_kind(taxonomy).items():
        for strategy in dict.fromkeys(policy.of(label) for label in labels):
            alike = tuple(label for label in labels if policy.of(label) == strategy)
            examples: Sequence[str] = data["examples"].get(kind, {}).get(lang) or data["examples"][kind]["any"]
            said = data["words"][strategy]
            if strategy == "pseudo" and kind in data["pseudo"]:
                said = data["pseudo"][kind]
            pairs = [(example, _shown(policy, example, alike[0], lang)) for example in examples]
            before, after = ("; ".join(column) for column in zip(*pairs, strict=True))
            found.append(Explanation(words()[kind], alike, said, before, after))
    return found


def _by_kind(taxonomy: Taxonomy) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {kind: [] for kind in words()}
    for label in taxonomy.labels:
        grouped[kind_of(label)].append(label)
    return {kind: labels for kind, labels in grouped.items() if labels}


def _shown(policy: Policy, example: str, label: str, lang: str) -> str:
    document = annotated(f"[{example}]({label}).")
    return conceal(document, ByPolicy(policy, _KEY, lang=lang)).document.text.removesuffix(".") or "(the sentence is removed)"


def summary(policy: Policy) -> list[str]:
    """What a policy says besides: ages, thresholds, and what it needs.

    >>> from innominate.conceal.policy.files import policy
    >>> summary(policy("mask"))
    ['No key is needed.']
    """
    said: list[str] = []
    if policy.needs_key and policy.ages_over_89 == "keep":
        said.append("Ages over 89 stay as they are.")
    if policy.thresholds:
        least = ", ".join(f"{label} {threshold:g}" for label, threshold in policy.thresholds.items())
        said.append(f"Left as it stands is what the detector was less sure of than: {least}.")
    said.append(
        "A key is needed: the same key gives the same pseudonyms, and whoever has it can link them to the originals."
        if policy.needs_key
        else "No key is needed."
    )
    return said
