"""One model that reads context, for all languages: words, byte pairs, an encoder that learns from plain text first, and a tagger."""
