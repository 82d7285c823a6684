"""What a network reads notes through: language models of characters and of words, a borrowed encoder, parts of speech."""
