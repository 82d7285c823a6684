"""The recall dial: what a model believes, operating points on it, how they are found, and what `--recall` means."""
