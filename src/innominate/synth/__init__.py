"""Synthetic annotated clinical notes: templates are data, values are surrogates."""
