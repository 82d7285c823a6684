"""Score identifiers that were mangled without malice: .venv/bin/python tools/score_evasion.py [--lang sv] [--trick mojibake]

Every trick is what a scanner, a mail system, a word processor or a hurried hand does to text. It is done to all identifiers of
dev notes, with a fixed seed; an identifier that it changes counts as found if each of its letters and digits lies in a span.
Prints that share with the share of the same identifiers found in the plain notes, by trick and language, and recall and
precision of tokens on the plain notes.
"""

import argparse
import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from html.entities import codepoint2name
from random import Random

import numpy as np

from innominate.core import Document, Span
from innominate.text.accents import strip_accents
from score_corpus import Tally, figures, find_spans, read_split

Trick = Callable[[str, Random], list[str]]  # an identifier and chance to what stands for each of its characters

_CYRILLIC = dict(zip("aceopxyijsABCEHIKMOPTXSJ", "асеорхуіјѕАВСЕНІКМОРТХЅЈ", strict=True))


def put_after_each(mark: str) -> Trick:
    """The mark between all characters of a word."""
    return lambda value, rng: [c + mark * _is_inside(value, i) for i, c in enumerate(value)]


def put_once(mark: str, wanted: Callable[[str], bool]) -> Trick:
    """The mark once in every run of at least four wanted characters, not at its edges."""

    def trick(value: str, rng: Random) -> list[str]:
        pieces = list(value)
        start = 0
        for i in range(len(value) + 1):
            if i == len(value) or not wanted(value[i]):
                if i - start >= 4:
                    at = rng.randrange(start + 1, i - 2)
                    pieces[at] += mark
                start = i + 1
        return pieces

    return trick


def exchange(table: dict[str, str]) -> Trick:
    """Characters for others."""
    return lambda value, rng: [table.get(c, c) for c in value]


def confuse(letters: str, digit: str) -> Trick:
    """A digit for letters in words, and a letter for that digit in numbers: what a scanner reads."""

    def trick(value: str, rng: Random) -> list[str]:
        pieces = list(value)
        for run in re.finditer(r"\w+", value):
            is_number = sum(c.isdigit() for c in run[0]) * 2 > len(run[0])
            for i in range(*run.span()):
                if is_number and value[i] == digit:
                    pieces[i] = letters[rng.randrange(len(letters))]
                elif not is_number and value[i] in letters:
                    pieces[i] = digit
        return pieces

    return trick


def merge_rn(value: str, rng: Random) -> list[str]:
    """`rn` for `m` and `m` for `rn`."""
    pieces = list(value)
    for found in re.finditer("rn|m", value):
        pieces[found.start()] = "m" if found[0] == "rn" else "rn"
        if found[0] == "rn":
            pieces[found.start() + 1] = ""
    return pieces


def misread(times: int) -> Trick:
    """UTF-8 that was read as Windows means bytes."""

    def read(character: str) -> str:
        for _ in range(times):
            character = "".join(
                bytes([byte]).decode("cp1252") if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(byte)
                for byte in character.encode()
            )
        return character

    return lambda value, rng: [read(c) for c in value]


def reverse(value: str, rng: Random) -> list[str]:
    """Written backwards, and shown forwards by an override of direction."""
    pieces = list(reversed(value))
    pieces[0] = "\u202e" + pieces[0]
    pieces[-1] += "\u202c"
    return pieces


def refer(value: str, rng: Random) -> list[str]:
    """Character references: by name where there is one, else one in three by number."""
    return [
        f"&{codepoint2name[ord(c)]};"
        if ord(c) in codepoint2name
        else f"&#{ord(c)};"
        if c != " " and rng.random() < 0.33
        else c
        for c in value
    ]


def refer_twice(value: str, rng: Random) -> list[str]:
    """The same, escaped once more."""
    return [html.escape(piece) if piece[0] == "&" else piece for piece in refer(value, rng)]


def double(value: str, rng: Random) -> list[str]:
    """One letter of each longer word twice."""
    pieces = list(value)
    for word in re.finditer(r"[^\W\d_]{4,}", value):
        at = rng.randrange(word.start() + 1, word.end())
        pieces[at] *= 2
    return pieces


def quote_printable(value: str, rng: Random) -> list[str]:
    """What is left of a mail: bytes as `=C3`, and lines cut by `=`."""
    pieces = ["".join(f"={byte:02X}" for byte in c.encode()) if not c.isascii() else c for c in value]
    at = rng.randrange(len(value))
    return [piece + "=\n" * (i == at and _is_inside(value, i)) for i, piece in enumerate(pieces)]


def wrap_words(*pairs: tuple[str, str]) -> Trick:
    """Marks around words, in turn."""

    def trick(value: str, rng: Random) -> list[str]:
        pieces = list(value)
        for number, word in enumerate(re.finditer(r"\S+", value)):
            before, after = pairs[number % len(pairs)]
            pieces[word.start()] = before + pieces[word.start()]
            pieces[word.end() - 1] += after
        return pieces

    return trick


def tag_parts(value: str, rng: Random) -> list[str]:
    """A tag around the second half of each word."""
    pieces = list(value)
    for word in re.finditer(r"\w{4,}", value):
        middle = (word.start() + word.end()) // 2
        pieces[middle] = "<b>" + pieces[middle]
        pieces[word.end() - 1] += "</b>"
    return pieces


def _is_inside(value: str, i: int) -> bool:
    return i + 1 < len(value) and value[i].isalnum() and value[i + 1].isalnum()


