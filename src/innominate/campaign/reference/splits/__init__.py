"""Test, validation and training sets of a reference: stratified, and the best samples first (Loftsson 2022, section 5.1)."""

from innominate.campaign.reference.splits.comparison import compared, split_reference
from innominate.campaign.reference.splits.methods import METHODS, split
from innominate.campaign.reference.splits.pieces import Piece, Shares, Split, pieces_of

__all__ = ["METHODS", "Piece", "Shares", "Split", "compared", "pieces_of", "split", "split_reference"]
