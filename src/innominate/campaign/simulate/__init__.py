"""Simulated annotators with known errors, speeds and habits, so that a campaign can be planned and tested."""
