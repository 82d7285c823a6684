"""Of candidates that overlap, those that stay: by priority, then score, then length."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from innominate.core import Span, resolve
from innominate.detect.rules.board import Found, span_of

_position = itemgetter(0, 1)
_span = itemgetter(0, 1, 2)


def settle_overlaps(candidates: Iterable[Found]) -> tuple[Span, ...]:
    """Settle overlaps.

    >>> settle_overlaps([Found(0, 9, "PHONE", 0.9, "phone"), Found(0, 9, "FAX", 0.8, "fax", priority=1)])
    (Span(start=0, end=9, label='FAX', score=0.8, source='rules:fax'),)
    """
    spans: list[Span] = []
    cluster: list[Found] = []  # each of them overlaps one before it
    end = 0
    for found in sorted(candidates, key=_position):
        if found[0] < end:
            cluster.append(found)
            end = max(end, found[1])
            continue
        if len(cluster) == 1:
            spans.append(span_of(cluster[0]))
        elif cluster:
            spans += settle_cluster(cluster)
        cluster, end = [found], found[1]
    return (*spans, *settle_cluster(cluster)) if cluster else ()


def settle_cluster(cluster: list[Found]) -> Iterable[Span]:
    """Settle candidates that overlap one another."""
    merged: dict[tuple[Any, ...], Found] = {}  # the same span found twice is as sure and as important as the better one
    for found in cluster:
        place = found[:3]
        known = merged.setdefault(place, found)
        if known is not found:
            better, other = (found, known) if found[3] > known[3] else (known, found)
            merged[place] = better if better[5] >= other[5] else better._replace(priority=other[5])
    if len(merged) == 1:
        return (span_of(*merged.values()),)
    best = max(sorted(merged.values(), key=_span), key=_rank)  # of equals the first, as `resolve` does
    if best[0] == cluster[0][0] and best[1] >= max(found[1] for found in cluster):
        return (span_of(best),)
    ranks = {span_of(found): _rank(found) for found in merged.values()}
    return resolve(ranks, ranks.__getitem__)


def _rank(found: Found) -> tuple[int, float, int]:
    return found[5], found[3], found[1] - found[0]
