"""Active learning: the chunks from which a model would learn most per second of an annotator's time."""

from innominate.campaign.suggestions.active.ranking import Ranked, ranked
from innominate.campaign.suggestions.active.seconds import Seconds, seconds_from
from innominate.campaign.suggestions.active.uncertainty import bits, uncertainty

__all__ = ["Ranked", "Seconds", "bits", "ranked", "seconds_from", "uncertainty"]
