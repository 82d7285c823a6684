"""From one format to another: text and spans as they are, or changed in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from innominate.core import Document, Rejected
from innominate.core.protocols import Format
from innominate.formats import write
from innominate.run.inputs import Inputs


def convert(
    inputs: Inputs,
    output: str,
    format: Format,
    *,
    change: Callable[[Document], Document] = lambda document: document,
    rejected: Callable[[Rejected], None] = lambda item: None,
) -> int:
    """Write all documents in another format and return how many; what cannot be read is handed to `rejected`."""

    def documents() -> Iterator[Document]:
        for item in inputs.items():
            if isinstance(item, Rejected):
                rejected(item)
            else:
                yield change(item)

    return write(documents(), output, format)
