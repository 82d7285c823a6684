"""Rules and the contextual model as one detector: what each says is evidence, weighed by a few calibrated numbers."""
