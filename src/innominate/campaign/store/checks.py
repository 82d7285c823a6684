"""What makes an answer impossible, in words that quote nothing of the text."""

from __future__ import annotations

from innominate.campaign.records import Answer, Sample
from innominate.labels import Taxonomy

_LONGEST_ID = 200


def find_problem(answer: Answer, sample: Sample, labels: Taxonomy) -> str:
    """Say what is wrong with an answer to a sample; nothing if all is well.

    >>> from innominate.core import Span
    >>> from innominate.labels import taxonomy
    >>> sample = Sample("n1#1", "n1", 0, 9, "Eva dort.")
    >>> find_problem(Answer("a", "n1#1", "ola", (Span(0, 30, "DATE"),)), sample, taxonomy("chuv"))
    'span 0..30 lies outside the 9 characters of the sample'
    """
    if not answer.id or len(answer.id) > _LONGEST_ID or not answer.id.isprintable():
        return f"an answer needs an id of at most {_LONGEST_ID} printable characters"
    for span in (*answer.spans, *answer.suggested):
        if span.end > len(sample.text):
            return f"span {span.start}..{span.end} lies outside the {len(sample.text)} characters of the sample"
        if span.label not in labels:
            return f"span {span.start}..{span.end} has a label that taxonomy {labels.name!r} does not have"
    if len(set(answer.spans)) < len(answer.spans):
        return "the same span twice"
    return ""
