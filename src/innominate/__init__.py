"""Innominate de-identifies clinical text: annotate, detect, conceal, measure, run. Importing it does nothing else.

>>> from innominate import Document, Span
>>> Document("n1", "Eva slept.", [Span(0, 3, "First_Name")]).spans[0].of("Eva slept.")
'Eva'
"""

from innominate.core import Corpus, Document, Edit, InnominateError, OffsetMap, Score, Span, apply_edits

__version__ = "0.1.0"

__all__ = ["Corpus", "Document", "Edit", "InnominateError", "OffsetMap", "Score", "Span", "__version__", "apply_edits"]
