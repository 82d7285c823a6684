"""Places: towns, streets and institutions that stay together when they become others."""
