"""How all tests run."""

from hypothesis import settings

# how long an example takes depends on what else the machine does; tests of speed measure for themselves
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
