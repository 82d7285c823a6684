"""Realistic values by kind and language, drawn from a random generator that is passed in."""
