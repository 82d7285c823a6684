"""What suggestions do to annotators: durations and penalties by condition, tests, and a mixed model (Loftsson 2022, 4.2)."""
