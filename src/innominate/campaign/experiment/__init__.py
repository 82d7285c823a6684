"""What suggestions do to annotators: durations and penalties by condition, tests, and a mixed model (Loftsson 2022, 4.2)."""

from innominate.campaign.experiment.result import compare_conditions

__all__ = ["compare_conditions"]
