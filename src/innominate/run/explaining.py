"""Why each span is there: who found it, and what the rules saw at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from innominate.core import Document, Finder, Span
from innominate.detect.combine.projection import OWN
from innominate.detect.models.named import TOGETHER
from innominate.detect.rules.board import Found
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.explain import Reason, candidates_in, reasons_for
from innominate.labels import for_language, mapping
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.text.view import View

_WITH_RULES = ("rules", "union", "combined", "best")  # detectors that the rules take part in


@dataclass(frozen=True, slots=True)
class Explained:
    """A span as it is returned, who decided its label and borders, and what the rules saw there."""

    span: Span
    found_by: str
    reasons: tuple[Reason, ...]


def explain(document: Document, settings: Settings) -> Iterator[Explained]:
    """Explain every span that detection with these settings returns, by rules, by a model, or from a patient file."""
    pipeline = Pipeline(settings)
    looked = _look_by_rules(pipeline, document)
    for own, shown in pipeline.found_in(document)[0]:
        if shown.label:
            reasons = [reason for view, found in looked for reason in _reasons(view, found, own)]
            yield Explained(shown, _who(shown), tuple(dict.fromkeys(reasons)))


def engine_of(settings: Settings, lang: str) -> Engine | None:
    """The rules that take part in a detection; None if none do."""
    name = settings.detector
    if isinstance(name, RulesDetector):
        return name.engine
    if not isinstance(name, str) or not (name in _WITH_RULES or name.startswith(TOGETHER)):
        return None
    return RulesDetector(lang, tuple(map(Path, settings.rules))).engine


def _look_by_rules(pipeline: Pipeline, document: Document) -> list[tuple[View, Sequence[Found]]]:
    """The note in each of the ways that detectors see it, with the candidates of the rules."""
    lang, views = pipeline.views(document)
    engine = engine_of(pipeline.settings, lang)
    if engine is None:
        return []
    found: list[tuple[View, Sequence[Found]]] = [(view, candidates_in(engine, shown.text)) for view, shown in views]
    if pipeline.taxonomy(lang) != OWN:
        return found
    ours = mapping(for_language(lang).name, OWN)  # as the detector calls them
    return [(view, [each._replace(label=ours[each.label] or each.label) for each in some]) for view, some in found]


def _reasons(view: View, found: Sequence[Found], span: Span) -> Iterator[Reason]:
    """What the rules saw on a view where a span of the original is, at its places in the original."""
    for here in view.from_original([span]):
        for reason in reasons_for(here, found):
            start, end = view.offsets.to_source(reason.start, reason.end)
            yield replace(reason, start=start, end=end)


def _who(span: Span) -> str:
    name = span.source.partition(":")[2]
    if span.finder is Finder.RULES:
        return f"found by the rule {name}"
    if span.finder is Finder.KNOWN:
        return f"known from the patient file{f' ({name})' if name else ''}"
    return f"found by the model {span.source or 'of your own'}, {span.score:.2f} sure"
