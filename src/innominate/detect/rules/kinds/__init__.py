"""The kinds of rules. Each reads its own part of a rule file."""
