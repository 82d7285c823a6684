"""Notes as they would be found and concealed, one by one."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.core import Document, Rejected
from innominate.run.inputs import Inputs
from innominate.run.pipeline import Pipeline, check
from innominate.run.settings import Settings

Pair = tuple[Document, Document | None]  # a note with its spans, and concealed if that is wanted


def previews(inputs: Inputs, settings: Settings, *, carried: bool = False, after: bool = True) -> Iterator[Pair | Rejected]:
    """Each note with what is found in it, or with the spans it carries, and as it would be concealed."""
    check(settings, detection=not carried)
    pipeline = Pipeline(settings)
    for item in inputs.items():
        if isinstance(item, Rejected):
            yield item
            continue
        seen = item if carried else pipeline.detect(item)
        yield seen, pipeline.conceal(seen) if after else None
