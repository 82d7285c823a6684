"""What a machine proposes: suggestions to begin with, spoilt for experiments, and the chunks to do next."""
