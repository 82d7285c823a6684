"""The rule engine: declared patterns and lists, one native pass, Python on hits only."""
