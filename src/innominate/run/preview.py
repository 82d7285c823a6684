"""Notes to look at, one by one: as they are found, and as they would be concealed."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.core import Document, Rejected
from innominate.run.inputs import Inputs
from innominate.run.outcome import Quarantined, Task
from innominate.run.pipeline import Pipeline, check
from innominate.run.settings import Settings

Pair = tuple[Document, Document | None]  # a note with its spans, and concealed if that is wanted


def previews(inputs: Inputs, settings: Settings, *, carried: bool = False, after: bool = True) -> Iterator[Pair | Rejected]:
    """Each note with what is found in it, or with the spans it carries, and as it would be concealed."""
    items = inputs.items()  # a source that is not there is said before a model is loaded
    check(settings, detection=not carried)
    pipeline = Pipeline(settings)
    for item in items:
        if isinstance(item, Rejected):
            yield item
            continue
        seen = item if carried else pipeline.detect(item)
        yield seen, pipeline.conceal(seen) if after else None


def detections(inputs: Inputs, settings: Settings) -> Iterator[Document | Quarantined]:
    """Each note with what is found in it, or why there is none."""
    items = inputs.items()
    check(settings)
    task = Task("detect", settings)
    for item in items:
        result = task(item)
        yield result if isinstance(result, Quarantined) else result.document
