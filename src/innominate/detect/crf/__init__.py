"""A conditional random field over tokens: features by name, training with CRFsuite, tagging in numpy."""
