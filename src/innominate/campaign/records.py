"""What a campaign is made of: people, samples of text, and the answers that people gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from innominate.core import Span

Decision = Literal["accept", "reject", "ignore"]


@dataclass(frozen=True, slots=True)
class Annotator:
    """One person of the registration sheet."""

    id: str
    team: str
    name: str = ""
    email: str = ""
    goal: int = 0  # tasks that this person hopes to do; 0: the campaign's
    also: tuple[str, ...] = ()  # names by which other annotation tools know this person


@dataclass(frozen=True, slots=True)
class Sample:
    """A chunk of a document, as it is shown to annotators.

    `text` is `document.text[start:end]` of the cleaned view; the campaign's store knows the way back to the original.
    """

    id: str
    document: str
    start: int
    end: int
    text: str = field(repr=False)  # the text of a note must not reach a log through repr()
    patient: str = ""
    unit: str = ""
    training: bool = False  # done by everybody first, and no part of the reference


@dataclass(frozen=True, slots=True)
class Answer:
    """What one annotator said of one sample. Spans are in code points of the sample's text.

    An answer is never changed: a later revision of the same task is another answer with a higher `revision`.
    """

    id: str  # made by the client, so that a repeated request is recognised
    sample: str
    annotator: str
    spans: tuple[Span, ...] = ()
    decision: Decision = "accept"
    at: float = 0.0  # seconds since 1970, when the answer was given
    revision: int = 0
    comment: str = field(default="", repr=False)  # may quote the text
    suggested: tuple[Span, ...] = ()  # what the annotator was shown to begin with
    meta: Mapping[str, object] = field(default_factory=dict)
