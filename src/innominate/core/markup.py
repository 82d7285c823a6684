"""Sentences with their annotations written in: `Vu par [Dr Rochat](DOCTOR)`.

Tests, golden cases and templates use it. Broken markup raises, so that a case can never silently assert nothing.
"""

from __future__ import annotations

import re

from innominate.core.document import Document
from innominate.core.errors import MarkupError
from innominate.core.span import Span

_TOKEN = re.compile(r"\\(?P<escaped>[\[\]\\])|(?P<open>\[)|(?P<close>\])(?:\((?P<label>[^()\s]+)\))?")


def annotated(marked_text: str, id: str = "") -> Document:
    r"""Read marked-up text into a document. A backslash makes `[`, `]` and `\` ordinary characters.

    >>> annotated("Née le [3 mai 1950](DATE) à [Lausanne](CITY)").spans[1]
    Span(start=20, end=28, label='CITY', score=1.0, source='')
    """
    plain: list[str] = []
    spans: list[Span] = []
    length, copied, opened = 0, 0, None
    for token in _TOKEN.finditer(marked_text):
        before = marked_text[copied : token.start()]
        plain.append(before)
        length, copied = length + len(before), token.end()
        if token["escaped"]:
            plain.append(token["escaped"])
            length += 1
        elif token["open"]:
            if opened is not None:
                raise MarkupError(f"a second '[' opens at character {token.start()} before the first is closed")
            opened = length
        elif opened is None or token["label"] is None:
            raise MarkupError(f"']' at character {token.start()} needs a '[' before it and a '(LABEL)' after it")
        else:
            spans.append(Span(opened, length, token["label"]))
            opened = None
    if opened is not None:
        raise MarkupError("a '[' is never closed")
    plain.append(marked_text[copied:])
    return Document(id, "".join(plain), tuple(spans))


def marked(document: Document) -> str:
    r"""Write a document as marked-up text; the reverse of `annotated`.

    >>> marked(annotated(r"[Eva](NAME) at \[20:00\]"))
    '[Eva](NAME) at \\[20:00\\]'
    """
    parts: list[str] = []
    position = 0
    for span in document.spans:
        if span.start < position:
            raise MarkupError("markup cannot show spans that overlap")
        parts += [_escape(document.text[position : span.start]), f"[{_escape(span.of(document.text))}]({span.label})"]
        position = span.end
    parts.append(_escape(document.text[position:]))
    return "".join(parts)


def _escape(text: str) -> str:
    return re.sub(r"[\[\]\\]", r"\\\g<0>", text)
