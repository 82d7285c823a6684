"""Detectors: anything that finds identifiers in a text."""
