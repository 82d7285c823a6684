"""A policy in plain words, with an example of each kind before and after."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.conceal.concealed import conceal
from innominate.conceal.keys import Key
from innominate.conceal.policy.concealer import ByPolicy
from innominate.conceal.policy.policy import Policy
from innominate.conceal.vocabulary import read_data
from innominate.core import annotated
from innominate.labels import Kind, Taxonomy, for_language, kinds

_KEY = Key(bytes(range(32)))  # examples only: a policy is explained without a secret


@dataclass(frozen=True, slots=True)
class Explanation:
    """One kind of identifier: its labels, what becomes of it, and an example."""

    category: str
    labels: tuple[str, ...]
    words: str
    before: str
    after: str


def explain_policy(policy: Policy, lang: str = "en") -> list[Explanation]:
    """Say for every label of a language's taxonomy what the policy does, labels that are treated alike together.

    >>> from innominate.conceal.policy.policy import load_policy
    >>> first = explain_policy(load_policy("hipaa-safe-harbor"))[0]
    >>> first.category, first.words, first.before, first.after
    ('names of people', 'is replaced by the name of its class', 'Eva Holm', '<PATIENT>')
    """
    words = read_data("explain.toml")["words"]
    taxonomy = for_language(lang)
    found: list[Explanation] = []
    for kind, labels in _by_kind(taxonomy):
        for strategy in dict.fromkeys(policy.of(label) for label in labels):
            alike = tuple(label for label in labels if policy.of(label) == strategy)
            said = kind.pseudonym if strategy == "pseudo" and kind.pseudonym else words[strategy]
            pairs = [(example, _shown(policy, example, alike[0], lang)) for example in kind.example(lang)]
            before, after = ("; ".join(column) for column in zip(*pairs, strict=True))
            found.append(Explanation(kind.title, alike, said, before, after))
    return found


def _by_kind(taxonomy: Taxonomy) -> list[tuple[Kind, list[str]]]:
    found = [(kind, [name for name, label in taxonomy.labels.items() if label.kind is kind]) for kind in kinds().values()]
    return [(kind, labels) for kind, labels in found if labels]


def _shown(policy: Policy, example: str, label: str, lang: str) -> str:
    document = annotated(f"[{example}]({label}).")
    return conceal(document, ByPolicy(policy, _KEY, lang=lang)).document.text.removesuffix(".") or "(the sentence is removed)"


def summarise_policy(policy: Policy) -> list[str]:
    """What a policy says besides: ages, thresholds, and what it needs.

    >>> from innominate.conceal.policy.policy import load_policy
    >>> summarise_policy(load_policy("mask"))
    ['No key is needed.']
    """
    said: list[str] = []
    if policy.needs_key and policy.ages_over_89 == "keep":
        said.append("Ages over 89 stay as they are.")
    if policy.needs_key and policy.weekdays == "keep":
        said.append("Days of the week stay: dates move by whole weeks, up to thirteen years.")
    if policy.thresholds:
        least = ", ".join(f"{label} {threshold:g}" for label, threshold in policy.thresholds.items())
        said.append(f"Left as it stands is what the detector was less sure of than: {least}.")
    said.append(
        "A key is needed: the same key gives the same pseudonyms, and whoever has it can link them to the originals."
        if policy.needs_key
        else "No key is needed."
    )
    return said
