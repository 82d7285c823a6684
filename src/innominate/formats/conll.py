"""CoNLL columns: one token per line with its tag, for the tools that learn from them.

Ours are lossless: comments hold the id, the meta data and the exact text, and the columns are token, start, end, tag. From
other people's files the text is rebuilt, with one space between tokens and one newline between sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from innominate.core import Document, Rejected, Span, UsageError, resolve
from innominate.core.protocols import SourceFile
from innominate.formats.conll_blocks import blocks, columns
from innominate.formats.decoding import BOM
from innominate.formats.json_values import json_bytes
from innominate.formats.reasons import reason_of
from innominate.formats.sources import type_of
from innominate.formats.token_tags import OUTSIDE, SCHEMES, is_tag, tags_of
from innominate.text.tokens import tokens

LONG_LINE = 100_000  # characters
_UNFIT = re.compile("[\\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # would break the line, or the encoding
_BARE = re.compile(r"[A-Z_]{2,}")


class ConllFormat:
    """CoNLL / IOB. `scheme` is that of the output: iob2, iobes or bilou. Any of them is read.

    With `unit="sentence"` each sentence of somebody else's file is a document, so that a bad line costs no more than that.

    >>> print(ConllFormat().encode(Document("n1", "Eva slept.", (Span(0, 3, "NAME"),))).decode(), end="")  # doctest: +ELLIPSIS
    # id = n1
    # text = "Eva slept."
    Eva 0 3 B-NAME
    slept 4 9 O
    . 9 10 O
    <BLANKLINE>
    """

    name = "conll"
    suffixes: tuple[str, ...] = (".conll", ".iob", ".iob2", ".bio")
    holds_spans = True

    def __init__(self, scheme: str = "iob2", unit: str = "document") -> None:
        self.scheme, self.unit = scheme, unit
        if scheme not in SCHEMES or unit not in ("document", "sentence"):
            raise UsageError(f"scheme is one of {', '.join(SCHEMES)}, and unit is document or sentence")

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Look whether the first lines all end in a tag; by its name alone if there are none."""
        lines = head.decode("utf-8", "replace").removeprefix(BOM).split("\n")
        if lines[0].startswith("# id = ") and lines[1:]:
            return True
        by_name = type_of(file) in self.suffixes
        complete = [line.rstrip("\r") for line in (lines[:-1] or lines)[:2000]]  # the last may be cut off
        rows = [columns(line) for line in complete if line.strip() and not line.startswith(("#", "-DOCSTART-"))]
        return by_name if len(rows) < 5 else _tagged(rows)

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield the documents: by their id, by -DOCSTART-, or the file as one."""
        for block in blocks(file, by_sentence=self.unit == "sentence"):
            try:
                yield block.document()
            except Exception as error:
                yield Rejected(block.id, reason_of(error), file.name, getattr(error, "line", None) or block.line)

    def encode(self, document: Document) -> bytes:
        """Comments and one line per token; spans that tags cannot express stand in a comment too."""
        comments = [("id", _plain(document.id)), ("text", json_bytes(document.text))]
        if document.meta:
            comments.append(("meta", json_bytes(dict(document.meta))))
        pieces = _pieces(document)
        if not _expressible(document.spans, pieces):
            comments.append(("spans", json_bytes([[span.start, span.end, span.label] for span in document.spans])))
        head = b"".join(b"# %s = %s\n" % (name.encode(), value) for name, value in comments)
        return head + "".join(self._rows(document, pieces)).encode("utf-8") + b"\n"

    def _rows(self, document: Document, pieces: list[tuple[int, int]]) -> Iterator[str]:
        tags, before = self._tags(document, pieces), 0
        for (start, end), tag in zip(pieces, tags, strict=True):
            if before and "\n" in document.text[before:start]:
                yield "\n"
            token = _UNFIT.sub("\ufffd", document.text[start:end])
            yield f"{token}\t{start}\t{end}\t{tag}\n"
            before = end

    def _tags(self, document: Document, pieces: list[tuple[int, int]]) -> list[str]:
        """Tag the pieces of tokens; of overlapping spans the better one, for tools that do not know our comment."""
        tags = ["O"] * len(pieces)
        at = 0
        for span in resolve(document.spans):
            while at < len(pieces) and pieces[at][0] < span.start:
                at += 1
            first = at
            while at < len(pieces) and pieces[at][1] <= span.end:
                at += 1
            if at > first:
                tags[first:at] = tags_of(at - first, _UNFIT.sub("_", span.label), SCHEMES[self.scheme])
        return tags


def _tagged(rows: list[list[str]]) -> bool:
    """Say whether rows are tokens with tags: all end in one or in a bare label, most in one, and not all in a zero."""
    if not all(len(row) >= 2 and (is_tag(row[-1]) or _BARE.fullmatch(row[-1])) for row in rows):
        return False
    return sum(is_tag(row[-1]) for row in rows) >= len(rows) / 2 and any(row[-1] != "0" for row in rows)


def _plain(id: str) -> bytes:
    """The id as it is, or as JSON where the line could not hold it."""
    plain = id.isprintable() and id == id.strip() and id and not id.startswith('"')
    return id.encode("utf-8") if plain else json_bytes(id)


def _pieces(document: Document) -> list[tuple[int, int]]:
    """The tokens, cut where a span begins or ends inside one."""
    cuts = sorted({border for span in document.spans for border in (span.start, span.end)})
    pieces, at = [], 0
    for start, end in _tokens(document.text):
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        while at < len(cuts) and cuts[at] < end:
            pieces.append((start, cuts[at]))
            start = cuts[at]
            at += 1
        pieces.append((start, end))
    return pieces


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """The tokens line by line; a line too long to be language is one token, or its millions would be no use to anybody."""
    at = 0
    for line in text.split("\n"):
        if len(line) > LONG_LINE:
            yield at, at + len(line)
        else:
            yield from ((at + start, at + end) for start, end in tokens(line))
        at += len(line) + 1


def _expressible(spans: tuple[Span, ...], pieces: list[tuple[int, int]]) -> bool:
    """Say whether tags alone give back these very spans: apart from each other, bounded by tokens, with labels of one word."""
    starts, ends = {start for start, _ in pieces}, {end for _, end in pieces}
    bounded = all(span.start in starts and span.end in ends for span in spans)
    apart = all(left.end <= right.start for left, right in pairwise(spans))
    return bounded and apart and all(span.label not in OUTSIDE and not _UNFIT.search(span.label) for span in spans)
