"""Experiments with one command each."""
