"""Annotation campaigns: from teams and tasks to a reference corpus with known quality."""
