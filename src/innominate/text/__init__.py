"""Text as it is looked at: cleaned views with the way back, tokens, sentences, sections, language. Nothing is changed."""
