"""From what annotators marked to one reference: votes, corrections, decisions, judgements, and splits of it."""
