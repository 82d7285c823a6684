"""Policies: which strategy every kind of identifier gets, as TOML files, and the concealer that follows one."""
