"""The reference as documents, for every format."""

from __future__ import annotations

from collections import Counter

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.exports import chunk
from innominate.core import Document


def reference_documents(analysis: Analysis, *, provisional: bool) -> list[Document]:
    """The reference of every sample that is settled, with people, votes and agreement as meta data."""
    pending = Counter(one.sample for one in analysis.pending)
    return [
        chunk(analysis.samples[record.sample], record.spans, **record.as_meta(), pending=pending[record.sample])
        for record in analysis.records
        if provisional or not pending[record.sample]
    ]
