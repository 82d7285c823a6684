"""Trees compiled to functions: each appends pieces, (text, label), to a list. A template is compiled once and runs often."""

from __future__ import annotations

from collections.abc import Callable

from innominate.synth.elision import elide
from innominate.synth.note import Note, Piece
from innominate.synth.slot import Slot
from innominate.synth.template import Agree, Choice, Marked, Node, Nodes, Text

Op = Callable[[Note, list[Piece]], None]
Leaf = Callable[[Slot], Op]


def sequence(nodes: Nodes, leaf: Leaf) -> Op:
    """Compile nodes that follow one another; `leaf` compiles the slots."""
    steps = [_step(node, leaf) for node in nodes]
    if len(steps) == 1:
        return steps[0]

    def run(note: Note, out: list[Piece]) -> None:
        for step in steps:
            step(note, out)

    return run


def _step(node: Node, leaf: Leaf) -> Op:
    if isinstance(node, Text):
        return plain(node.text)
    if isinstance(node, Choice):
        return _choice(node, leaf)
    if isinstance(node, Agree):
        return _agree(node, leaf)
    if isinstance(node, Marked):
        return _marked(node, leaf)
    return leaf(node)


def plain(text: str) -> Op:
    """Text that is always the same and not annotated."""
    piece = (text, "")
    return lambda note, out: out.append(piece)


def _choice(node: Choice, leaf: Leaf) -> Op:
    options = [sequence(option, leaf) for option in node.options]
    count = len(options)

    def run(note: Note, out: list[Piece]) -> None:
        options[int(note.rng.random() * count)](note, out)

    return run


def _agree(node: Agree, leaf: Leaf) -> Op:
    masculine, feminine, role = sequence(node.masculine, leaf), sequence(node.feminine, leaf), node.role

    def run(note: Note, out: list[Piece]) -> None:
        (masculine if note.person(role).name.gender == "m" else feminine)(note, out)

    return run


def _marked(node: Marked, leaf: Leaf) -> Op:
    """A literal annotation swallows the labels inside it. Spaces at its ends stay outside: no span may begin with one."""
    inside, label = sequence(node.nodes, leaf), node.label

    def run(note: Note, out: list[Piece]) -> None:
        pieces: list[Piece] = []
        inside(note, pieces)
        text = "".join([piece[0] for piece in elide(pieces, note.lang)])
        core = text.strip()
        if core == text and text:
            out.append((text, label))
            return
        start = text.index(core) if core else len(text)
        out += [(text[:start], ""), (core, label if core else ""), (text[start + len(core) :], "")]

    return run
