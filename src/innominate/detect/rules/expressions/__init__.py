"""The expressions of rule packs: written with macros, matched by `re`, by one automaton for many, and by programs for one."""
