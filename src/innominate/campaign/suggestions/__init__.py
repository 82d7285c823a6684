"""Suggestions to begin with, and experiments with how good they are (Loftsson 2022, section 4.2)."""

from innominate.campaign.suggestions.audiences import Found, crossed, found_in, suggestions_for
from innominate.campaign.suggestions.spoil import Fate, Treatment, treated

__all__ = ["Fate", "Found", "Treatment", "crossed", "found_in", "suggestions_for", "treated"]
