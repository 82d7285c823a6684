"""Taxonomies of identifiers (HIPAA, i2b2 2014, CHUV, Swedish PHI, MEDDOCAN) and the mappings between them."""

from innominate.labels.mapping import LabelMapping, mapping
from innominate.labels.taxonomy import Label, Taxonomy, for_language, names, taxonomy, with_labels

__all__ = ["Label", "LabelMapping", "Taxonomy", "for_language", "mapping", "names", "taxonomy", "with_labels"]
