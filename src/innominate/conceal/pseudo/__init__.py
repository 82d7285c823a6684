"""Pseudonyms: a surrogate of the same kind, shape and rarity in the place of an identifier."""
