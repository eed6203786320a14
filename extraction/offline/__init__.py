"""The offline extractor: claims from the shape of sentences, with spaCy and rules."""
