"""Notes whose identifiers were taken out, made to look like notes again: placeholders of MIMIC become surrogates."""
