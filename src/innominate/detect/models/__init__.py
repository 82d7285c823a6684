"""Saved models whatever their kind: their cards, and detectors by what a user writes."""
