"""Numbers that somebody has: identifiers with their check digits, telephones."""
