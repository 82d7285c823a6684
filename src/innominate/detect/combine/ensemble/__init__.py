"""Several detectors as one: by union, by votes, by weighted votes, or by the mean of their probabilities."""
