"""The expressions of rule packs: written with macros, matched by one automaton for many of them, and by `re`."""
