"""One model that reads context, for all languages: an encoder that learns from plain text first, then to tag."""
