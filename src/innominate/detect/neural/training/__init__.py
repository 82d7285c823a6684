"""One training loop for all networks."""
