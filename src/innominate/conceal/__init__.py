"""Concealment: what stands in the place of an identifier."""

from innominate.conceal.concealed import Concealed, conceal

__all__ = ["Concealed", "conceal"]
