"""Test, validation and training sets of a reference: stratified, and the best samples first (Loftsson 2022, section 5.1)."""

from innominate.campaign.reference.splits.comparison import compare_splits, split_reference
from innominate.campaign.reference.splits.methods import METHODS, split_pieces
from innominate.campaign.reference.splits.pieces import Piece, SetShares, Split, group_pieces

__all__ = ["METHODS", "Piece", "SetShares", "Split", "compare_splits", "group_pieces", "split_pieces", "split_reference"]
