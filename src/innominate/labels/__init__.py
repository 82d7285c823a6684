"""Taxonomies (HIPAA, i2b2 2014, CHUV, Swedish PHI, MEDDOCAN, our own), the mappings between them, the kinds behind them."""

from innominate.labels.kinds import Kind, kinds, kinds_in_policy_group, kinds_that_stay, recall_groups
from innominate.labels.taxonomy import (
    Label,
    LabelMapping,
    Taxonomy,
    for_language,
    kind_of,
    labels_of_all,
    mapping,
    names,
    taxonomy,
    with_labels,
)

__all__ = [
    "Kind",
    "Label",
    "LabelMapping",
    "Taxonomy",
    "for_language",
    "kind_of",
    "kinds",
    "kinds_in_policy_group",
    "kinds_that_stay",
    "labels_of_all",
    "mapping",
    "names",
    "recall_groups",
    "taxonomy",
    "with_labels",
]
