"""What a concealer does with the spans of a note: a mask, the class, no sentence at all, or pseudonyms."""
