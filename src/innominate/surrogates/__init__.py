"""Realistic values by kind and locale, drawn from a random generator that is passed in."""
