"""Where the contextual model learns: torch is imported here and nowhere else in the package."""
