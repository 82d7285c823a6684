"""The default detector: rules that are certain, and for the rest the model with the rules as evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from innominate.core import Document, Finder, Span, resolve
from innominate.detect.combine.evidence import gather_evidence, read_weights, weigh_evidence
from innominate.detect.combine.union import rules_with_shields, run_rules_on_notes, sources_of_user
from innominate.detect.contextual.detector import STUDENT, TEACHER, ContextualDetector
from innominate.detect.contextual.reading import average_beliefs
from innominate.detect.dial.dial import Dial, current_dial
from innominate.detect.dial.threshold import Marginals
from innominate.labels import for_language, mapping, taxonomy


@dataclass(frozen=True)
class CombinedDetector:
    """Rules and the small contextual model. A failure of either withholds the note."""

    lang: str = "en"
    model: str | Path = STUDENT
    recall: str = ""
    rules: tuple[Path, ...] = field(default=())
    threads: int = 1
    device: str = "cpu"

    name = "combined"
    taxonomy = "innominate"
    apart = True

    @property
    def learner(self) -> ContextualDetector:
        """The model."""
        return ContextualDetector(self.model, self.lang, "", self.threads, self.device)

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give."""
        _ = rules_with_shields(self.lang, self.rules)  # a rule that is wrong is said before the first note
        self._dial.choose(self.recall, sorted(self.learner.labels), self.taxonomy)
        return self.learner.labels | _certain_labels()

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes, faster than one by one."""
        dial = self._dial
        points = dial.choose(self.recall, sorted(self.learner.labels), self.taxonomy)
        return [
            resolve(
                [*certain, *join_touching(found.text, dial.spans(found, points, self.name))],
                by_certainty,
            )
            for found, certain in self._weighed(documents)
        ]

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What is believed of each word when all evidence is weighed."""
        return [found for found, _ in self._weighed(documents)]

    def believe(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the model believes of each word, before any rule is heard."""
        return self.learner.marginals(documents)

    def _weighed(self, documents: Sequence[Document]) -> list[tuple[Marginals, list[Span]]]:
        learner = self.learner
        weights, labels = read_weights(learner.folder), list(learner.model_labels)
        ours = mapping(for_language(self.lang).name, self.taxonomy)
        own_rules = sources_of_user(self.lang, self.rules)
        weighed = []
        ruled = run_rules_on_notes(self.lang, self.rules, documents)
        for believed, (spans, shields) in zip(self.believe(documents), ruled, strict=True):
            named = [replace(span, label=ours[span.label] or "ID_OTHER") for span in spans]
            evidence = gather_evidence(believed, [span for span in named if span.label in labels], shields, labels)
            certain = [span for span in named if span.label in _certain_labels() or span.source in own_rules]
            weighed.append((weigh_evidence(believed, evidence, weights, labels), certain))
        return weighed

    @property
    def _dial(self) -> Dial:
        return current_dial(self.learner.folder / "combined" / self.lang)


class BestDetector(CombinedDetector):
    """The same with the large model and the small one, which miss different things: better, and slower."""

    name = "best"

    @property
    def learner(self) -> ContextualDetector:
        """The large model, or the one that was named."""
        return ContextualDetector(TEACHER if self.model == STUDENT else self.model, self.lang, "", self.threads, self.device)

    def believe(self, documents: Sequence[Document]) -> list[Marginals]:
        """The mean of what both believe; the model alone if one was named."""
        large = self.learner.marginals(documents)
        if self.model != STUDENT:
            return large
        small = ContextualDetector(STUDENT, self.lang, "", self.threads, self.device).marginals(documents)
        return [average_beliefs(one, other) for one, other in zip(large, small, strict=True)]


def join_touching(text: str, spans: Sequence[Span]) -> list[Span]:
    """Neighbours of one label that only a blank or a hyphen parts are one identifier.

    >>> text = "BERG Eva-Lis, mardi 3 mai"
    >>> found = [Span(0, 4, "NAME"), Span(5, 8, "NAME"), Span(9, 12, "NAME"), Span(14, 19, "DATE"), Span(20, 25, "DATE")]
    >>> [span.of(text) for span in join_touching(text, found)]
    ['BERG Eva-Lis', 'mardi 3 mai']
    """
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.label == span.label and text[last.end : span.start] in (" ", "-", "\u00a0"):
            joined[-1] = replace(last, end=span.end, score=min(last.score, span.score))
        else:
            joined.append(span)
    return joined


def by_certainty(span: Span) -> tuple[float, ...]:
    """Where two overlap, a certain rule wins over what was weighed."""
    return (float(span.finder is Finder.RULES), span.score, float(len(span)))


@cache
def _certain_labels() -> frozenset[str]:
    """The labels whose form tells them: the rules decide, whether the model knows them or not."""
    return frozenset(name for name, label in taxonomy(CombinedDetector.taxonomy).labels.items() if label.kind.certain)
