"""Unicode compatibility normalisation (seed, section 2.2, step 3a)."""

from __future__ import annotations

import unicodedata

from innominate.core import Edit
from innominate.text.clusters import clusters, normalised, smallest_edit


class Nfkc:
    """Makes the view equal to the NFKC form of the text, cluster by cluster.

    >>> Nfkc().edits("ﬁèvre 38 ℃")
    [Edit(start=0, end=1, text='fi'), Edit(start=9, end=10, text='°C')]
    """

    name = "nfkc"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every cluster that normalisation changes."""
        if text.isascii() or unicodedata.is_normalized("NFKC", text):
            return []
        pairs = ((start, cluster, normalised("NFKC", cluster)) for start, cluster in clusters(text))
        return [smallest_edit(start, old, new) for start, old, new in pairs if old != new]
