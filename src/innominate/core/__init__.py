"""The types everything else speaks: spans, documents, edits and scores. Standard library only."""

from innominate.core.corpus import Corpus, pair
from innominate.core.document import Document, Rejected
from innominate.core.edits import Edit, OffsetMap, apply_edits
from innominate.core.errors import (
    FormatError,
    InnominateError,
    LabelError,
    MarkupError,
    PluginError,
    ProcessingError,
    SpanError,
    UsageError,
)
from innominate.core.finder import Finder
from innominate.core.markup import annotated, marked
from innominate.core.resolve import resolve, trim_blanks
from innominate.core.score import Score
from innominate.core.span import Span

__all__ = [
    "Corpus",
    "Document",
    "Edit",
    "Finder",
    "FormatError",
    "InnominateError",
    "LabelError",
    "MarkupError",
    "OffsetMap",
    "PluginError",
    "ProcessingError",
    "Rejected",
    "Score",
    "Span",
    "SpanError",
    "UsageError",
    "annotated",
    "apply_edits",
    "marked",
    "pair",
    "resolve",
    "trim_blanks",
]