TRICKS: dict[str, Trick] = {
    "letters spaced out": put_after_each(" "),
    "line broken in a word": put_once("\n", str.isalpha),
    "hyphen at the end of a line": put_once("-\n", str.isalpha),
    "line broken in a number": put_once("\n", str.isdigit),
    "soft hyphens": put_after_each("\u00ad"),
    "zero-width spaces": put_after_each("\u200b"),
    "direction marks": put_after_each("\u202d\u202c"),
    "direction override": reverse,
    "character references": refer,
    "references escaped twice": refer_twice,
    "mojibake": misread(1),
    "mojibake twice": misread(2),
    "0 for O": confuse("oO", "0"),
    "1 for l and I": confuse("lI", "1"),
    "rn for m": merge_rn,
    "5 for S": confuse("S", "5"),
    "8 for B": confuse("B", "8"),
    "full-width": exchange({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)}),
    "Cyrillic letters": exchange(_CYRILLIC),
    "combining accents": lambda value, rng: [unicodedata.normalize("NFD", c) for c in value],
    "lost accents": lambda value, rng: [strip_accents(c) for c in value],
    "doubled letters": double,
    "glued words": exchange({" ": ""}),
    "underscores for blanks": exchange({" ": "_"}),
    "dots for blanks": exchange({" ": "."}),
    "tabs for blanks": exchange({" ": "\t"}),
    "capitals": lambda value, rng: [c.upper() for c in value],
    "small letters": lambda value, rng: [c.lower() for c in value],
    "quoted-printable": quote_printable,
    "markdown": wrap_words(("**", "**"), ("_", "_")),
    "tags inside words": tag_parts,
}


def disguise(note: Document, trick: Trick, rng: Random) -> tuple[str, list[list[tuple[int, int]] | None]]:
    """The note with its identifiers disguised, and where each letter and digit of them now lies; None: not changed."""
    parts: list[str] = []
    places: list[list[tuple[int, int]] | None] = []
    position = length = 0
    for span in note.spans:
        value = span.of(note.text)
        parts.append(note.text[position : span.start])
        length += span.start - position
        pieces = trick(value, rng)
        mine = []
        for old, new in zip(value, pieces, strict=True):
            if old.isalnum() and new:
                mine.append((length, length + len(new)))
            length += len(new)
        places.append(mine if "".join(pieces) != value else None)
        parts += pieces
        position = span.end
    return "".join((*parts, note.text[position:])), places


def count_found(places: Sequence[list[tuple[int, int]] | None], spans: Sequence[Span]) -> list[bool]:
    """For each identifier whether a part of what stands for each of its characters is covered."""
    covered = {i for span in spans for i in range(span.start, span.end)}
    return [all(any(i in covered for i in range(*place)) for place in mine or ()) for mine in places]


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--detector", default="combined")
    parser.add_argument("--lang", nargs="*", default=("en", "fr", "sv", "es"))
    parser.add_argument("--trick", nargs="*", default=tuple(TRICKS))
    parser.add_argument("--notes", type=int, default=40, help="of each language")
    parser.add_argument("--show", action="store_true", help="identifiers that are lost")
    options = parser.parse_args()
    lines: dict[str, list[str]] = {trick: [] for trick in options.trick}
    sums = {trick: [0, 0, 0] for trick in options.trick}
    for lang in options.lang:
        notes = [note for note in read_split("dev", lang) if note.spans][: options.notes]
        plain = find_spans(notes, lang, options.detector)
        tally = Tally()
        for note, spans in zip(notes, plain, strict=True):
            tally.add(note, list(spans))
        recall, precision = figures(np.array(tally.notes))[:2]
        print(
            f"{lang}, {len(notes)} plain notes, {options.detector}: recall {recall:.4f}, precision {precision:.4f}", flush=True
        )
        for name in options.trick:
            before, after, total = score(name, notes, plain, lang, options)
            lines[name].append(f"{after / max(1, total):.3f} of {before / max(1, total):.3f} ({total})")
            sums[name] = [a + b for a, b in zip(sums[name], (before, after, total), strict=True)]
    print(f"{'':28}" + "".join(f"{lang:24}" for lang in options.lang) + "all")
    for name, told in lines.items():
        before, after, total = sums[name]
        print(f"{name:28}" + "".join(f"{one:24}" for one in told) + f"{(after - before) / max(1, total):+.3f}")


def score(
    name: str, notes: list[Document], plain: list[list[Span]], lang: str, options: argparse.Namespace
) -> tuple[int, int, int]:
    """Identifiers that a trick changes: found plain, found disguised, all."""
    rng = Random(f"{name}/{lang}")
    disguised = [disguise(note, TRICKS[name], rng) for note in notes]
    found = find_spans(
        [Document(note.id, text) for note, (text, _) in zip(notes, disguised, strict=True)], lang, options.detector
    )
    before = after = total = 0
    for note, (text, places), here, there in zip(notes, disguised, plain, found, strict=True):
        ours = [[(i, i + 1) for i in range(span.start, span.end) if note.text[i].isalnum()] for span in note.spans]
        was, now = count_found(ours, here), count_found(places, there)
        for mine, a, b, span in zip(places, was, now, note.spans, strict=True):
            if mine is not None:
                before, after, total = before + a, after + b, total + 1
                if options.show and a and not b and mine:
                    print(f"    {name}: {span.label} {text[mine[0][0] - 15 : mine[-1][1] + 15]!r}")
    return before, after, total


if __name__ == "__main__":
    main()
