"""Concealment: what stands in the place of an identifier."""

from innominate.conceal.concealed import Concealed, conceal
from innominate.conceal.plan import Treated

__all__ = ["Concealed", "Treated", "conceal"]
